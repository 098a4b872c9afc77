/**
 * Turns the frames that arrive from the worker, at their own pace, into smooth motion: shows the mechanism a little late and
 * interpolates between the two frames around that moment.
 */
import { header, posesAt } from '../worker/protocol.js'

const frameInterval = 1 / 60
const longest = 16

export interface Player {
  /** starts over at this frame */
  reset(first: Float64Array, lanes: number, nbody: number): void
  /** takes the frame; returns one that is no longer needed */
  push(frame: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> | undefined
  /** the frame to draw `dt` seconds of real time after the last call; valid until the next call */
  advance(dt: number, playing: boolean, speed: number): Float64Array | undefined
}

export function createPlayer(): Player {
  let frames: Float64Array[] = []
  let shown = 0
  let blend = new Float64Array(0)
  let start = 0
  let end = 0

  return {
    reset(first, lanes, nbody) {
      frames = [first]
      shown = first[header.t]
      blend = first.slice()
      start = posesAt(0, lanes, nbody)
      end = posesAt(lanes, lanes, nbody)
    },
    push(frame) {
      // going back in time leaves nothing to blend with
      if (frame[header.t] <= frames[frames.length - 1]?.[header.t]) frames = []
      frames.push(frame)
      if (frames.length <= longest) return undefined
      const old = frames.shift()
      return old?.buffer instanceof ArrayBuffer ? (old as Float64Array<ArrayBuffer>) : undefined
    },
    advance(dt, playing, speed) {
      const last = frames[frames.length - 1]
      if (!last) return undefined
      const latest = last[header.t]
      if (playing) {
        // follow the worker's clock from behind: gently while near, at once when far off
        const target = latest - 2 * frameInterval * speed
        shown += dt * speed
        shown += Math.abs(target - shown) > 0.25 * Math.max(speed, 0.1) ? target - shown : 0.08 * (target - shown)
      } else shown = latest
      shown = Math.min(Math.max(shown, frames[0][header.t]), latest)
      let k = frames.length - 1
      while (k > 0 && frames[k - 1][header.t] >= shown) k--
      const b = frames[k]
      const a = frames[Math.max(0, k - 1)]
      const part = b[header.t] > a[header.t] ? (shown - a[header.t]) / (b[header.t] - a[header.t]) : 1
      blend.set(b)
      blend[header.t] = shown
      if (part < 1) interpolate(blend, a, b, part, start, end)
      return blend
    },
  }
}

/** Positions and modes along the line, quaternions along the shorter arc (normalised blend: frames are close). */
function interpolate(out: Float64Array, a: Float64Array, b: Float64Array, part: number, start: number, end: number): void {
  for (let k = end; k < out.length; k++) out[k] = a[k] + (b[k] - a[k]) * part
  for (let i = start; i < end; i += 7) {
    for (let k = i; k < i + 3; k++) out[k] = a[k] + (b[k] - a[k]) * part
    let dot = 0
    for (let k = i + 3; k < i + 7; k++) dot += a[k] * b[k]
    const sign = dot < 0 ? -1 : 1
    let norm = 0
    for (let k = i + 3; k < i + 7; k++) {
      const value = a[k] + (sign * b[k] - a[k]) * part
      out[k] = value
      norm += value * value
    }
    const scale = 1 / Math.sqrt(norm || 1)
    for (let k = i + 3; k < i + 7; k++) out[k] *= scale
  }
}
