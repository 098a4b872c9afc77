/**
 * Owns the batch: makes the steps that the clock of the page asks for, and hands over where the points of the chains are. The calls are the same on a
 * GPU and in lanes, but that a GPU answers later.
 */
import { type Batch, buildModel, createBatch, type GpuBatch } from 'limber'
import { chain, pointNames } from './chains.js'
import type { Reply, Request } from './protocol.js'

const model = buildModel(chain)
/** simulated seconds of a frame at most: a slow machine shows slow motion */
const LONGEST = 1 / 20
/** how far chains begin from hanging down, rad a joint coordinate */
const SPREAD = 0.5
/** moment about the first axis of every chain in a gust, N m, and steps that it lasts */
const GUST = 0.35
const GUST_STEPS = 48
/** share of a new measurement in the rates that are shown */
const FRESH = 0.1

const reply = (message: Reply, transfer: Transferable[] = []): void => postMessage(message, { transfer })

let batch: Batch | GpuBatch | undefined
let playing = true
let starts = 0
let steps = 0
let blowing = 0
let last = 0
let rate = { steps: 0, pace: 0 }

/** what was asked for first happens first */
let before = Promise.resolve()

self.onmessage = ({ data }: MessageEvent<Request>) => {
  before = before
    .then(() => answer(data))
    .catch((error: unknown) => reply({ type: 'failed', reason: error instanceof Error ? error.message : String(error) }))
}

async function answer(request: Request): Promise<void> {
  switch (request.type) {
    case 'open':
      return open(request.count, request.device)
    case 'frame':
      return frame(request.now, request.points)
    case 'play':
      playing = request.playing
      return undefined
    case 'again':
      return again()
    case 'gust':
      return gust(GUST_STEPS)
  }
}

async function open(count: number, device: 'auto' | 'cpu'): Promise<void> {
  batch?.close()
  batch = undefined
  const threads = Math.max(1, Math.min(4, navigator.hardwareConcurrency - 1))
  const options = { count, solver: 'implicit', observe: pointNames, threads } as const
  const opened =
    device === 'auto' ? await createBatch(model, { ...options, device }) : await createBatch(model, { ...options, precision: 'f32' })
  batch = opened
  steps = 0
  last = 0
  rate = { steps: 0, pace: 0 }
  again()
  const isGpu = 'device' in opened && opened.device === 'gpu'
  const where = isGpu ? `GPU: ${opened.adapter}` : `processor: four chains an instruction${threads > 1 ? `, ${threads} threads` : ''}`
  reply({ type: 'opened', count, where, notes: device === 'auto' ? opened.warnings : [] })
}

function again(): void {
  starts++
  steps = 0
  batch?.reset(undefined, { noise: SPREAD, seed: starts })
}

/** A moment on the first joint of every chain for some steps; 0: none any more. */
function gust(lasting: number): void {
  blowing = lasting
  if (!batch) return
  const tau = new Float32Array(batch.count * model.nv)
  if (lasting > 0) for (let e = 0; e < batch.count; e++) tau[e * model.nv] = GUST
  batch.writeTau(tau)
}

async function frame(now: number, points: Float32Array<ArrayBuffer>): Promise<void> {
  const begin = performance.now()
  const elapsed = last === 0 ? 0 : now - last
  last = now
  // of a batch that is gone
  if (!batch || points.length !== batch.count * batch.observationSize) return
  const wanted = playing ? Math.round(Math.min(elapsed, LONGEST) / batch.timestep) : 0
  if (wanted > 0) {
    batch.step(wanted)
    steps += wanted
    if (blowing > 0 && (blowing -= wanted) <= 0) gust(0)
  }
  await batch.readObservations(points)
  if (wanted > 0) {
    const spent = (performance.now() - begin) / 1000
    const mix = (old: number, x: number): number => (old === 0 ? x : (1 - FRESH) * old + FRESH * x)
    rate = { steps: mix(rate.steps, (wanted * batch.count) / spent), pace: mix(rate.pace, (wanted * batch.timestep) / elapsed) }
  }
  reply({ type: 'frame', points, time: steps * batch.timestep, ...rate }, [points.buffer])
}
