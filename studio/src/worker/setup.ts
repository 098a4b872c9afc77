/**
 * A set-up: a model with its lanes and pins. It never changes; another solver, spring or pin makes a new one, and the moments
 * of the history keep the one they belong to.
 */
import { buildModel, createResidual, type Model, type Recording, type Residual, type Spec, type State } from 'limber'
import type { Drive, Scene } from 'limber-scenes'
import type { ViewScene } from '../view/view-protocol.js'
import { createGrip, locate } from './grips.js'
import { createLane, type Lane } from './lane.js'
import type { Added, BodyInfo, BodyPoint, Grip, Kept, LaneSettings, Loaded, SpringInfo, UrdfInfo } from './protocol.js'
import { described } from './solvers.js'

export interface Source {
  readonly spec: Spec
  readonly title: string
  readonly origin: Loaded['origin']
  /** requests of the page, by their numbers */
  readonly openings?: Loaded['openings']
  /** what of the spec was added by hand */
  readonly added?: Added
  readonly others?: readonly string[]
  readonly urdf?: UrdfInfo
  /** moves the actuators */
  readonly drive?: Scene['drive']
  /** played instead of simulated */
  readonly recording?: Recording
}

export interface Setup {
  readonly epoch: number
  readonly source: Source
  readonly model: Model
  readonly settings: readonly LaneSettings[]
  readonly lanes: readonly Lane[]
  /** for each lane */
  readonly pins: readonly (readonly Grip[])[]
  readonly pinned: readonly BodyPoint[]
  readonly residual: Residual | undefined
  /** number of the keyframe it starts from, −1 for none */
  readonly start: number
  /** of each lane; none where the scene leaves the actuators alone */
  readonly drives: readonly Drive[]
}

let epochs = 0

/** Starts at the first keyframe of the model, where it has one and no other is asked for. */
export function createSetup(
  source: Source,
  settings: readonly LaneSettings[],
  model: Model = buildModel(source.spec),
  start = model.keyframes.length > 0 ? 0 : -1,
): Setup {
  const wanted = settings.length > 0 ? settings : [{}]
  const lanes = wanted.map((one) => createLane(model, one, start))
  const { drive } = source
  return {
    epoch: ++epochs,
    source,
    model,
    settings: wanted,
    lanes,
    pins: lanes.map(() => []),
    pinned: [],
    residual: createResidual(model),
    start,
    drives: drive ? lanes.map(() => drive(model)) : [],
  }
}

/** The same mechanism with more springs, and the bodies without mass that these need. */
export function withAdded(source: Source, { springs, bodies }: Added): Source {
  const { spec, added } = source
  return {
    ...source,
    spec: { ...spec, springs: [...(spec.springs ?? []), ...springs], bodies: [...spec.bodies, ...bodies] },
    added: { springs: [...(added?.springs ?? []), ...springs], bodies: [...(added?.bodies ?? []), ...bodies] },
  }
}

/** What is kept of a set-up beside its state, for another worker. */
export function describeKept({
  epoch,
  settings,
  start,
  source,
  pinned,
  pins,
}: Setup): Omit<Kept, 'driving' | 't' | 'frame' | 'snapshots' | 'contacts'> {
  return { epoch, settings, start, added: source.added ?? { springs: [], bodies: [] }, pinned, pins }
}

/** The set-up of another worker, with the bits that its simulations had. */
export function restoreSetup(source: Source, { epoch, settings, start, added, pinned, pins, snapshots }: Kept): Setup {
  // the page tells set-ups apart by their numbers
  epochs = Math.max(epochs, epoch)
  const setup = createSetup(withAdded(source, added), settings, undefined, start)
  for (const [k, bytes] of snapshots.entries()) setup.lanes[k].simulation.restore(bytes)
  return { ...setup, pinned, pins }
}

/** Lets the new lanes go on where the old ones are; a lane that is new starts where the first one is. */
export function carryOver(to: Setup, from: Setup): Setup {
  for (const [k, lane] of to.lanes.entries()) {
    const { t, q, v, control } = (from.lanes[k] ?? from.lanes[0]).simulation.state
    lane.simulation.reset({ t, q, v, control })
  }
  return withPins(to, from.pinned)
}

/** The same simulations with these points held where they are. */
export function withPins(setup: Setup, pinned: readonly BodyPoint[]): Setup {
  const pins = setup.lanes.map(({ simulation, data }, k) =>
    pinned.map((at) => {
      const known = setup.pins[k]?.find((grip) => grip.body === at.body && grip.point.every((x, r) => x === at.point[r]))
      return known ?? createPin(setup.model, data, simulation.state, at, simulation.timestep)
    }),
  )
  return { ...setup, epoch: ++epochs, pins, pinned }
}

function createPin(model: Model, data: Lane['data'], state: State, at: BodyPoint, h: number): Grip {
  const grip = createGrip(model, data, state, at, [0, 0, 0], h, 4)
  grip.target = locate(model, data, state.q, at)
  return grip
}

/** What the page needs to know of a set-up. */
export function describeSetup(setup: Setup): Omit<Loaded, 'type' | 'fresh' | 'ring' | 'frameSize'> {
  const { model, source, lanes } = setup
  return {
    name: source.spec.name ?? model.name,
    title: source.title,
    origin: source.origin,
    openings: source.openings ?? [],
    bodies: listBodies(model),
    joints: model.joints.map(({ name, type, body, iq, nq, iv, nv }) => ({ name, type, body, iq, nq, iv, nv })),
    lanes: lanes.map(({ info }) => info),
    refusals: Object.fromEntries(Object.values(described).map((solver) => [solver.name, solver.refuses(model)])),
    nq: model.nq,
    nv: model.nv,
    hasConstraints: setup.residual !== undefined,
    ignored: source.spec.ignored ?? [],
    notes: model.notes,
    others: source.others ?? [],
    ...(source.urdf ? { urdf: source.urdf } : {}),
    pins: setup.pinned.length,
    start: model.keyframes[setup.start]?.name ?? '',
    springs: model.springs.count,
    actuators: model.nu,
    epoch: setup.epoch,
  }
}

/** What the view needs to draw it. */
export function describeForView({
  model,
  source,
  lanes,
  pinned,
  epoch,
}: Setup): Omit<ViewScene, 'type' | 'fresh' | 'spec' | 'ring' | 'first'> {
  const boxes = model.medium.boxes.slice(0, 15 * model.nbody)
  const lost = (source.spec.ignored ?? []).some(({ why }) => /\bnot found\b/.test(why))
  const { modes } = model
  const modeStart = Array.from(modes.row, (n) => (n < 0 ? -1 : modes.start[n]))
  const shown = { modes: modes.count, modeStart, springs: listSprings(model), pins: pinned }
  return { epoch, bodies: listBodies(model), boxes, lost, lanes: lanes.length, ...shown }
}

function listBodies({ bodies, parent, inertia }: Model): BodyInfo[] {
  return bodies.map(({ name }, i) => ({ name, parent: parent[i], mass: inertia[10 * i] }))
}

function listSprings({ springs }: Model): SpringInfo[] {
  const at = (body: Int32Array, point: Float64Array, k: number): BodyPoint => ({
    body: body[k],
    point: [point[3 * k], point[3 * k + 1], point[3 * k + 2]],
  })
  return Array.from({ length: springs.count }, (_, k) => ({
    a: at(springs.bodyA, springs.pointA, k),
    b: at(springs.bodyB, springs.pointB, k),
    stiffness: springs.stiffness[k],
    rest: springs.rest[k],
  }))
}
