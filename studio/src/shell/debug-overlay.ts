/**
 * Timings on the picture: how long steps take in the worker, how long tasks block the page, how many pictures are drawn.
 */

import type { ViewTimings } from '../view/view-protocol.js'
import { header, statistic, statisticsAt } from '../worker/protocol.js'
import type { App } from './app.js'
import { element } from './dom.js'

export interface DebugOverlay {
  toggle(): void
  /** a look at the last head, and how many frames arrived since the one before */
  notice(head: Float64Array, frames: number): void
}

export function createDebugOverlay(app: App): DebugOverlay {
  const box = element('debug', HTMLOutputElement)
  let longTasks = 0
  let longest = 0
  let turns = 0
  let arrived = 0
  let since = performance.now()
  let simulated = 0
  if (PerformanceObserver.supportedEntryTypes.includes('longtask')) {
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        longTasks++
        longest = Math.max(longest, duration)
      }
    }).observe({ type: 'longtask', buffered: true })
  }
  return {
    toggle() {
      box.hidden = !box.hidden
    },
    notice(block, frames) {
      turns++
      arrived += frames
      const now = performance.now()
      if (now - since < 500) return
      const seconds = (now - since) / 1000
      const step = block[statisticsAt(0) + statistic.stepTime]
      const t = block[header.t]
      const { timings } = app.picture
      if (!box.hidden) {
        box.textContent = [
          `worker step   ${Number.isNaN(step) ? '–' : `${step.toFixed(3)} ms`}`,
          `real time     ${((t - simulated) / seconds).toFixed(2)}×`,
          `pictures      ${Number((timings?.pictures ?? 0).toPrecision(2))} /s, ${timings?.drawCalls ?? 0} draw calls, ${describe(timings)}`,
          `drawing       ${(timings?.work ?? 0).toFixed(1)} ms a picture, in ${app.picture.apart ? 'a worker' : 'the page'}`,
          `page          ${(turns / seconds).toFixed(0)} turns /s`,
          `frames        ${(arrived / seconds).toFixed(0)} /s by ${app.link.shared ? 'shared memory' : 'messages'}`,
          `long tasks    ${longTasks} over 50 ms, longest ${longest.toFixed(0)} ms`,
        ].join('\n')
      }
      box.dataset['longTasks'] = String(longTasks)
      box.dataset['longest'] = longest.toFixed(0)
      simulated = t
      since = now
      turns = 0
      arrived = 0
    },
  }
}

function describe(timings: ViewTimings | undefined): string {
  if (!timings) return ''
  return `sharpness ${timings.sharpness}${timings.shadows ? '' : ', no shadows'}`
}
