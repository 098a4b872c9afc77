/**
 * The box that tells what a file lacks or why it was refused, with what to do about it, and the line of short news.
 */
import type { Area } from '../view/view-protocol.js'
import type { Reply } from '../worker/protocol.js'
import { create, element } from './dom.js'

/** A button that does what a message advises. */
export interface Remedy {
  readonly text: string
  act(): void
}

/** What a message is about: it goes when that is over. `load`: what was to be opened; `run`: a step that failed; `notes`: what a file lost; `link`: the address; `crash`: a worker that ended; `silence`: one that
 * does not answer. */
export type Cause = 'load' | 'run' | 'notes' | 'link' | 'crash' | 'silence' | 'other'

export interface Message {
  readonly heading: string
  readonly lines: readonly (string | Node)[]
  readonly kind: 'error' | 'remark'
  readonly cause: Cause
  readonly remedies?: readonly Remedy[]
  /** so many lines are shown at once, the others when one asks; default: all */
  readonly visible?: number
}

const box = element('messages', HTMLElement)
const title = box.querySelector('h2')
const body = box.querySelector('div')
const toast = element('toast', HTMLElement)
const shownMost = 100
let timer = 0
let shown: Cause = 'other'

element('dismiss', HTMLButtonElement).onclick = () => hideMessages()

/** Hides the message, if it is about one of these; without any, whatever it is about. */
export function hideMessages(...causes: readonly Cause[]): void {
  if (causes.length === 0 || causes.includes(shown)) box.hidden = true
}

export function showMessage({ heading, lines, kind, cause, remedies = [], visible = Infinity }: Message): void {
  shown = cause
  box.className = kind
  if (title) title.textContent = heading
  const items = lines.slice(0, shownMost).map((line) => create('li', {}, line))
  if (lines.length > shownMost) items.push(create('li', {}, `and ${lines.length - shownMost} more`))
  const parts: Node[] = []
  if (items.length > visible) {
    const rest = items.slice(visible)
    const more = create('details', {}, create('summary', {}, `${rest.length} more`), create('ul', {}, ...rest))
    parts.push(create('ul', {}, ...items.slice(0, visible)), more)
  } else if (items.length > 0) parts.push(create('ul', {}, ...items))
  const buttons = remedies.map(({ text, act }) => {
    const button = create('button', { type: 'button' }, text)
    button.onclick = () => {
      // what stopped a run is told until another one is there: then the forms show that as well
      if (cause === 'run') for (const one of buttons) one.disabled = true
      else hideMessages()
      act()
    }
    return button
  })
  if (buttons.length > 0) parts.push(create('div', { className: 'row' }, ...buttons))
  body?.replaceChildren(...parts)
  box.hidden = false
}

/** In the part of the picture that no panel covers, so that no control is. */
export function placeMessages({ x, y, width, height }: Area): void {
  const margin = 8
  Object.assign(box.style, {
    left: `${x + margin}px`,
    width: `${Math.min(420, width - 2 * margin)}px`,
    bottom: `${innerHeight - y - height + margin}px`,
    maxHeight: `${Math.max(120, Math.min(0.6 * height, 360))}px`,
  })
  // news at the other end, so that neither covers the other
  Object.assign(toast.style, { left: `${x + width / 2}px`, top: `${y + margin}px`, maxWidth: `${width - 2 * margin}px` })
}

/** Shows what is being worked at, until it is there or refused. */
export function followWork(reply: Reply): void {
  if (reply.type === 'busy') showWork(reply.text)
  else if (reply.type === 'loaded' || reply.type === 'refused') showWork('')
}

/** An empty text: done. */
function showWork(text: string): void {
  if (text === '' && toast.dataset['work'] === undefined) return
  clearTimeout(timer)
  toast.textContent = text
  toast.hidden = text === ''
  if (text === '') delete toast.dataset['work']
  else toast.dataset['work'] = ''
}

/** A line that goes away by itself. */
export function say(text: string): void {
  toast.textContent = text
  toast.hidden = false
  delete toast.dataset['work']
  clearTimeout(timer)
  timer = window.setTimeout(() => {
    toast.hidden = true
  }, 3500)
}
