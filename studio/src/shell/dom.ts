/**
 * Small helpers for the elements of the page.
 */

/** The element with this id; the page is ours, so a missing one is a mistake in it. */
export function element<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} with id ${id}`)
  return found
}

export function create<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

/** Fills a definition list, reusing its rows so that text that changes often does not make garbage. */
export function setRows(list: HTMLElement, rows: readonly (readonly [string, string])[]): void {
  while (list.children.length > 2 * rows.length) list.lastElementChild?.remove()
  while (list.children.length < 2 * rows.length) list.append(document.createElement('dt'), document.createElement('dd'))
  rows.forEach(([term, text], i) => {
    setText(list.children[2 * i], term)
    setText(list.children[2 * i + 1], text)
  })
}

function setText(target: Element | undefined, text: string): void {
  if (target && target.textContent !== text) target.textContent = text
}
