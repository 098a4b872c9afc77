/**
 * One step of adaptive dynamics [Redon05]. Read this file first.
 *
 * choose   now and then: what every joint would do if it were free, by divide and conquer over the active nodes and the polynomials of the
 *          held ones; what moves and accelerates most is active from now on (`select`).
 * settle   joints that are held from now on lose their velocity in the way that changes the motion least: the others get those velocities
 *          that have the same momentum. Their nodes are described anew (`held.kernel`).
 * move     the groups that the active joints move are placed and swept (`region`).
 * solve    the groups are a mechanism with the active joints only: the articulated-body method, forces in its joints taken implicitly.
 *          In the mode `truncated` the active joints take the accelerations that these forces give to the free mechanism.
 * advance  q ← q ⊕ h v of the active joints.
 *
 * Nothing in a step goes over all bodies, but for a look at the joint forces at every choice.
 */
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { loadMemory, memoryLayout } from '../memory-layout.js'
import { type BodyGroups, type Detail, resetReport, type Stepper, type StepReport } from '../solver.js'
import type { AdaptiveExtras } from './adaptive.js'
import { createJointForces } from './joint-forces.js'
import { createOutside } from './outside.js'
import { createLists, createRegion } from './region.js'
import { createSelection } from './select.js'
import { sortFirst } from './sort-first.js'
import { setWeights } from './weights.js'
import { createWork } from './work.js'

export interface AdaptiveOptions {
  readonly budget: number
  readonly threshold: number
  readonly mode: 'hybrid' | 'truncated'
  readonly weights: 'identity' | 'inertia'
  /** steps from choice to choice */
  readonly every: number
}

export interface AdaptiveReport extends StepReport {
  /** joints that move */
  active: number
  /** nodes of the assembly that the last step looked at */
  touched: number
  /** √ Σ w q̈² of the joints that are held, as if they were free, at the state as it is */
  readonly neglected: number
}

export type AdaptiveStepper = Stepper & { readonly report: Readonly<AdaptiveReport>; readonly detail: Detail }

