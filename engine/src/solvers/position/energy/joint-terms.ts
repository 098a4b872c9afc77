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
import { placeTable, roomFor, type Table, tableRoom, takeAll } from '../../../model/work-space.js'
import { POTENTIAL } from '../../../tree/point-inertia.js'
import type { StepProblem, Term } from './step-problem.js'

const some = (x: Vec): boolean => x.some((value) => value !== 0)

/** The velocities with a coefficient: those whose coordinates are plain numbers go to a kernel, joints of other types are listed. */
function split(m: Model, coefficient: Vec): { table: Table; curved: Int32Array } {
  const velocity: number[] = []
  const curved: number[] = []
  for (let j = 0; j < m.njoint; j++) {
    const { nv, linear } = jointTypes[m.jointType[j]]
    const own = Array.from({ length: nv }, (_, k) => m.jointV[j] + k).filter((k) => coefficient[k] !== 0)
    if (linear) velocity.push(...own)
    else if (own.length > 0) curved.push(j)
  }
  const fields = {
    count: velocity.length,
    velocity: Int32Array.from(velocity),
    coordinate: Int32Array.from(velocity, (k) => m.coordinate[k]),
    coefficient: Float64Array.from(velocity, (k) => coefficient[k]),
  }
  return { table: { name: 'CoordinateEnergy', fields, own: {} }, curved: Int32Array.from(curved) }
}

/** Numbers that the terms below take in the memory of a problem's data. */
export const jointRoom = (m: Model): number =>
  [m.stiffness, m.damping, m.armature].reduce((sum, x) => sum + tableRoom(split(m, x).table), roomFor({ rest: m.nq, ahead: m.nq }))

/** One quadratic term: joints that have a coefficient, pulled towards `rest` with coefficient / h^power. */
function quadratic(p: StepProblem, name: string, coefficient: Vec, rest: Vec, power: 0 | 1 | 2, begin?: Term['begin']): Term {
  const { m, trial, kernels } = p
  const { table, curved } = split(m, coefficient)
  const at = placeTable(p.d, table).table
  const x = new Float64Array(m.nv)
  // the second derivative of armature is in the factor already
  const adds = power < 2 ? 1 : 0
  return {
    name,
    lag: power === 0 ? 'never' : 'local',
    exact: curved.length === 0,
    conservative: true,
    moving: false,
    ...(begin ? { begin } : {}),
    add() {
      kernels.pullCoordinates(at, p.sums, rest.byteOffset, trial.q.byteOffset, power, adds)
      const h = p.h[0]
      const s = power === 0 ? 1 : power === 1 ? 1 / h : 1 / (h * h)
      let twice = 0
      for (let l = 0; l < curved.length; l++) {
        const j = curved[l]
        const type = jointTypes[m.jointType[j]]
        type.stretch(m, j, x, rest, trial.q)
        for (let k = m.jointV[j]; k < m.jointV[j] + type.nv; k++) {
          const c = s * coefficient[k]
          twice += c * x[k] * x[k]
          p.joint[k] += c * x[k]
          p.joints[k] += adds * c
        }
      }
      p.E[POTENTIAL] += 0.5 * twice
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
