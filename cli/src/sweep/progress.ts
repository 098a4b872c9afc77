/**
 * How far a sweep is: a bar on a terminal, else a line every few seconds once it takes long.
 */
import { type Output, short } from '../output.js'

export interface Progress {
  /** jobs with a row, and how many of them failed */
  update(done: number, failed: number): void
  /** Takes the bar away. */
  end(): void
}

/** milliseconds between bars; where there is no terminal, before the first line and between lines */
const pulse = 100
const long = 20_000
const pause = 5000

export function createProgress(output: Output, total: number, before: number): Progress {
  const live = process.stderr.isTTY === true
  const begin = performance.now()
  let next = begin + (live ? pulse : long)
  return {
    update(done, failed) {
      const now = performance.now()
      if (now < next) return
      next = now + (live ? pulse : pause)
      const text = describeProgress(done, failed, total, (done - before) / ((now - begin) / 1000))
      if (live) output.progress(`${bar(done / total)} ${text}`)
      else output.note(`limber: ${text}`)
    },
    end: () => output.progress(''),
  }
}

/** `37 of 100 jobs, 2 failed, 12.3 a second, 5 s left`. */
export function describeProgress(done: number, failed: number, total: number, rate: number): string {
  const left = rate > 0 ? `, ${Number(rate.toPrecision(3))} a second, ${duration((total - done) / rate)} left` : ''
  return `${done} of ${total} jobs${failed > 0 ? `, ${failed} failed` : ''}${left}`
}

export function duration(seconds: number): string {
  if (seconds < 100) return `${short(Math.ceil(seconds))} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function bar(share: number): string {
  const width = 30
  const full = Math.floor(width * share)
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${String(Math.floor(100 * share)).padStart(3)} %`
}
