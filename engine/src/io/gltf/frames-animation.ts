/**
 * The animation of `animation.ts` from frames that may be too many for memory: read twice, once to see what moves, once to write it.
 */
import { hypot } from '../../math/own.js'
import { type ByteSink, type FrameSource, rowBlocks, rowLayout } from '../trajectory/frames.js'
import { STILL } from './animation.js'
import type { GlbFile } from './glb-file.js'

interface Track {
  readonly node: number
  /** number in the recording */
  readonly body: number
}

interface Weights {
  readonly node: number
  readonly iq: number
  readonly count: number
  readonly scale: number
}

export interface FramesAnimation {
  readonly animation: object
  /** writes the numbers; the binary chunk begins at `data` */
  write(sink: ByteSink, data: number): void
}

/** Numbers of one channel in the frame at hand. */
interface Channel {
  readonly node: number
  readonly path: 'translation' | 'rotation' | 'weights'
  readonly width: number
  readonly first: Float64Array
  readonly now: Float64Array
  /** takes the frame at row o into `now` */
  take(rows: Float64Array, o: number): void
  moves: boolean
  at: number
}

/** Finds what moves and makes room for it. */
export function planAnimation(
  glb: GlbFile,
  source: FrameSource,
  tracks: readonly Track[],
  weights: readonly Weights[],
): FramesAnimation | undefined {
  const { iPose, iQ, stride } = rowLayout(source.model)
  const channels = [
    ...tracks.flatMap(({ node, body }) => [translation(node, iPose + 7 * body), rotation(node, iPose + 7 * body + 3)]),
    ...weights.map((weight) => weightsOf(weight, iQ)),
  ]
  const isGood = (rows: Float64Array, o: number): boolean =>
    tracks.every(({ body }) => isFinite(rows, o + iPose + 7 * body, 7)) &&
    weights.every(({ iq, count, scale }) => isFinite(rows, o + iQ + iq, count, scale))

  /** The frames whose times rise and whose poses are numbers, in sequence. */
  function* frames(): Generator<{ readonly k: number; readonly seconds: number; readonly last: boolean }> {
    let start = Number.NaN
    let before = Number.NEGATIVE_INFINITY
    let k = 0
    for (const channel of channels) channel.now.fill(0)
    for (const channel of channels) if (channel.path === 'rotation') channel.now[3] = 1
    for (const { count, rows } of rowBlocks(source)) {
      for (let f = 0; f < count; f++) {
        const o = f * stride
        const seconds = rows[o] - (k === 0 ? rows[o] : start)
        if (!(Math.fround(seconds) > before) || !isGood(rows, o)) continue
        if (k === 0) start = rows[o]
        before = Math.fround(seconds)
        for (const channel of channels) channel.take(rows, o)
        yield { k: k++, seconds, last: false }
      }
      yield { k, seconds: 0, last: true }
    }
  }

  let count = 0
  let end = 0
  for (const { k, seconds, last } of frames()) {
    if (last) continue
    count++
    end = Math.fround(seconds)
    for (const channel of channels) {
      const { now, first, path } = channel
      if (k === 0 && path !== 'weights') first.set(now)
      if (!channel.moves) channel.moves = now.some((x, i) => Math.abs(x - first[i]) > STILL)
    }
  }
  const moving = channels.filter(({ moves }) => moves)
  if (moving.length === 0) return undefined

  const input = glb.addSpace(count, 'SCALAR', { min: [0], max: [end] })
  const samplers: object[] = []
  for (const channel of moving) {
    const { path, width } = channel
    const numbers = path === 'weights' ? count * width : count
    const { accessor, at } = glb.addSpace(numbers, path === 'weights' ? 'SCALAR' : path === 'rotation' ? 'VEC4' : 'VEC3')
    channel.at = at
    samplers.push({ input: input.accessor, output: accessor, interpolation: 'LINEAR' })
  }
  return {
    animation: {
      name: source.model.name || 'recording',
      samplers,
      channels: moving.map(({ node, path }, sampler) => ({ sampler, target: { node, path } })),
    },
    write(sink, data) {
      // a block of the frames at a time, so that a channel is written in few pieces
      const times = createPiece(sink, data + input.at)
      const pieces = moving.map(({ at }) => createPiece(sink, data + at))
      for (const { seconds, last } of frames()) {
        if (last) for (const piece of [times, ...pieces]) piece.flush()
        else {
          times.add([seconds])
          for (const [c, { now }] of moving.entries()) pieces[c].add(now)
        }
      }
    },
  }
}

function translation(node: number, from: number): Channel {
  const now = new Float64Array(3)
  const take = (rows: Float64Array, o: number): void => {
    for (let k = 0; k < 3; k++) now[k] = rows[o + from + k]
  }
  return { node, path: 'translation', width: 3, first: new Float64Array(3), now, take, moves: false, at: 0 }
}

/** x y z w of unit length, within a right angle of the one before. */
function rotation(node: number, from: number): Channel {
  const now = new Float64Array(4)
  const take = (rows: Float64Array, o: number): void => {
    const [w, x, y, z] = rows.subarray(o + from, o + from + 4)
    const n = hypot(w, x, y, z)
    const s = (now[0] * x + now[1] * y + now[2] * z + now[3] * w < 0 ? -1 : 1) / n
    if (n > 0) now.set([s * x, s * y, s * z, s * w])
  }
  return { node, path: 'rotation', width: 4, first: new Float64Array(4), now, take, moves: false, at: 0 }
}

function weightsOf({ node, iq, count, scale }: Weights, iQ: number): Channel {
  const now = new Float64Array(count)
  const take = (rows: Float64Array, o: number): void => {
    for (let l = 0; l < count; l++) now[l] = rows[o + iQ + iq + l] / scale
  }
  return { node, path: 'weights', width: count, first: new Float64Array(count), now, take, moves: false, at: 0 }
}

/** Gathers numbers of one channel, as float32. */
function createPiece(sink: ByteSink, at: number): { add(values: ArrayLike<number>): void; flush(): void } {
  let buffer = new Float32Array(256)
  let length = 0
  let to = at
  return {
    add(values) {
      if (length + values.length > buffer.length) {
        const larger = new Float32Array(2 * (length + values.length))
        larger.set(buffer)
        buffer = larger
      }
      buffer.set(values, length)
      length += values.length
    },
    flush() {
      if (length > 0) sink.write(new Uint8Array(buffer.buffer, 0, 4 * length), to)
      to += 4 * length
      length = 0
    },
  }
}

function isFinite(rows: Float64Array, o: number, count: number, scale = 1): boolean {
  // above float32's range there is nothing left to draw
  for (let k = 0; k < count; k++) if (!(Math.abs(rows[o + k] / scale) < 1e30)) return false
  return true
}
