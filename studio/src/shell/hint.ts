/**
 * The hint of three steps that a newcomer sees once.
 */
import { create, element } from './dom.js'

const seenKey = 'limber-hint-seen'

/** Three steps, once; a page that may not store anything shows them again. */
export function showHint(): void {
  if (readSeen()) return
  const box = element('hint', HTMLElement)
  const done = create('button', { type: 'button', className: 'main' }, 'Got it')
  done.onclick = () => {
    box.hidden = true
    try {
      localStorage.setItem(seenKey, '1')
    } catch {
      // private windows may refuse
    }
  }
  box.append(
    create(
      'ol',
      {},
      create('li', {}, create('b', {}, 'Pull'), ' a body with the mouse or a finger.'),
      create('li', {}, create('b', {}, 'Gallery'), ' has more scenes, with parameters and solvers to try.'),
      create('li', {}, create('b', {}, 'Drop'), ' your own MJCF, URDF or scene file anywhere.'),
    ),
    done,
  )
  box.hidden = false
}

function readSeen(): boolean {
  try {
    return localStorage.getItem(seenKey) !== null
  } catch {
    return false
  }
}
