/**
 * Forces on bodies: springs, loads, drag, contact, and the user's own. They act on the rigid group that a body belongs to. In the free
 * mechanism they change what held nodes would do, and are not constant in the frames of the bodies: the nodes from such a body up to its front are
 * then worked out one by one, without their polynomials, the *force update region* [Redon05].
 */
import { forcesOf } from '../../forces/index.js'
import type { Data } from '../../model/data.js'
import type { Force } from '../../model/force.js'
import { ACTUATOR_SITE, type Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { createGround } from './ground.js'
import { hasMotors } from './joint-forces.js'
import { findGroup, type Region } from './region.js'
import type { AdaptiveWork } from './work.js'

export interface Outside {
  /** The region has changed: which group each body belongs to. */
  regroup(): void
  /** After a sweep: the forces on groups, those of contact at the end of a step h where it is given. */
  apply(state: State, h?: number): void
  /** After the accelerations of the groups: contact as it is at the end of the step. */
  finish(): void
  /** What held nodes with forces inside would do, after `apply`; how many nodes were looked at. */
  load(): number
}

export function createOutside(w: AdaptiveWork, region: Region, rowOf: Int32Array): Outside {
  const { model: m, d, assembly: a, lists, held, parts, kernels, state: own } = w
  const forces = forcesOf(m, d).filter((force) => !force.jointsOnly && !force.inertial)
  const bodies = pulledBodies(m, d)
  const ground = createGround(w, region)
  const inJoints = hasMotors(m, d)
  const isPulled = new Uint8Array(m.nbody)
  for (const i of bodies) isPulled[i] = 1
  lists.at.set(bodies)
  const leaves = leavesOf(w)
  const stack = new Int32Array(2 * a.depth + 2)
  const marked = new Int32Array(a.nodes)
  let marks = 0

  /** Nodes that hold this body are loaded. */
  const mark = (body: number): void => {
    for (let l = leaves.start[body]; l < leaves.start[body + 1]; l++) {
      for (let n = leaves.list[l]; n >= 0 && lists.loaded[n] === 0; n = a.whole[n]) {
        lists.loaded[n] = 1
        marked[marks++] = n
      }
    }
  }

  return {
    regroup() {
      for (let l = 0; l < bodies.length; l++) lists.row[l] = findGroup(w, region, rowOf, bodies[l], own.pose, 12 * l)
      ground.regroup(rowOf)
    },

    apply(state, h) {
      if (forces.length > 0) {
        kernels.placePulled(d.work, w.groups, w.pulled, 0, bodies.length)
        d.f.fill(0, 0, 6)
        for (let l = 0; l < bodies.length; l++) d.f.fill(0, 6 * bodies[l], 6 * bodies[l] + 6)
        if (inJoints) d.qf.fill(0)
        for (let k = 0; k < forces.length; k++) forces[k].apply(m, d, state)
        kernels.gatherPulled(d.work, w.work, w.pulled, 0, bodies.length)
      }
      ground.apply(h)
    },

    finish: ground.finish,

    load() {
      for (let k = 0; k < marks; k++) lists.loaded[marked[k]] = 0
      marks = 0
      for (let l = 0; l < bodies.length; l++) mark(bodies[l])
      ground.addForces(mark, isPulled)
      if (marks === 0) return 0
      let count = 0
      let top = 0
      for (let l = 0; l < region.fronts; l++) {
        if (lists.loaded[lists.fronts[l]] === 0) continue
        stack[top++] = lists.fronts[l]
        while (top > 0) {
          const n = stack[--top]
          lists.changed[count++] = n
          if (a.first[n] < 0) continue
          if (lists.loaded[a.second[n]] === 1) stack[top++] = a.second[n]
          if (lists.loaded[a.first[n]] === 1) stack[top++] = a.first[n]
        }
      }
      const list = lists.changed.byteOffset
      kernels.moveLoaded(d.tree, parts.table, held.table, list, 0, count)
      kernels.assembleLoaded(d.tree, d.work, parts.table, held.table, own.tau.byteOffset, 0, list, 0, count)
      return count
    },
  }
}

/** Leaves of each body: several, where it is split into pieces. */
function leavesOf({ model: m, assembly: a }: AdaptiveWork): { readonly start: Int32Array; readonly list: Int32Array } {
  const start = new Int32Array(m.nbody + 1)
  for (let n = 0; n < a.nodes; n++) if (a.body[n] > 0) start[a.body[n] + 1]++
  for (let i = 0; i < m.nbody; i++) start[i + 1] += start[i]
  const list = new Int32Array(start[m.nbody])
  const next = start.slice()
  for (let n = 0; n < a.nodes; n++) if (a.body[n] > 0) list[next[a.body[n]]++] = n
  return { start, list }
}

/** Bodies that forces other than contact with the ground may act on. */
function pulledBodies(m: Model, { own }: Data): Int32Array {
  const found = new Uint8Array(m.nbody)
  const all = own.some((force: Force) => !force.jointsOnly) || m.medium.density !== 0 || m.medium.viscosity !== 0
  if (all) found.fill(1)
  for (const list of [m.springs.bodyA, m.springs.bodyB, m.loads.body, m.loads.moving.body, m.penalty.body, m.tendons.pathBody]) {
    for (const body of list) if (body > 0) found[body] = 1
  }
  for (let k = 0; k < m.actuators.count; k++) if (m.actuators.kind[k] === ACTUATOR_SITE) found[m.actuators.target[k]] = 1
  for (let i = 1; i < m.nbody; i++) {
    const several = [m.bodyDamping[2 * i], m.bodyDamping[2 * i + 1], ...m.drag.subarray(3 * i, 3 * i + 3), m.gravityCompensation[i]]
    if (several.some((x) => x !== 0)) found[i] = 1
  }
  found[0] = 0
  return Int32Array.from(found.keys()).filter((i) => found[i] === 1)
}
