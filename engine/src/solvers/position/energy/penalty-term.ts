/**
 * Contact as an energy of the step ([Pan and Manocha 2018] equation 9, corrected): ½ k d² for the depth d, and friction lagged,
 *   h μ k d₀ f(|P_t − P_t0|/h),   f(s) = s²/(2 slip) below the slip velocity, s − slip/2 above
 * with depth d₀ and normal of the start. The printed form, D₂ d² |v_t|² with the depth of the end, pushes along the normal and depends on h.
 */
import { contact, DEPTH, NORMAL, POINT, TOUCH_SIZE, touch } from '../../../forces/penalty.js'
import type { Fields } from '../../../kernels/tables.js'
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { POTENTIAL } from '../../../tree/point-inertia.js'
import { placeTable, tableRoom } from '../memory.js'
import type { StepProblem, Term } from './step-problem.js'

const at = new Float64Array(TOUCH_SIZE)
const t = new Float64Array(3)

const pointTable = ({ penalty: c }: Model) =>
  ({ name: 'PointEnergy', fields: c as unknown as Fields, own: { active: c.count, g: 3 * c.count, H: 6 * c.count } }) as const

/** Numbers that the term takes in the memory of a problem's data. */
export const contactRoom = (m: Model): number => tableRoom(pointTable(m))

export function contactTerm({ m, d, h: step, E, kernels, sums }: StepProblem): Term {
  const c = m.penalty
  const start = new Float64Array(TOUCH_SIZE * c.count * c.obstacles)
  const { table, active, g, H } = placeTable(d, pointTable(m))

  /** H of point k += s (1 − u uᵀ) or s u uᵀ, u at u[o …] */
  const addAcross = (k: number, s: number, u: Vec, o: number): void => {
    addAlong(k, -s, u, o)
    H[6 * k] += s
    H[6 * k + 3] += s
    H[6 * k + 5] += s
  }
  const addAlong = (k: number, s: number, u: Vec, o: number): void => {
    let e = 6 * k
    for (let r = 0; r < 3; r++) for (let q = r; q < 3; q++) H[e++] += s * u[o + r] * u[o + q]
  }

  /** Reads how point k meets an obstacle, in `at`. */
  const push = (k: number): void => {
    const depth = at[DEPTH]
    active[k] = 1
    E[POTENTIAL] += 0.5 * c.stiffness * depth * depth
    for (let r = 0; r < 3; r++) g[3 * k + r] -= c.stiffness * depth * at[NORMAL + r]
    addAlong(k, c.stiffness, at, NORMAL)
  }

  /** The same, and how it met it at start[s …]. */
  const rub = (k: number, s: number): void => {
    const h = step[0]
    const load = c.friction * c.stiffness * start[s + DEPTH]
    const n = s + NORMAL
    active[k] = 1
    for (let r = 0; r < 3; r++) t[r] = at[POINT + r] - start[s + POINT + r]
    const along = t[0] * start[n] + t[1] * start[n + 1] + t[2] * start[n + 2]
    for (let r = 0; r < 3; r++) t[r] -= along * start[n + r]
    const speed = Math.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]) / h
    const slides = speed > c.slip
    E[POTENTIAL] += h * load * (slides ? speed - 0.5 * c.slip : (0.5 * speed * speed) / c.slip)
    // f'(s)/(s h) across; while sliding nothing along the motion
    const a = load / (h * (slides ? speed : c.slip))
    for (let r = 0; r < 3; r++) g[3 * k + r] += a * t[r]
    addAcross(k, a, start, n)
    if (slides) addAlong(k, -a / (speed * speed * h * h), t, 0)
  }

  return {
    name: contact.name,
    lag: 'local',
    // the curvature of rounded obstacles is left out
    exact: true,
    conservative: true,
    moving: false,
    begin() {
      for (let k = 0; k < c.count; k++) {
        for (let o = 0; o < c.obstacles; o++) {
          touch(at, c, d, k, o)
          start.set(at, TOUCH_SIZE * (k * c.obstacles + o))
        }
      }
    },
    add() {
      active.fill(0)
      g.fill(0)
      H.fill(0)
      for (let k = 0; k < c.count; k++) {
        for (let o = 0; o < c.obstacles; o++) {
          const s = TOUCH_SIZE * (k * c.obstacles + o)
          touch(at, c, d, k, o)
          if (at[DEPTH] > 0) push(k)
          if (start[s + DEPTH] > 0 && c.friction > 0) rub(k, s)
        }
      }
      kernels.addPoints(table, sums)
    },
  }
}
