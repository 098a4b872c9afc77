/**
 * The box that tells what a file lacks or why it was refused, and the line of short news.
 */
import type { Reply } from '../worker/protocol.js'
import { create, element } from './dom.js'

const box = element('messages', HTMLElement)
const title = box.querySelector('h2')
const list = box.querySelector('ul')
const toast = element('toast', HTMLElement)
const shownMost = 100
let timer = 0

element('dismiss', HTMLButtonElement).onclick = hideMessages

export function hideMessages(): void {
  box.hidden = true
}

export function showMessages(heading: string, lines: readonly (string | Node)[], kind: 'error' | 'remark'): void {
  box.className = kind
  if (title) title.textContent = heading
  const items = lines.slice(0, shownMost).map((line) => create('li', {}, line))
  if (lines.length > shownMost) items.push(create('li', {}, `and ${lines.length - shownMost} more`))
  list?.replaceChildren(...items)
  box.hidden = false
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
