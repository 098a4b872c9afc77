/**
 * What is known of the mechanism in numbers: its size, and how fast the first lane runs.
 */
import { statistic, statisticsAt } from '../worker/protocol.js'
import type { App } from './app.js'
import { element, setRows } from './dom.js'

/** milliseconds between numbers */
const refreshEvery = 300

export function createFacts(app: App): void {
  const size = element('facts', HTMLElement)
  const rate = element('rate', HTMLElement)
  let last = 0
  app.on('loaded', ({ bodies, nv }) => {
    setRows(size, [
      ['bodies', (bodies.length - 1).toLocaleString('en')],
      ['degrees of freedom', nv.toLocaleString('en')],
    ])
  })
  app.on('frame', (head) => {
    const now = performance.now()
    if (now - last < refreshEvery) return
    last = now
    const stepTime = head[statisticsAt(0) + statistic.stepTime]
    // a frame that was played or sought tells nothing of it
    if (!(stepTime > 0)) return
    const step = app.loaded?.lanes[0]?.timestep ?? Number.NaN
    setRows(rate, [
      ['steps a second', short(1000 / stepTime)],
      ['could run at', `${short((1000 * step) / stepTime)}×`],
    ])
  })
}

/** Two or three digits. */
export function short(x: number): string {
  if (!Number.isFinite(x)) return '–'
  if (x > 0 && x < 1e-3) return x.toExponential(1)
  return Number(x.toPrecision(x < 100 ? 2 : 3)).toLocaleString('en')
}
