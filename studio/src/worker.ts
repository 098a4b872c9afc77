/**
 * The worker that owns the simulation: reads the model, keeps pace with the clock, sends frames.
 */
import {
  buildModel,
  createData,
  createSimulation,
  type Data,
  energy,
  forwardKinematics,
  formatProblem,
  matrixToQuat,
  type Model,
  ModelError,
  type Simulation,
  type Spec,
} from 'limber'
import { findScene } from 'limber-scenes'
import { createPacer } from './pacer.js'
import { frameInterval } from './player.js'
import type { Frame, Reply, Request } from './protocol.js'
import { readModel } from './read-model.js'

interface Running {
  readonly model: Model
  readonly data: Data
  readonly simulation: Simulation
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
    const problems = error instanceof ModelError ? error.problems.map(formatProblem) : [error instanceof Error ? error.message : String(error)]
    reply({ type: 'refused', problems })
  }
}

function answer(request: Request): void {
  switch (request.type) {
    case 'scene': {
      const scene = findScene(request.name)
      if (scene) load(scene.build(request.values), scene.title)
      return
    }
    case 'files': {
      const spec = readModel(request.files)
      return load(spec, spec.name ?? 'Model')
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

let spec: Spec = { bodies: [] }
let title = ''

function load(nextSpec: Spec, nextTitle: string): void {
  const model = buildModel(nextSpec)
  const simulation = createSimulation(model, {})
  spec = nextSpec
  title = nextTitle
  running = { model, data: createData(model), simulation }
  announce(running)
}

/** Tells the page what is there and where it stands. */
function announce({ model, data, simulation }: Running): void {
  const { t } = simulation.state
  frameDue = t
  pacer.rebase(t)
  const { ignored = [], places: _, ...shown } = spec
  reply({
    type: 'loaded',
    spec: shown,
    title,
    bodies: model.bodies.map((body) => body.name),
    nv: model.nv,
    solver: simulation.solver,
    timestep: simulation.timestep,
    remarks: [...ignored.map(({ path, what, why }) => `${path}: ${what}: ${why}`), ...model.notes],
    first: takeFrame({ model, data, simulation }),
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

function takeFrame({ model, data, simulation: { state } }: Running): Frame {
  const { kinetic, potential } = energy(model, data, state)
  forwardKinematics(model, data, state.q, state.v)
  const poses = new Float64Array(7 * model.nbody)
  for (let i = 0; i < model.nbody; i++) {
    for (let k = 0; k < 3; k++) poses[7 * i + k] = data.X_WB[12 * i + 9 + k] ?? 0
    matrixToQuat(poses, 7 * i + 3, data.X_WB, 12 * i)
  }
  return { t: state.t, poses, kinetic, potential }
}

function reply(message: Reply): void {
  postMessage(message)
}

tick()
