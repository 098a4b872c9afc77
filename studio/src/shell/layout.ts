/**
 * Where the picture is free of panels, and the captions over views side by side.
 */

import { divide } from '../view/divide.js'
import type { Area } from '../view/view-protocol.js'
import type { LaneInfo } from '../worker/protocol.js'
import type { App } from './app.js'
import { create, element } from './dom.js'
import { laneColors } from './looks.js'
import { placeMessages } from './messages.js'

const margin = 10
/** less than this is no room for a mechanism: it stands behind the panels instead */
const leastWidth = 260
const leastHeight = 160

/** The part of the canvas between the panels. */
export function freeArea(): Area {
  const all = { x: 0, y: 0, width: innerWidth, height: innerHeight }
  const side = boxOf('side')
  const tools = boxOf('tools')
  const head = boxOf('head')
  const controls = boxOf('controls')
  let [left, right] = [0, innerWidth]
  let [top, bottom] = [head ? head.bottom : 0, controls ? controls.top : innerHeight]
  for (const panel of [side, tools]) {
    if (!panel) continue
    // on narrow screens panels lie over the whole width, from below
    if (panel.width > 0.7 * innerWidth) bottom = Math.min(bottom, panel.top)
    else if (panel.left < innerWidth / 2) left = Math.max(left, panel.right + margin)
    else right = Math.min(right, panel.left - margin)
  }
  if (right - left < leastWidth) [left, right] = [0, innerWidth]
  if (bottom - top < leastHeight) [top, bottom] = [0, innerHeight]
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : all
}

/** To be called when it has changed where the picture is free of panels, or what is in it. */
export function createLayOut(app: App): () => void {
  let later = 0
  const layOut = () => {
    // once for all that changes in a turn: looking at where panels are makes the browser lay them out
    cancelAnimationFrame(later)
    later = requestAnimationFrame(() => {
      app.picture.layOut()
      placeMessages(freeArea())
      showCaptions(app.side ? (app.loaded?.lanes ?? []) : [])
    })
  }
  addEventListener('resize', layOut)
  // panels grow with what is in them
  const grown = new ResizeObserver(() => placeMessages(freeArea()))
  for (const id of ['side', 'tools', 'controls']) grown.observe(element(id, HTMLElement))
  return layOut
}

/** One caption for each view, none for fewer than two. */
function showCaptions(lanes: readonly LaneInfo[]): void {
  const host = element('captions', HTMLElement)
  const areas = lanes.length > 1 ? divide(freeArea(), lanes.length) : []
  host.replaceChildren(
    ...areas.map(({ x, y, width, height }, k) => {
      const { solver, timestep, options } = lanes[k]
      const method = 'method' in options ? ` ${String(options['method'])}` : ''
      const caption = create('div', {}, create('span', {}, `${k + 1} ${solver}${method}, ${timestep} s`))
      Object.assign(caption.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` })
      caption.style.setProperty('--lane', laneColors[k] ?? laneColors[0])
      return caption
    }),
  )
}

function boxOf(id: string): DOMRect | undefined {
  const found = element(id, HTMLElement)
  return found.hidden ? undefined : found.getBoundingClientRect()
}
