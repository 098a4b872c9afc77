/**
 * What the arrows on the picture stand for, beside them: a bar as on a map. It is exact for what is as far away as the point that the camera
 * turns around.
 */
import { divide } from '../view/divide.js'
import { fieldOfView } from '../view/view-protocol.js'
import type { App } from './app.js'
import { create, element } from './dom.js'
import { freeArea } from './layout.js'

/** milliseconds between looks */
const refreshEvery = 300
/** pixels that the bar may be long */
const longest = 90

export function createArrowScale(app: App): void {
  const box = element('scale', HTMLElement)
  const bar = create('i')
  const text = create('span')
  box.append(bar, text)
  let last = 0
  app.on('frame', () => {
    const now = performance.now()
    if (now - last < refreshEvery) return
    last = now
    const { arrowScale = 0, largestContact = 0 } = app.picture.timings ?? {}
    box.hidden = !(app.show.has('contacts') && arrowScale > 0)
    if (box.hidden) return
    const free = freeArea()
    const metre = pixelsOfMetre(app)
    const metres = roundDown(longest / metre)
    const next = `${lengthOf(metres)} of arrow: ${short(metres * arrowScale)} N, strongest ${short(largestContact)} N`
    if (text.textContent !== next) text.textContent = next
    bar.style.width = `${(metres * metre).toFixed(0)}px`
    // below where news is said, between the panels: its words wrap where there is little room
    box.style.maxWidth = `${free.width - 16}px`
    box.style.top = `${free.y + 48}px`
    box.style.left = `${free.x + free.width - box.offsetWidth - 8}px`
  })
}

/** Of a metre across the line of sight, at the point that the camera turns around. */
function pixelsOfMetre(app: App): number {
  const [x = 0, y = 0, z = 1, a = 0, b = 0, c = 0] = app.picture.camera
  const lanes = app.side ? (app.loaded?.lanes.length ?? 1) : 1
  const height = lanes > 1 ? divide(freeArea(), lanes)[0].height : app.picture.canvas.clientHeight
  return height / (2 * Math.tan((fieldOfView * Math.PI) / 360) * Math.max(1e-9, Math.hypot(x - a, y - b, z - c)))
}

/** The last of 1, 2, 5, 10, 20, 50 … that is not larger. */
function roundDown(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x))
  return power * (x >= 5 * power ? 5 : x >= 2 * power ? 2 : 1)
}

function lengthOf(metres: number): string {
  if (metres >= 1) return `${short(metres)} m`
  return metres >= 0.01 ? `${short(100 * metres)} cm` : `${short(1000 * metres)} mm`
}

function short(x: number): string {
  return Number(x.toPrecision(2)).toLocaleString('en', { maximumSignificantDigits: 2 })
}
