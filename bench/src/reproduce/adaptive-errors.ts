/**
 * How far the tip of a chain of 16 strays when not all of its joints move: against the budget, and against the threshold.
 */
import { type BodySpec, buildModel, createData, createSimulation, forwardKinematics, type Model, type Simulation, type Spec } from 'limber'
import { adaptiveReport, fullOptions } from './adaptive-chains.js'
import { type Point3, pointOf } from './skeleton.js'

const LINKS = 16
const STEP = 0.005
const SECONDS = 1

/** A chain that hangs, bent by the same angle in every joint; lengths in metres, all links of one kilogram. */
export interface ChainShape {
  readonly length: number
  /** of the centre of mass, along the link */
  readonly centre: number
  /** central, the same about all axes, kg m² */
  readonly inertia: number
  readonly angle: number
  /** of the hinges, in turn */
  readonly axes: readonly Point3[]
}

const X: Point3 = [1, 0, 0]
const Y: Point3 = [0, 1, 0]

/** Mean error of the tip over the second, of an independent program that solves the dense equations; the tip travels 3.2 m. */
export const REFERENCE = { budgets: [16, 12, 8, 5, 3], errors: [0, 0.012, 0.05, 0.21, 0.73], travel: 3.2 } as const

/** What the reference may have run, for it gives neither lengths nor masses nor a start: the first is among the nearest of about 2,500 shapes that were tried. */
export const candidates: readonly { readonly name: string; readonly shape: ChainShape }[] = [
  {
    name: 'links of 0.3 m, centre of mass at the end, 0.24 kg m², bent by 0.09 rad',
    shape: { length: 0.3, centre: 0.3, inertia: 0.24, angle: 0.09, axes: [X, Y] },
  },
  {
    name: 'links of 0.25 m, centre of mass at three quarters, 0.25 kg m², bent by 0.1 rad',
    shape: { length: 0.25, centre: 0.1875, inertia: 0.25, angle: 0.1, axes: [X, Y] },
  },
  {
    name: 'rods of 0.35 m, bent by 0.075 rad',
    shape: { length: 0.35, centre: 0.175, inertia: 0.35 ** 2 / 12, angle: 0.075, axes: [X, Y] },
  },
]

function shapeSpec({ length, centre, inertia, angle, axes }: ChainShape): Spec {
  return {
    gravity: [0, 0, -9.81],
    timestep: STEP,
    bodies: Array.from(
      { length: LINKS },
      (_, k): BodySpec => ({
        name: `link${k + 1}`,
        ...(k > 0 ? { parent: `link${k}`, position: [0, 0, -length] } : {}),
        inertia: { mass: 1, com: [0, 0, -centre], tensor: [inertia, inertia, inertia, 0, 0, 0] },
        joints: [{ type: 'revolute', axis: axes[k % axes.length], initial: angle }],
      }),
    ),
  }
}

/** Where the tip is at the start and after every step. */
function followTip(simulation: Simulation, length: number, watch = (): void => {}): Point3[] {
  const { model, state } = simulation
  const data = createData(model)
  const tip = (): Point3 => {
    forwardKinematics(model, data, state.q, state.v)
    return pointOf(data, model.nbody - 1, [0, 0, -length], 0)
  }
  const path = [tip()]
  for (let k = 0; k < Math.round(SECONDS / STEP); k++) {
    if (simulation.step().status !== 'ok') throw new Error(`the chain of ${LINKS}: ${simulation.report.message}`)
    path.push(tip())
    watch()
  }
  return path
}

const distance = (a: Point3, b: Point3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length

export interface ErrorRow {
  /** 0: none was set */
  readonly budget: number
  readonly threshold: number
  /** of the tip, in metres, over all steps: the mean distance to that of `ode` */
  readonly error: number
  /** joints that moved, in the mean */
  readonly active: number
  /** √ Σ q̈² of the held joints, in the mean */
  readonly neglected: number
}

export interface Errors {
  readonly name: string
  /** of the tip in `ode`: length of its path, and distance from the start at the end */
  readonly travel: number
  readonly displacement: number
  readonly rows: readonly ErrorRow[]
}

/** The same motion with all joints, and with fewer; a choice at every step. */
export function tipErrors(name: string, shape: ChainShape, settings: readonly Readonly<Record<string, number>>[]): Errors {
  const model: Model = buildModel(shapeSpec(shape))
  const all = followTip(createSimulation(model, fullOptions), shape.length)
  const rows = settings.map((setting): ErrorRow => {
    const simulation = createSimulation(model, { solver: 'adaptive', every: 1, ...setting })
    const active: number[] = []
    const neglected: number[] = []
    const path = followTip(simulation, shape.length, () => {
      active.push(adaptiveReport(simulation).active)
      neglected.push(adaptiveReport(simulation).neglected)
    })
    const error = mean(path.map((point, k) => distance(point, all[k])))
    return { budget: setting.budget ?? 0, threshold: setting.threshold ?? 0, error, active: mean(active), neglected: mean(neglected) }
  })
  const travel = all.slice(1).reduce((sum, point, k) => sum + distance(point, all[k]), 0)
  return { name, travel, displacement: distance(all[0], all[all.length - 1]), rows }
}

export const budgetErrors = (name: string, shape: ChainShape): Errors =>
  tipErrors(
    name,
    shape,
    REFERENCE.budgets.map((budget) => ({ budget })),
  )

/** Largest departure of an error from the reference, as a share of the reference. */
export function worstDeparture({ rows }: Errors): number {
  return Math.max(...rows.map(({ error }, k) => (REFERENCE.errors[k] > 0 ? Math.abs(error / REFERENCE.errors[k] - 1) : error)))
}
