/**
 * A small JSON editor: a textarea over a coloured copy of its text, line numbers, completion from a schema, marks on bad lines.
 */
import { create } from '../../shell/dom.js'
import type { TextProblem } from '../../worker/protocol.js'
import { highlight } from './highlight.js'
import { placeAt } from './json-place.js'
import { type Completion, complete } from './schema-completion.js'

const lineHeight = 18
/** colouring much more than this on every key is felt */
const colouredMost = 60_000

export interface Editor {
  readonly host: HTMLElement
  text: string
  setSchema(schema: object): void
  setProblems(problems: readonly TextProblem[]): void
  /** puts the caret there */
  goTo(line: number, column: number): void
}

export function createEditor(changed: (text: string) => void): Editor {
  const area = create('textarea', { spellcheck: false, autocomplete: 'off' })
  area.setAttribute('aria-label', 'Scene as JSON')
  area.setAttribute('aria-autocomplete', 'list')
  area.setAttribute('aria-controls', 'completions')
  const copy = create('pre')
  copy.setAttribute('aria-hidden', 'true')
  const numbers = create('div', { className: 'lines' })
  numbers.setAttribute('aria-hidden', 'true')
  const list = create('ul', { id: 'completions', className: 'completions', hidden: true })
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', 'Suggestions')
  const host = create('div', { className: 'editor' }, copy, area, numbers, list)
  let schema: object | undefined
  let bad = new Set<number>()
  let offers: Completion[] = []
  let chosen = 0

  const paint = () => {
    const { value } = area
    const plain = value.length > colouredMost
    if (plain) copy.replaceChildren(value)
    else copy.replaceChildren(highlight(value, bad))
    const count = value.split('\n').length
    numbers.textContent = Array.from({ length: count }, (_, k) => (bad.has(k + 1) ? `✕${k + 1}` : k + 1)).join('\n')
    follow()
  }
  const follow = () => {
    copy.scrollTop = area.scrollTop
    copy.scrollLeft = area.scrollLeft
    numbers.scrollTop = area.scrollTop
  }
  const close = () => {
    list.hidden = true
    area.removeAttribute('aria-activedescendant')
    offers = []
  }
  const offer = () => {
    if (!schema) return close()
    const place = placeAt(area.value, area.selectionStart)
    offers = complete(schema, place).slice(0, 60)
    chosen = 0
    if (offers.length === 0) return close()
    list.replaceChildren(
      ...offers.map(({ label, description }, k) => {
        const item = create('li', { id: `completion-${k}`, title: description }, label)
        item.setAttribute('role', 'option')
        item.onpointerdown = (event) => {
          event.preventDefault()
          chosen = k
          accept()
        }
        return item
      }),
    )
    const before = area.value.slice(0, area.selectionStart).split('\n')
    const column = before[before.length - 1].length
    list.style.top = `${Math.min(8 + before.length * lineHeight - area.scrollTop, area.clientHeight - 60)}px`
    list.style.left = `${Math.min(44 + 7.2 * column - area.scrollLeft, Math.max(0, area.clientWidth - 180))}px`
    list.hidden = false
    mark()
  }
  const mark = () => {
    area.setAttribute('aria-activedescendant', `completion-${chosen}`)
    ;[...list.children].forEach((item, k) => {
      item.setAttribute('aria-selected', String(k === chosen))
      if (k === chosen) item.scrollIntoView({ block: 'nearest' })
    })
  }
  const accept = () => {
    const { start } = placeAt(area.value, area.selectionStart)
    const { text } = offers[chosen]
    let end = area.selectionStart
    // a closing quote that is there already is written over
    if (area.value[end] === '"') end++
    area.setRangeText(text, start, end, 'end')
    close()
    paint()
    changed(area.value)
  }

  area.oninput = () => {
    paint()
    changed(area.value)
    const before = area.value[area.selectionStart - 1] ?? ''
    if (/["\w]/.test(before)) offer()
    else close()
  }
  area.onscroll = follow
  area.onblur = close
  area.onkeydown = (event) => {
    if (event.key === ' ' && event.ctrlKey) {
      offer()
      event.preventDefault()
      return
    }
    if (list.hidden) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      chosen = (chosen + step + offers.length) % offers.length
      mark()
    } else if (event.key === 'Enter' || event.key === 'Tab') accept()
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return {
    host,
    get text() {
      return area.value
    },
    set text(value) {
      area.value = value
      bad = new Set()
      area.setSelectionRange(0, 0)
      area.scrollTop = 0
      paint()
    },
    setSchema(next) {
      schema = next
    },
    setProblems(problems) {
      bad = new Set(problems.map(({ line }) => line))
      area.setAttribute('aria-invalid', String(bad.size > 0))
      paint()
    },
    goTo(line, column) {
      const lines = area.value.split('\n')
      const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1
      area.focus()
      area.setSelectionRange(at, at)
      area.scrollTop = Math.max(0, (line - 6) * lineHeight)
    },
  }
}
