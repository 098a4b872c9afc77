/**
 * Energies in the joints. `stretch` of a joint is the gradient of ½ dist(rest, q)² for every type, so each of these is an energy:
 *   springs   ½ k dist(rest, q)²
 *   dampers   d/(2h) dist(q₀, q)²                    the incremental form of −d v
 *   armature  a/(2h²) dist(q₀ ⊕ h v₀, q)²            the joint's own inertia
 *   loads     −τ · (q − q₀)
 */
import { integrate, jointTypes } from '../../../joints/index.js'
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { POTENTIAL } from '../../../tree/point-inertia.js'
import type { StepProblem, Term } from './step-problem.js'

const some = (x: Vec): boolean => x.some((value) => value !== 0)

/** One quadratic term: joints that have a coefficient, pulled towards `rest` with coefficient / h^power. */
function quadratic(m: Model, name: string, coefficient: Vec, rest: Vec, power: 0 | 1, begin?: Term['begin']): Term {
  const active: number[] = []
  for (let j = 0; j < m.njoint; j++) {
    const { nv } = jointTypes[m.jointType[j]]
    for (let k = 0; k < nv; k++) if (coefficient[m.jointV[j] + k] !== 0 && !active.includes(j)) active.push(j)
  }
  const list = Int32Array.from(active)
  const x = new Float64Array(m.nv)
  return {
    name,
    lag: power === 0 ? 'never' : 'local',
    exact: active.every((j) => jointTypes[m.jointType[j]].linear),
    conservative: true,
    moving: false,
    ...(begin ? { begin } : {}),
    add(p) {
      const s = power === 0 ? 1 : 1 / p.h[0]
      let twice = 0
      for (let l = 0; l < list.length; l++) {
        const j = list[l]
        const type = jointTypes[m.jointType[j]]
        type.stretch(m, j, x, rest, p.trial.q)
        for (let k = m.jointV[j]; k < m.jointV[j] + type.nv; k++) {
          const c = s * coefficient[k]
          twice += c * x[k] * x[k]
          p.joint[k] += c * x[k]
          p.joints[k] += c
        }
      }
      p.E[POTENTIAL] += 0.5 * twice
    },
  }
}

export function jointTerms(p: StepProblem): Term[] {
  const { m, q0 } = p
  const terms: Term[] = []
  if (some(m.stiffness)) terms.push(quadratic(m, 'joint springs', m.stiffness, m.rest, 0))
  if (some(m.damping)) terms.push(quadratic(m, 'joint dampers', m.damping, q0, 1))
  return terms
}

/** The joint's own inertia; its second derivative is in the factor already. `v0` are the velocities at the start. */
export function armatureTerm(p: StepProblem, v0: Vec): Term | undefined {
  const { m } = p
  if (!some(m.armature)) return undefined
  const ahead = new Float64Array(m.nq)
  const x = new Float64Array(m.nv)
  return {
    name: 'armature',
    lag: 'local',
    exact: Array.from(m.armature).every((a, k) => a === 0 || isLinear(m, k)),
    conservative: true,
    moving: false,
    begin() {
      ahead.set(p.q0)
      for (let k = 0; k < m.nv; k++) x[k] = p.h[0] * v0[k]
      integrate(m, ahead, x, 1)
    },
    add() {
      const s = 1 / (p.h[0] * p.h[0])
      let twice = 0
      for (let j = 0; j < m.njoint; j++) {
        const type = jointTypes[m.jointType[j]]
        type.stretch(m, j, x, ahead, p.trial.q)
        for (let k = m.jointV[j]; k < m.jointV[j] + type.nv; k++) {
          const c = s * m.armature[k]
          twice += c * x[k] * x[k]
          p.joint[k] += c * x[k]
        }
      }
      p.E[POTENTIAL] += 0.5 * twice
    },
  }
}

/** Whether velocity k belongs to a joint whose coordinates are plain numbers. */
export function isLinear(m: Model, k: number): boolean {
  for (let j = 0; j < m.njoint; j++) {
    const { linear, nv } = jointTypes[m.jointType[j]]
    if (k >= m.jointV[j] && k < m.jointV[j] + nv) return linear
  }
  return false
}

/** Joint forces from outside: −τ · (q ⊖ q₀). Exact where coordinates are plain numbers, else a force that turns with the joint. */
export function outsideTerm(p: StepProblem): Term {
  const { m, trial } = p
  return {
    name: 'joint forces',
    lag: 'never',
    exact: true,
    conservative: true,
    moving: false,
    add() {
      let work = 0
      for (let k = 0; k < m.nv; k++) {
        p.joint[k] -= trial.tau[k]
        work += trial.tau[k] * trial.v[k]
      }
      p.E[POTENTIAL] -= p.h[0] * work
    },
  }
}
