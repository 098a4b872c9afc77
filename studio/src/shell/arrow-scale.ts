/**
 * What the arrows on the picture stand for, beside them.
 */
import type { App } from './app.js'
import { create, element } from './dom.js'
import { freeArea } from './layout.js'

/** milliseconds between looks */
const refreshEvery = 300

export function createArrowScale(app: App): void {
  const box = element('scale', HTMLElement)
  const text = create('span')
  box.append(create('i'), text)
  let last = 0
  app.on('frame', () => {
    const now = performance.now()
    if (now - last < refreshEvery) return
    last = now
    const largest = app.show.has('contacts') ? (app.picture.timings?.largestContact ?? 0) : 0
    box.hidden = !(largest > 0)
    if (box.hidden) return
    const next = `longest arrow ${Number(largest.toPrecision(2)).toLocaleString('en')} N`
    if (text.textContent !== next) text.textContent = next
    const { x, y, width } = freeArea()
    // below where news is said
    box.style.top = `${y + 48}px`
    box.style.left = `${x + width - box.offsetWidth - 8}px`
  })
}
