/**
 * The terms of a model's step: every force of the model in its energy form. A force that this folder does not know is taken as it is: with
 * an energy, as the gradient of that energy; without one, as a force at the velocity (q ⊖ q₀)/h, and the step becomes a root to find.
 */
import { actuators } from '../../../forces/actuators.js'
import { axisDrag } from '../../../forces/axis-drag.js'
import { bodyDamping, medium } from '../../../forces/drag.js'
import { gravity, gravityCompensation } from '../../../forces/gravity.js'
import { forcesOf } from '../../../forces/index.js'
import { jointDampers, jointSprings } from '../../../forces/joint-forces.js'
import { loads } from '../../../forces/loads.js'
import { contact } from '../../../forces/penalty.js'
import { springs } from '../../../forces/springs.js'
import { addTermBlocks, linearizeAll } from '../../../forces/stiff-rows.js'
import { tendons } from '../../../forces/tendons.js'
import type { Vec } from '../../../math/types.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import { createStiffTerms } from '../../../model/stiff-terms.js'
import { POTENTIAL } from '../../../tree/point-inertia.js'
import { dragRoom, dragTerm } from './drag-terms.js'
import { armatureTerm, jointRoom, jointTerms, outsideTerm } from './joint-terms.js'
import { contactRoom, contactTerm } from './penalty-term.js'
import { loadTerm, motorsHaveLengths, motorTerm, springRoom, springTerm, tendonTerm } from './spring-terms.js'
import type { StepProblem, Term } from './step-problem.js'

/**
 * Energy forms of the built-in forces over a step, where rates are differences; `undefined`: none in this model. They stand here and not in
 * `forces/` so that pages without this solver do not load them. A force that is not in the table is taken as it is.
 */
const none = (): undefined => undefined
const forms: ReadonlyMap<Force, (p: StepProblem) => Term | undefined> = new Map<Force, (p: StepProblem) => Term | undefined>([
  // weight comes with inertia; springs and dampers in the joints, and drag of all kinds, are terms of their own
  ...[gravity, gravityCompensation, jointSprings, jointDampers, bodyDamping, medium, axisDrag].map((force) => [force, none] as const),
  [springs, springTerm],
  [tendons, tendonTerm],
  [loads, loadTerm],
  [contact, contactTerm],
  [actuators, (p) => (motorsHaveLengths(p.m) ? motorTerm(p) : forceTerm(p, actuators))],
])

/** Numbers that the terms take in the memory of a problem's data. */
export const termsRoom = (m: Model): number => jointRoom(m) + dragRoom(m) + springRoom(m) + contactRoom(m)

/** `v0` holds the rates of the coordinates at the start. */
export function stepTerms(p: StepProblem, v0: Vec): Term[] {
  const { m } = p
  const terms: Term[] = [...jointTerms(p), outsideTerm(p)]
  const armature = armatureTerm(p, v0)
  if (armature) terms.push(armature)
  const drag = dragTerm(p)
  if (drag) terms.push(drag)
  for (const force of forcesOf(m, p.d)) {
    const form = forms.get(force)
    const term = form ? form(p) : forceTerm(p, force)
    if (term) terms.push(term)
  }
  return terms
}

/** Any force, at the velocities of the trial; of its linearisation, if it gives one, what fits the tree goes into the matrix. */
function forceTerm({ m, d: { own } }: StepProblem, force: Force): Term {
  const alone = [force]
  const terms = force.linearize ? createStiffTerms(m, own) : undefined
  const weight = new Float64Array(terms?.stiffness.length ?? 0)
  // of stiffness and damping
  const scale = Float64Array.of(1, 0)
  return {
    name: force.name,
    lag: force.energy && !force.damped ? 'never' : 'wide',
    exact: false,
    conservative: force.energy !== undefined && !force.damped,
    moving: true,
    add(p) {
      const { m, d, trial } = p
      d.f.fill(0)
      d.qf.fill(0)
      force.apply(m, d, trial)
      p.kernels.addWrenches(d.tree, p.W.byteOffset, d.f.byteOffset)
      let size = 0
      for (let k = 0; k < m.nv; k++) {
        p.joint[k] -= d.qf[k]
        size += Math.abs(d.qf[k])
      }
      if (terms) {
        linearizeAll(alone, m, d, trial, terms)
        scale[1] = 1 / p.h[0]
        addTermBlocks(terms, scale, weight, p.joints, p.bodies)
      }
      // a force that is not a number has no energy either
      p.E[POTENTIAL] += Number.isFinite(size) ? (force.energy?.(m, d, trial) ?? 0) : Number.NaN
    },
  }
}
