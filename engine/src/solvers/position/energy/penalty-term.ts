/**
 * Contact as an energy of the step (equation 9 of Pan and Manocha 2018, corrected): ½ k d² for the depth d, and friction lagged,
 *   h μ k d₀ f(|P_t − P_t0|/h),   f(s) = s²/(2 slip) below the slip velocity, s − slip/2 above
 * with depth d₀ and normal of the start. The printed form, D₂ d² |v_t|² with the depth of the end, pushes along the normal and depends on h.
 */
import { contact, DEPTH, NORMAL, POINT, TOUCH_SIZE, touch } from '../../../forces/penalty.js'
import { rotateBack } from '../../../math/vec3.js'
import { addPointGradient, addPointHessian, turnMatrix } from './body-sums.js'
import { POTENTIAL } from './inertial.js'
import type { StepProblem, Term } from './step-problem.js'

const at = new Float64Array(TOUCH_SIZE)
const g = new Float64Array(3)
const gb = new Float64Array(3)
const t = new Float64Array(3)
const H = new Float64Array(9)
const Hb = new Float64Array(9)

export function contactTerm({ m }: StepProblem): Term {
  const c = m.penalty
  const start = new Float64Array(TOUCH_SIZE * c.count * c.obstacles)
  return {
    name: contact.name,
    lag: 'local',
    // the curvature of rounded obstacles is left out
    exact: true,
    conservative: true,
    moving: false,
    begin({ d }) {
      for (let k = 0; k < c.count; k++) {
        for (let o = 0; o < c.obstacles; o++) {
          touch(at, c, d, k, o)
          const s = TOUCH_SIZE * (k * c.obstacles + o)
          for (let r = 0; r < TOUCH_SIZE; r++) start[s + r] = at[r]
        }
      }
    },
    add(p) {
      const { d } = p
      const h = p.h[0]
      let sum = 0
      for (let k = 0; k < c.count; k++) {
        for (let o = 0; o < c.obstacles; o++) {
          const s = TOUCH_SIZE * (k * c.obstacles + o)
          touch(at, c, d, k, o)
          const depth = at[DEPTH]
          const load = c.friction * c.stiffness * start[s + DEPTH]
          if (depth <= 0 && !(load > 0)) continue
          g.fill(0)
          H.fill(0)
          if (depth > 0) {
            sum += 0.5 * c.stiffness * depth * depth
            for (let r = 0; r < 3; r++) {
              g[r] = -c.stiffness * depth * at[NORMAL + r]
              for (let q = 0; q < 3; q++) H[3 * r + q] = c.stiffness * at[NORMAL + r] * at[NORMAL + q]
            }
          }
          if (load > 0) {
            const n = s + NORMAL
            for (let r = 0; r < 3; r++) t[r] = at[POINT + r] - start[s + POINT + r]
            const along = t[0] * start[n] + t[1] * start[n + 1] + t[2] * start[n + 2]
            for (let r = 0; r < 3; r++) t[r] -= along * start[n + r]
            const speed = Math.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]) / h
            const slides = speed > c.slip
            sum += h * load * (slides ? speed - 0.5 * c.slip : (0.5 * speed * speed) / c.slip)
            // f'(s)/(s h) across; while sliding nothing along the motion
            const a = load / (h * (slides ? speed : c.slip))
            const b = slides ? a / (speed * speed * h * h) : 0
            for (let r = 0; r < 3; r++) {
              g[r] += a * t[r]
              for (let q = 0; q < 3; q++) H[3 * r + q] += a * ((r === q ? 1 : 0) - start[n + r] * start[n + q]) - b * t[r] * t[q]
            }
          }
          const i = c.body[k]
          rotateBack(gb, 0, d.X_WB, 12 * i, g, 0)
          addPointGradient(p.W, i, c.point, 3 * k, gb, 0)
          turnMatrix(Hb, d.X_WB, 12 * i, H)
          addPointHessian(p.bodies, i, c.point, 3 * k, Hb)
        }
      }
      p.E[POTENTIAL] += sum
    },
  }
}