export function createAdaptiveStepper(
  m: Model,
  options: AdaptiveOptions,
  forces: readonly Force[],
  { detail: choose, weights }: AdaptiveExtras = {},
): AdaptiveStepper {
  const { budget, threshold, mode, every } = options
  const w = createWork(m, forces)
  const { d, assembly: a, lists, held, parts, kernels, state: own, columns } = w
  const region = createRegion(w)
  const rowOf = new Int32Array(a.nodes)
  const form = createLists(w, region, rowOf)
  const outside = createOutside(w, region, rowOf)
  const selection = createSelection(w, region, options)
  const jointForces = createJointForces(w, region)
  const { dropped, opened, openings } = selection
  const bodyGroups: BodyGroups = { name: 'active region', of: new Int32Array(m.nbody).fill(-1) }
  const chooses = budget > 0 || threshold > 0
  const truncated = mode === 'truncated'
  /** of all in State.s: steps so far, so that another state is noticed; steps since the last choice; importance of trees; 1 for active nodes */
  const memory = memoryLayout({ stamp: 1, since: 1, importance: a.roots.length, active: a.nodes })
  let stamp = -1

  const addresses = {
    v: own.v.byteOffset,
    q: own.q.byteOffset,
    tau: own.tau.byteOffset,
    a: own.acceleration.byteOffset,
    h: own.h.byteOffset,
  }

  // written out: a copied record would keep its numbers boxed, which allocates in every step
  const report: AdaptiveReport = {
    status: 'ok',
    h: 0,
    steps: 0,
    rejected: 0,
    evaluations: 0,
    iterations: 0,
    joint: -1,
    active: 0,
    touched: 0,
    groups: [bodyGroups],
    get neglected() {
      return neglected()
    },
  }

  /** The region has changed. */
  const list = (): void => {
    form()
    outside.regroup()
  }
  /** Groups where they are, at their velocities, with the forces on them; those of contact at the end of a step h, where it is given. */
  const move = (state: State, h?: number): void => {
    place()
    sweep()
    outside.apply(state, h)
  }
  const place = (): void => kernels.placeGroups(d.tree, d.work, w.groups, addresses.q, 1, region.groups)
  const sweep = (): void => d.kernels.sweepTree(w.tree, w.work, addresses.v, 0, 1, region.groups)

  const eliminate = (): void => d.kernels.eliminateTree(w.tree, w.work, addresses.tau, 1, 1, region.groups)

  /** Accelerations of all active joints with every joint of the model free, and the metric of fronts. */
  const free = (): void => {
    kernels.twistGroups(d.work, held.table, w.groups, 1, region.groups)
    const [active, fronts] = [lists.active.byteOffset, lists.fronts.byteOffset]
    report.touched += outside.load()
    kernels.evaluateFronts(d.tree, parts.table, held.table, fronts, 0, region.fronts)
    kernels.assembleRegion(d.tree, d.work, parts.table, addresses.tau, active, 0, region.count)
    kernels.distributeRegion(d.tree, d.work, parts.table, own.free.byteOffset, active, 0, region.count)
    kernels.measureFronts(parts.table, held.table, fronts, 0, region.fronts)
  }

  const neglected = (): number => {
    if (!chooses || last === undefined) return 0
    synchronize(last)
    const { touched } = report
    move(last)
    refreshHeld(last)
    jointForces.explicit(last)
    free()
    report.touched = touched
    let sum = 0
    for (let l = 0; l < region.fronts; l++) {
      const n = lists.fronts[l]
      sum += held.metric[n] * selection.importance[a.treeOf[n]]
    }
    return Math.sqrt(sum)
  }
  let last: State | undefined

  /** Nodes of joints that are held, whose forces have changed, and all above them up to their fronts, are described anew. */
  const refreshHeld = (state: State): void => {
    const count = jointForces.findChanged(state, lists.changed)
    if (count === 0) return
    let end = 0
    for (let k = 0; k < count; k++) {
      for (let n = lists.changed[k]; n >= 0 && region.active[n] === 0 && queued[n] === 0; n = a.whole[n]) {
        queued[n] = 1
        pending[end++] = n
      }
    }
    sortFirst(pending, end)
    for (let k = 0; k < end; k++) {
      queued[pending[k]] = 0
      lists.changed[k] = pending[k]
    }
    describe(end)
  }
  const queued = new Uint8Array(a.nodes)
  const pending = new Int32Array(a.nodes)

  const describe = (count: number): void =>
    kernels.describeNodes(d.tree, d.work, parts.table, held.table, jointForces.held.byteOffset, lists.changed.byteOffset, 0, count)

  /** Everything from q, v and the active nodes. */
  const rebuild = (state: State): void => {
    own.q.set(state.q)
    own.v.set(state.v)
    for (let n = 0; n < a.nodes; n++) lists.changed[n] = n
    d.kernels.placeJoints(d.tree, d.work, addresses.q, 1, m.nbody)
    jointForces.holdAll(state)
    describe(a.nodes)
    list()
    for (let i = 1; i < m.nbody; i++) bodyGroups.of[i] = region.active[a.nodeOf[i]] === 1 ? 0 : -1
    report.active = region.joints
  }

  /** The work space belongs to this state. */
  const synchronize = (state: State): void => {
    last = state
    if (state.s[memory.at.stamp] === stamp && state.s === known) return
    for (let n = 0; n < a.nodes; n++) region.active[n] = state.s[memory.at.active + n]
    loadMemory(selection.importance, state.s, memory.at.importance)
    rebuild(state)
    stamp = state.s[memory.at.stamp]
    known = state.s
  }
  let known: Float64Array | undefined

  /** The state was written from outside: every joint in motion is active, and a first choice follows. */
  const enter = (state: State): void => {
    for (let n = 0; n < a.nodes; n++) region.active[n] = a.first[n] >= 0 && !chooses ? 1 : 0
    for (let tree = 0; tree < a.roots.length; tree++) if (isFloating(a.roots[tree])) region.active[a.roots[tree]] = 1
    for (let i = 1; i < m.nbody; i++) {
      for (let k = m.iv[i]; k < m.ivEnd[i]; k++)
        if (state.v[k] !== 0) for (let n = a.nodeOf[i]; n >= 0; n = a.whole[n]) region.active[n] = 1
    }
    rebuild(state)
    state.s[memory.at.stamp] += 1
    state.s[memory.at.since] = 0
    state.s.set(selection.importance, memory.at.importance)
    state.s.set(region.active, memory.at.active)
    stamp = state.s[memory.at.stamp]
    known = state.s
    last = state
  }
  const isFloating = (root: number): boolean => a.joint[root] > 0 && m.ivEnd[a.joint[root]] - m.iv[a.joint[root]] === 6

  /** Velocities of the groups' joints: those that are dropped stop, the others keep the momentum. */
  const project = (): void => {
    sweep()
    kernels.loadMomenta(w.tree, w.work, 1, region.groups)
    for (let row = 1; row < region.groups; row++) {
      const gone = dropped[a.nodeOf[lists.body[row]]] === 1
      for (let k = lists.iv[row]; k < lists.ivEnd[row]; k++) {
        own.armature[k] = gone ? Number.POSITIVE_INFINITY : m.armature[k]
        own.momentum[k] = gone ? 0 : m.armature[k] * own.v[k]
      }
    }
    // no gravity in momentum
    for (let r = 0; r < 3; r++) columns.AW[3 + r] = 0
    d.kernels.eliminateTree(w.tree, w.work, own.momentum.byteOffset, 1, 1, region.groups)
    d.kernels.accelerateTree(w.tree, w.work, addresses.v, 1, region.groups)
    for (let r = 0; r < 3; r++) columns.AW[3 + r] = -m.gravity[r]
  }

  /** What moves until the next choice, from the state after `free`. */
  const select = (state: State): void => {
    const perSecond = 1 / (every * own.h[0])
    const { groups } = region
    for (let row = 1; row < groups; row++) {
      for (let k = lists.iv[row]; k < lists.ivEnd[row]; k++) {
        const rate = perSecond * own.v[k]
        own.motion[k] = Math.sqrt(own.free[k] * own.free[k] + rate * rate)
      }
    }
    kernels.sumRegion(d.tree, parts.table, held.table, own.motion.byteOffset, lists.active.byteOffset, 0, region.count)
    gone[0] = 0
    if (!selection.choose()) return
    report.touched += 2 * openings[0]
    settle(state)
    list()
  }
  /** nodes that the last choice gave up, parts first, and how many */
  const left = new Int32Array(a.nodes)
  const gone = new Int32Array(1)

  /** Joints that are dropped are held from now on. */
  const settle = (state: State): void => {
    let count = 0
    for (let l = region.count - 1; l >= 0; l--) if (dropped[lists.active[l]] === 1) left[count++] = lists.active[l]
    gone[0] = count
    if (count === 0) return
    project()
    for (let l = 0; l < count; l++) {
      const n = left[l]
      region.active[n] = 0
      dropped[n] = 0
      const i = a.joint[n]
      for (let k = m.iv[i]; k < m.ivEnd[i]; k++) own.v[k] = 0
      jointForces.hold(state, i)
      lists.changed[l] = n
    }
    describe(count)
  }

  /** After a choice, at the end of a step that did not fail. */
  const keepChoice = (state: State): void => {
    state.s.set(selection.importance, memory.at.importance)
    for (let l = 0; l < gone[0]; l++) {
      const i = a.joint[left[l]]
      for (let k = m.iv[i]; k < m.ivEnd[i]; k++) state.v[k] = 0
      state.s[memory.at.active + left[l]] = 0
      bodyGroups.of[i] = -1
    }
    for (let l = 0; l < openings[0]; l++) {
      state.s[memory.at.active + opened[l]] = 1
      bodyGroups.of[a.joint[opened[l]]] = 0
    }
    bodyGroups.of[0] = -1
  }

  const step = (state: State, h: number): StepReport => {
    report.h = h
    if (!(h > 0 && h < Number.POSITIVE_INFINITY)) {
      report.status = 'bad-step'
      return report
    }
    synchronize(state)
    own.h[0] = h
    const choosing = chooses && state.s[memory.at.since] % every === 0
    report.touched = region.count + region.fronts
    if (choosing) {
      move(state)
      refreshHeld(state)
      jointForces.explicit(state)
      free()
      report.touched += region.count
      choose?.(detail.importance, state, detail)
      if (!isPositive(detail.importance, report)) return report
      select(state)
    }
    move(state, h)
    // solve
    jointForces.implicit(state)
    eliminate()
    if (jointForces.limit(h)) {
      move(state, h)
      eliminate()
    }
    d.kernels.accelerateTree(w.tree, w.work, addresses.a, 1, region.groups)
    const rates = truncated ? own.free : own.acceleration
    if (truncated) {
      // the forces of the groups, the accelerations of the free mechanism
      jointForces.finish()
      outside.finish()
      free()
      report.touched += region.count
    }
    report.evaluations++
    kernels.accelerateGroups(d.tree, w.groups, addresses.v, rates.byteOffset, addresses.h, own.finite.byteOffset, 1, region.groups)
    report.joint = -1
    if (own.finite[0] !== 0) {
      report.joint = firstBad(rates)
      stamp = -1
      report.status = 'diverged'
      report.rejected++
      return report
    }
    if (choosing) keepChoice(state)
    advance(state)
    state.t += h
    state.s[memory.at.since] = state.s[memory.at.since] + 1
    state.s[memory.at.stamp] = stamp + 1
    stamp += 1
    report.status = 'ok'
    report.steps++
    report.active = region.joints
    return report
  }

  const advance = (state: State): void => {
    kernels.integrateGroups(d.tree, w.groups, addresses.q, addresses.v, addresses.h, 1, region.groups)
    const { q, v } = state
    const { groups } = region
    for (let row = 1; row < groups; row++) {
      const i = lists.body[row]
      for (let k = m.iq[i]; k < m.iqEnd[i]; k++) q[k] = own.q[k]
      for (let k = lists.iv[row]; k < lists.ivEnd[row]; k++) v[k] = own.v[k]
    }
  }

  /** The joint of the first acceleration that is not finite, −1 if there is none. */
  const firstBad = (x: Float64Array): number => {
    for (let row = 1; row < region.groups; row++) {
      for (let k = lists.iv[row]; k < lists.ivEnd[row]; k++) {
        if (Math.abs(x[k]) < Number.POSITIVE_INFINITY) continue
        const i = lists.body[row]
        for (let j = m.ij[i]; j < m.ijEnd[i]; j++) if (k < m.joints[j].iv + m.joints[j].nv) return j
      }
    }
    return -1
  }

  if (weights) held.weight.set(weights)
  else setWeights(m, w, options.weights)
  const detail: Detail = { treeOf: new Int32Array(m.nbody).fill(-1), importance: selection.importance }
  for (let i = 1; i < m.nbody; i++) detail.treeOf[i] = a.treeOf[a.leafOf[i]]
  return {
    ns: memory.length,
    report,
    detail,
    init(state) {
      state.s = new Float64Array(memory.length)
      resetReport(report)
      report.touched = 0
      enter(state)
    },
    enter,
    step,
  }
}

/** False, with a message in the report, where the importance of a tree is not positive. */
function isPositive(importance: Float64Array, report: StepReport): boolean {
  for (let tree = 0; tree < importance.length; tree++) {
    if (importance[tree] > 0 && importance[tree] < Number.POSITIVE_INFINITY) continue
    report.status = 'bad-step'
    report.message = `detail: expected a positive importance of tree ${tree}, got ${importance[tree]}; take a small one for what is far away`
    return false
  }
  return true
}
