/**
 * Energies in the joints. `stretch` of `forces/joint-forces.kernel` is the gradient of ½ dist(rest, q)², so each of these is an energy:
 *   springs   ½ k dist(rest, q)²
 *   dampers   d/(2h) dist(q₀, q)²                    the incremental form of −d v
 *   armature  a/(2h²) dist(q₀ ⊕ h v₀, q)²            the joint's own inertia
 *   loads     −τ · (q − q₀)
 */
import { stretch } from '../../../forces/joint-forces.js'
import { integrate } from '../../../joints/index.js'
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { roomFor, takeAll } from '../../../model/work-space.js'
import { POTENTIAL } from '../../../tree/point-inertia.js'
import type { StepProblem, Term } from './step-problem.js'

const some = (x: Vec): boolean => x.some((value) => value !== 0)

/** Numbers that the terms below take in the memory of a problem's data. */
export const jointRoom = (m: Model): number => 3 * roomFor({ coefficient: m.nv }) + roomFor({ rest: m.nq, ahead: m.nq })

/** One quadratic term: joints that have a coefficient, pulled towards `rest` with coefficient / h^power. */
function quadratic(p: StepProblem, name: string, given: Vec, rest: Vec, power: 0 | 1 | 2, begin?: Term['begin']): Term {
  const { m, d, trial, kernels, sums } = p
  const { coefficient } = takeAll(d, { coefficient: m.nv })
  coefficient.set(given)
  // the second derivative of armature is in the factor already
  const adds = power < 2 ? 1 : 0
  return {
    name,
    lag: power === 0 ? 'never' : 'local',
    exact: given.every((c, k) => c === 0 || m.coordinate[k] >= 0),
    conservative: true,
    moving: false,
    ...(begin ? { begin } : {}),
    add() {
      stretch(d, coefficient, rest, trial.q)
      kernels.pullTowards(d.tree, sums, d.u.byteOffset, coefficient.byteOffset, power, adds)
    },
  }
}

export function jointTerms(p: StepProblem): Term[] {
  const { m, q0 } = p
  const terms: Term[] = []
  if (some(m.stiffness)) {
    const { rest } = takeAll(p.d, { rest: m.nq })
    rest.set(m.rest)
    terms.push(quadratic(p, 'joint springs', m.stiffness, rest, 0))
  }
  if (some(m.damping)) terms.push(quadratic(p, 'joint dampers', m.damping, q0, 1))
  return terms
}

/** The joint's own inertia. `v0` are the velocities at the start. */
export function armatureTerm(p: StepProblem, v0: Vec): Term | undefined {
  const { m } = p
  if (!some(m.armature)) return undefined
  const { ahead } = takeAll(p.d, { ahead: m.nq })
  const x = new Float64Array(m.nv)
  return quadratic(p, 'armature', m.armature, ahead, 2, () => {
    ahead.set(p.q0)
    for (let k = 0; k < m.nv; k++) x[k] = p.h[0] * v0[k]
    integrate(m, ahead, x, 1)
  })
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
