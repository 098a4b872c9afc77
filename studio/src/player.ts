/**
 * Turns the frames that arrive from the worker, at their own pace, into smooth motion: shows the mechanism a little late and
 * interpolates between the two frames around that moment.
 */
import type { Frame } from './protocol.js'

/** seconds of simulated time between frames at speed 1 */
export const frameInterval = 1 / 60
const longest = 12

export interface Player {
  /** starts over at this frame */
  reset(first: Frame): void
  push(frame: Frame): void
  /** poses `dt` seconds of real time after the last call; valid until the next call */
  advance(dt: number, playing: boolean, speed: number): Frame
}

export function createPlayer(): Player {
  let frames: Frame[] = []
  let shown = 0
  let blend: { t: number; poses: Float64Array; kinetic: number; potential: number } | undefined

  return {
    reset(first) {
      frames = [first]
      shown = first.t
      blend = { ...first, poses: first.poses.slice() }
    },
    push(frame) {
      frames.push(frame)
      if (frames.length > longest) frames.shift()
    },
    advance(dt, playing, speed) {
      const last = frames.at(-1)
      const first = frames[0]
      if (!last || !first || !blend) throw new Error('the player has no frame yet')
      if (playing) {
        // follow the worker's clock from behind: gently while near, at once when far off
        const target = last.t - 2 * frameInterval * speed
        shown += dt * speed
        shown += Math.abs(target - shown) > 0.25 * Math.max(speed, 0.1) ? target - shown : 0.08 * (target - shown)
      } else shown = last.t
      shown = Math.min(Math.max(shown, first.t), last.t)
      let k = frames.length - 1
      while (k > 0 && (frames[k - 1]?.t ?? 0) >= shown) k--
      const b = frames[k] ?? last
      const a = frames[k - 1] ?? b
      const part = b.t > a.t ? (shown - a.t) / (b.t - a.t) : 1
      interpolate(blend.poses, a.poses, b.poses, part)
      blend.t = shown
      blend.kinetic = b.kinetic
      blend.potential = b.potential
      return blend
    },
  }
}

/** Positions along the line, quaternions along the shorter arc (normalised blend: frames are close). */
function interpolate(out: Float64Array, a: Float64Array, b: Float64Array, part: number): void {
  for (let i = 0; i + 6 < out.length; i += 7) {
    for (let k = 0; k < 3; k++) out[i + k] = mix(a[i + k], b[i + k], part)
    let dot = 0
    for (let k = 3; k < 7; k++) dot += (a[i + k] ?? 0) * (b[i + k] ?? 0)
    const sign = dot < 0 ? -1 : 1
    let norm = 0
    for (let k = 3; k < 7; k++) {
      const value = mix(a[i + k], sign * (b[i + k] ?? 0), part)
      out[i + k] = value
      norm += value * value
    }
    const scale = 1 / Math.sqrt(norm || 1)
    for (let k = 3; k < 7; k++) out[i + k] = (out[i + k] ?? 0) * scale
  }
}

function mix(a = 0, b = 0, part = 0): number {
  return a + (b - a) * part
}
