/**
 * The worker that owns the simulation: reads the model, keeps pace with the clock, sends frames.
 */
import {
  buildModel,
  createData,
  createRecorder,
  createSimulation,
  type Data,
  energy,
  formatProblem,
  type Model,
  ModelError,
  type Recorder,
  type Simulation,
  type Spec,
} from 'limber'
import { findScene } from 'limber-scenes'
import { createPacer } from './pacer.js'
import { frameInterval } from './player.js'
import type { Frame, Reply, Request } from './protocol.js'
import { readModel } from './read-model.js'

interface Source {
  readonly spec: Spec
  readonly title: string
  readonly fromFile: boolean
}

interface Running {
  readonly source: Source
  readonly model: Model
  readonly data: Data
  readonly simulation: Simulation
  /** turns one state into poses */
  readonly recorder: Recorder
}

const pacer = createPacer()
let running: Running | undefined
let playing = true
let speed = 1
let frameDue = 0

self.onmessage = ({ data: request }: MessageEvent<Request>) => {
  try {
    answer(request)
  } catch (error) {
    const problems =
      error instanceof ModelError ? error.problems.map(formatProblem) : [error instanceof Error ? error.message : String(error)]
    reply({ type: 'refused', problems })
  }
}

function answer(request: Request): void {
  switch (request.type) {
    case 'scene': {
      const scene = findScene(request.name)
      if (scene) load({ spec: scene.build(request.values), title: scene.title, fromFile: false })
      return
    }
    case 'files': {
      const spec = readModel(request.files)
      return load({ spec, title: spec.name || 'Model', fromFile: true })
    }
    case 'play':
      playing = request.playing
      return pacer.rebase(running?.simulation.state.t ?? 0)
    case 'speed':
      speed = request.speed
      return pacer.setSpeed(speed, running?.simulation.state.t ?? 0)
    case 'step':
      if (running && advance(running) !== undefined) sendFrame(running)
      return
    case 'reset':
      if (!running) return
      running.simulation.reset()
      return announce(running)
  }
}

function load(source: Source): void {
  const model = buildModel(source.spec)
  const simulation = createSimulation(model)
  const bodies = model.bodies.map((body) => body.name)
  const recorder = createRecorder({ name: model.name, joints: model.joints, bodies }, { energy: false })
  running = { source, model, data: createData(model), simulation, recorder }
  announce(running)
}

/** Tells the page what is there and where it stands. */
function announce(now: Running): void {
  const { model, simulation, source } = now
  const { t } = simulation.state
  frameDue = t
  pacer.rebase(t)
  const { ignored = [], places: _, ...shown } = source.spec
  reply({
    type: 'loaded',
    spec: shown,
    title: source.title,
    fromFile: source.fromFile,
    bodies: model.bodies.map((body) => body.name),
    nv: model.nv,
    solver: simulation.solver.name,
    timestep: simulation.timestep,
    remarks: [...ignored.map(({ path, what, why }) => `${path}: ${what}: ${why}`), ...model.notes],
    first: takeFrame(now),
  })
}

/** One step; the new time, or undefined when the solver gave up. */
function advance({ simulation }: Running): number | undefined {
  simulation.step()
  const { status, message } = simulation.report
  if (status === 'ok') return simulation.state.t
  playing = false
  reply({ type: 'stopped', reason: message })
  return undefined
}

function tick(): void {
  setTimeout(tick, 4)
  const now = running
  if (!now || !playing) return
  pacer.catchUp(now.simulation.state.t, () => {
    const t = advance(now)
    if (t !== undefined && t >= frameDue) {
      sendFrame(now)
      frameDue = Math.max(frameDue, t - frameInterval * speed) + frameInterval * speed
    }
    return t
  })
}

function sendFrame(now: Running): void {
  const frame = takeFrame(now)
  postMessage({ type: 'frame', frame } satisfies Reply, { transfer: [frame.poses.buffer] })
}

function takeFrame({ model, data, recorder, simulation: { state } }: Running): Frame {
  // energy leaves the poses of this state behind
  const { kinetic, potential } = energy(model, data, state)
  recorder.clear()
  recorder.record({ t: state.t, q: state.q, v: state.v, X_WB: data.X_WB })
  return { t: state.t, poses: recorder.recording().poses ?? new Float64Array(7 * model.nbody), kinetic, potential }
}

function reply(message: Reply): void {
  postMessage(message)
}

tick()
