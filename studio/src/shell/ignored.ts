/**
 * What a file lost is news to its owner; what a built-in scene leaves out is a footnote.
 */
import type { Loaded } from '../worker/protocol.js'
import { create, element } from './dom.js'
import { hideMessages, showMessages } from './messages.js'
import { withRemedy } from './remedies.js'

/** `openOther` opens another model of the same files, by its name. */
export function tellIgnored({ origin, fresh, ignored, notes, others }: Loaded, openOther: (name: string) => void): void {
  const lines = [...ignored.map(({ path, what, why }) => `${path}: ${what}: ${why}`), ...notes]
  element('remarks', HTMLElement).textContent = origin === 'scene' ? notes.join('. ') : ''
  if (!fresh) return
  if (origin === 'scene' || (lines.length === 0 && others.length === 0)) return hideMessages()
  const more = others.map((name) => {
    const button = create('button', { type: 'button', className: 'link' }, `Open ${name} instead`)
    button.onclick = () => openOther(name)
    return button
  })
  showMessages(
    lines.length > 0 ? `Not taken over (${lines.length})` : 'Other models in these files',
    [...withRemedy(lines), ...more],
    'remark',
  )
}
