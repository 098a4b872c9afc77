/**
 * Drag as an incremental energy of a body's transform: Q = 1/(2h) tr(C ΔT N ΔTᵀ), ΔT = T − T₀ − h (0 wind), with N a
 * 4 × 4 matrix of moments and C a 3 × 3 matrix in the world, both lagged.
 *   at a point c:           N = (c;1)(c;1)ᵀ, C = R₀ P diag(slide) Pᵀ R₀ᵀ
 *   spread like the mass:   N = Mt/m,        C = R₀ diag(drag) R₀ᵀ
 *   turning about principal axes: C = 1, N = ½tr(D)1 − D of the damping matrix D
 */
import { BOX_SIZE, MEDIUM_SIZE, mediumDamping } from '../../../forces/drag.js'
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { placeTable, tableRoom } from '../../../model/work-space.js'
import { createMoments, MOMENTS } from '../../../tree/point-moments.js'
import type { StepProblem, Term } from './step-problem.js'

/** One drag: body, C (xx xy xz yy yz zz, world), N (10: second moments, first moments, zeroth). */
interface Drag {
  readonly body: number
  readonly C: Vec
  readonly N: Vec
  /** against the medium, not the world */
  readonly windy: boolean
  /** sets C and N from what is lagged: poses of the start, and the damping by the medium there */
  lag?(p: StepProblem, C: Vec, N: Vec): void
}

function dragsOf(m: Model): Drag[] {
  const drags: Drag[] = []
  const moments = createMoments(m)
  for (let i = 1; i < m.nbody; i++) {
    if (m.bodyDamping[2 * i] !== 0 || m.bodyDamping[2 * i + 1] !== 0) drags.push(...dampers(m, i))
    if (m.drag[3 * i] !== 0 || m.drag[3 * i + 1] !== 0 || m.drag[3 * i + 2] !== 0) drags.push(spread(m, i, moments))
    const b = m.medium.boxes
    const sized = b[BOX_SIZE * i + 12] + b[BOX_SIZE * i + 13] + b[BOX_SIZE * i + 14] > 0
    if (sized && (m.medium.density !== 0 || m.medium.viscosity !== 0)) drags.push(...mediumDrags(m, i))
  }
  return drags
}

const dragTable = (m: Model, drags: readonly Drag[]) =>
  ({
    name: 'DragEnergy',
    fields: {
      count: drags.length,
      body: Int32Array.from(drags, ({ body }) => body),
      windy: Int32Array.from(drags, ({ windy }) => (windy ? 1 : 0)),
      wind: m.medium.wind,
    },
    own: { C: 6 * drags.length, N: MOMENTS * drags.length },
  }) as const

/** Numbers that the term takes in the memory of a problem's data. */
export const dragRoom = (m: Model): number => tableRoom(dragTable(m, dragsOf(m)))

export function dragTerm(p: StepProblem): Term | undefined {
  const drags = dragsOf(p.m)
  if (drags.length === 0) return undefined
  const { table, C, N } = placeTable(p.d, dragTable(p.m, drags))
  const lagged = drags.map(({ lag, ...drag }, k) => {
    C.set(drag.C, 6 * k)
    N.set(drag.N, MOMENTS * k)
    return { lag, C: C.subarray(6 * k, 6 * k + 6), N: N.subarray(MOMENTS * k, MOMENTS * (k + 1)) }
  })
  return {
    name: 'drag',
    lag: 'local',
    exact: true,
    conservative: true,
    moving: false,
    begin() {
      mediumDamping(p.m, p.d)
      for (let k = 0; k < lagged.length; k++) lagged[k].lag?.(p, lagged[k].C, lagged[k].N)
    },
    add: () => p.kernels.dragBodies(table, p.sums),
  }
}

const U = new Float64Array(3)

/** C ← R₀ P diag(a, b, c) Pᵀ R₀ᵀ, P (9) at axes[e] or none. */
function setWorldMatrix(C: Vec, X: Vec, x: number, values: Vec, axes?: Vec, e = 0): void {
  C.fill(0)
  for (let axis = 0; axis < 3; axis++) {
    for (let r = 0; r < 3; r++) {
      U[r] = axes
        ? X[x + 3 * r] * axes[e + axis] + X[x + 3 * r + 1] * axes[e + 3 + axis] + X[x + 3 * r + 2] * axes[e + 6 + axis]
        : X[x + 3 * r + axis]
    }
    let k = 0
    for (let r = 0; r < 3; r++) for (let c = r; c < 3; c++) C[k++] += values[axis] * U[r] * U[c]
  }
}

function identity(s: number): Vec {
  return Float64Array.of(s, 0, 0, s, 0, s)
}

/** N of one point. */
function pointMoments(x: number, y: number, z: number): Vec {
  return Float64Array.of(x * x, x * y, x * z, y * y, y * z, z * z, x, y, z, 1)
}

/** Viscous damping at the centre of mass, the same in all directions. */
function dampers(m: Model, i: number): Drag[] {
  const inverse = m.inertia[10 * i] > 0 ? 1 / m.inertia[10 * i] : 0
  const c = [1, 2, 3].map((k) => m.inertia[10 * i + k] * inverse)
  const turn = 0.5 * m.bodyDamping[2 * i]
  return [
    { body: i, C: identity(m.bodyDamping[2 * i + 1]), N: pointMoments(c[0], c[1], c[2]), windy: false },
    { body: i, C: identity(1), N: Float64Array.of(turn, 0, 0, turn, 0, turn, 0, 0, 0, 0), windy: false },
  ]
}

/** Drag along the body's axes, spread like its mass. */
function spread(m: Model, i: number, moments: Vec): Drag {
  const mass = moments[MOMENTS * i + 9]
  const N = moments.slice(MOMENTS * i, MOMENTS * (i + 1)).map((x) => x / mass)
  const values = m.drag.slice(3 * i, 3 * i + 3)
  return { body: i, C: identity(0), N, windy: true, lag: ({ X0 }, C) => setWorldMatrix(C, X0, 12 * i, values) }
}

/** The medium of `forces/drag`: coefficients that depend on the speed are those of the start. */
function mediumDrags(m: Model, i: number): Drag[] {
  const { boxes } = m.medium
  const o = BOX_SIZE * i
  const slide = new Float64Array(3)
  return [
    {
      body: i,
      C: identity(0),
      N: pointMoments(boxes[o], boxes[o + 1], boxes[o + 2]),
      windy: true,
      lag({ X0, d }, C) {
        for (let r = 0; r < 3; r++) slide[r] = d.resistance[MEDIUM_SIZE * i + 3 + r]
        setWorldMatrix(C, X0, 12 * i, slide, boxes, o + 3)
      },
    },
    {
      body: i,
      C: identity(1),
      N: new Float64Array(MOMENTS),
      windy: false,
      // ½ tr(D) 1 − D of D = P diag(values) Pᵀ
      lag({ d: { resistance } }, _C, N) {
        const turn = MEDIUM_SIZE * i
        const half = 0.5 * (resistance[turn] + resistance[turn + 1] + resistance[turn + 2])
        let k = 0
        for (let r = 0; r < 3; r++) {
          for (let c = r; c < 3; c++) {
            N[k] = r === c ? half : 0
            for (let axis = 0; axis < 3; axis++) N[k] -= resistance[turn + axis] * boxes[o + 3 + 3 * r + axis] * boxes[o + 3 + 3 * c + axis]
            k++
          }
        }
      },
    },
  ]
}
