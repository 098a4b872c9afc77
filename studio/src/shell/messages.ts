/**
 * The box that tells what a file lacks or why it was refused, and the line of short news.
 */
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

/** A line that goes away by itself. */
export function say(text: string): void {
  toast.textContent = text
  toast.hidden = false
  clearTimeout(timer)
  timer = window.setTimeout(() => {
    toast.hidden = true
  }, 3500)
}
