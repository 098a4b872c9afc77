/**
 * One glTF animation from poses over time: linear channels of translation and rotation for bodies that move, of weights for those that deform.
 *
 * Players interpolate quaternions along the shorter arc only when neighbours agree in sign, so signs are made continuous.
 * Times are float32 and must rise: frames that round to the time before are left out.
 */
import { hypot } from '../../math/own.js'
import type { GlbFile } from './glb-file.js'

export interface BodyTrack {
  readonly node: number
  /** frames × 7: position x y z, quaternion w x y z */
  readonly values: Float64Array
}

/** Weights of the morph targets of a node. */
export interface WeightTrack {
  readonly node: number
  /** of a frame */
  readonly count: number
  /** frames × count */
  readonly values: Float64Array
}

/** what moves less than this, m or rad, stands still; float32 could hardly tell */
export const STILL = 1e-7

export function animationOf(
  glb: GlbFile,
  times: Float64Array,
  tracks: readonly BodyTrack[],
  weights: readonly WeightTrack[],
  name: string,
): object | undefined {
  const all = [...tracks.map(({ values }) => ({ count: 7, values })), ...weights]
  const frames = risingFrames(times, all)
  if (frames.length === 0) return undefined
  const samplers: object[] = []
  const channels: object[] = []
  let input = -1
  const addChannel = (node: number, path: string, type: 'SCALAR' | 'VEC3' | 'VEC4', values: readonly number[]) => {
    if (input < 0) {
      const seconds = frames.map((f) => times[f] - times[frames[0]])
      input = glb.addFloats(seconds, 'SCALAR', 'animation', true)
    }
    samplers.push({ input, output: glb.addFloats(values, type, 'animation', false), interpolation: 'LINEAR' })
    channels.push({ sampler: samplers.length - 1, target: { node, path } })
  }
  for (const { node, values } of tracks) {
    const positions = frames.flatMap((f) => [values[7 * f], values[7 * f + 1], values[7 * f + 2]])
    const rotations = continuousQuaternions(values, frames)
    if (moves(positions, 3)) addChannel(node, 'translation', 'VEC3', positions)
    if (moves(rotations, 4)) addChannel(node, 'rotation', 'VEC4', rotations)
  }
  for (const { node, count, values } of weights) {
    const numbers = frames.flatMap((f) => [...values.subarray(count * f, count * (f + 1))])
    if (numbers.some((x) => Math.abs(x) > STILL)) addChannel(node, 'weights', 'SCALAR', numbers)
  }
  return channels.length > 0 ? { name: name || 'recording', samplers, channels } : undefined
}

/** Frames whose times rise and whose poses are numbers: a run that blew up ends where it did. */
function risingFrames(times: Float64Array, tracks: readonly { readonly count: number; readonly values: Float64Array }[]): number[] {
  const frames: number[] = []
  let last = Number.NEGATIVE_INFINITY
  for (let f = 0; f < times.length; f++) {
    const t = Math.fround(times[f] - times[frames[0] ?? f])
    if (!(t > last) || !tracks.every(({ count, values }) => isFinite(values, count * f, count))) continue
    frames.push(f)
    last = t
  }
  return frames
}

function isFinite(values: Float64Array, o: number, count: number): boolean {
  // above float32's range there is nothing left to draw
  for (let k = 0; k < count; k++) if (!(Math.abs(values[o + k]) < 1e30)) return false
  return true
}

/** x y z w of every frame, unit length, each within a right angle of the one before. */
function continuousQuaternions(values: Float64Array, frames: readonly number[]): number[] {
  const out: number[] = []
  let [px, py, pz, pw] = [0, 0, 0, 1]
  for (const f of frames) {
    const [w, x, y, z] = values.subarray(7 * f + 3, 7 * f + 7)
    const n = hypot(w, x, y, z)
    const s = (px * x + py * y + pz * z + pw * w < 0 ? -1 : 1) / n
    if (n > 0) [px, py, pz, pw] = [s * x, s * y, s * z, s * w]
    out.push(px, py, pz, pw)
  }
  return out
}

function moves(values: readonly number[], width: number): boolean {
  return values.some((x, i) => Math.abs(x - values[i % width]) > STILL)
}
