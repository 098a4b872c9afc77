/** Constants of the ground step for a model. */
import type { Columns } from '../../kernels/lane-layout.js'
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'
import { ELLIPTIC, NORMAL, TANGENT } from '../../model/shapes.js'
import { FREE } from '../../model/tables.js'
import { ints, reals, starts } from './arrays.js'
import { pairColumns, touchColumns } from './contact-columns.js'
import { actuatorColumns, rowColumns, tendonColumns } from './joint-columns.js'
import { surfaceColumns, surfacesOf } from './surfaces.js'

export interface GroundSettings {
  readonly timestep: number
  /** of the residual, relative to the weight of the lightest tree */
  readonly tolerance: number
  readonly iterations: number
  /** contacts among the bodies too */
  readonly self: boolean
}

export interface GroundConstants {
  readonly columns: Columns
  /** numbers that environments may have for themselves */
  readonly parameters: Readonly<Record<'friction' | 'softness' | 'terrainOffset' | 'push', Vec>>
  /** slots of contacts with the world, all slots */
  readonly slots: number
  readonly rows: number
  readonly pairs: number
  /** spheres and capsules of the pairs */
  readonly rounds: number
  /** balls with a limit */
  readonly balls: number
  /** geoms of the world and of the body for each candidate, geoms of each pair */
  readonly touching: readonly (readonly [number, number])[]
  readonly meeting: readonly (readonly [number, number])[]
  /** what contacts are like: which of the printed steps runs */
  readonly kind: 'flat' | 'slanted' | 'full'
}

/** line searches of an iteration at most: three steps of the Illinois rule are within a few per cent of the zero */
const MAX_SEARCHES = 3
/** binary digits of a power's fraction: single precision has 24 */
const POWER_DIGITS = 30

export function groundConstants(m: Model, settings: GroundSettings): GroundConstants {
  const { timestep: h, tolerance, iterations } = settings
  const surfaces = surfacesOf(m)
  const touching = touchColumns(m, h, surfaces)
  const rows = rowColumns(m, h)
  const pairs = pairColumns(m, h, settings.self, touching.slots)
  const children = Array.from({ length: m.nbody }, () => [] as number[])
  for (let i = m.nbody - 1; i > 0; i--) children[m.parent[i]].push(i)
  const powers = [...touching.powers, ...rows.powers, ...pairs.powers]
  const isFlat = surfaces.every(({ n, field }) => field < 0 && n[0] === 0 && n[1] === 0 && n[2] === 1)
  const dims = [...touching.dims, ...pairs.dims]
  return {
    columns: {
      ...touching.columns,
      ...rows.columns,
      ...pairs.columns,
      ...surfaceColumns(m, surfaces),
      ...actuatorColumns(m, h),
      ...tendonColumns(m),
      ...{ nq: m.nq, nv: m.nv, na: m.na },
      freeBody: ints([...children.keys()].map((i) => (isFree(m, i) ? (m.parent[i] === 0 ? 1 : 2) : 0))),
      childStart: starts(children),
      child: ints(children.flat()),
      quadratic: powers.every((p) => p === 2) ? 1 : 0,
      maxPower: powers.reduce((most, p) => Math.max(most, Math.floor(p)), 0),
      powerDigits: powers.every((p) => p === Math.floor(p)) ? 0 : POWER_DIGITS,
      elliptic: m.shapes.softFriction[ELLIPTIC] === 1 ? 1 : 0,
      perImpratio: reals([m.shapes.softFriction[m.shapes.softFriction[ELLIPTIC] === 1 ? TANGENT : NORMAL]]),
      h: reals([h]),
      perStep: reals([1 / h]),
      tolerance: reals([tolerance * tolerance * residualScale(m)]),
      maxIterations: iterations,
      maxSearches: MAX_SEARCHES,
      compensated: m.gravityCompensation.some((x) => x !== 0) ? 1 : 0,
      gravityCompensation: m.gravityCompensation,
    },
    parameters: {
      friction: reals([...every(m.shapes.friction, 3, m.shapes.count), ...every(m.shapes.pairs.friction, 5, m.shapes.pairs.count)]),
      softness: reals([1]),
      terrainOffset: new Float64Array(2),
      push: new Float64Array(6 * m.nbody),
    },
    slots: touching.slots + pairs.count,
    rows: rows.count,
    pairs: pairs.count,
    rounds: pairs.rounds,
    balls: rows.balls,
    touching: touching.geoms,
    meeting: pairs.geoms,
    kind: dims.some((dim) => dim > 3) ? 'full' : isFlat ? 'flat' : 'slanted',
  }
}

/** Whether a free joint moves body i; it is then the only one. */
const isFree = ({ steps: { firstStep, stepEnd, stepKind } }: Model, i: number): boolean =>
  stepEnd[i] > firstStep[i] && stepKind[firstStep[i]] === FREE

const every = (x: Vec, stride: number, count: number): number[] => Array.from({ length: count }, (_, k) => x[stride * k])

/** M g² of the lightest tree: Σ w (λ − f)² of a residual as large as its weight. */
function residualScale(m: Model): number {
  const mass = new Float64Array(m.nbody)
  for (let i = m.nbody - 1; i > 0; i--) {
    mass[i] += m.inertia[10 * i]
    if (m.parent[i] > 0) mass[m.parent[i]] += mass[i]
  }
  const trees = Array.from({ length: m.nbody - 1 }, (_, k) => k + 1).filter((i) => m.parent[i] === 0 && mass[i] > 0)
  const lightest = trees.reduce((least, i) => Math.min(least, mass[i]), Number.POSITIVE_INFINITY)
  const [x, y, z] = m.gravity
  const square = x * x + y * y + z * z
  return (Number.isFinite(lightest) ? lightest : 1) * (square > 0 ? square : STANDARD_GRAVITY * STANDARD_GRAVITY)
}

const STANDARD_GRAVITY = 9.81
