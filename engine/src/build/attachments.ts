/**
 * Springs, tendons, loads and actuators of the Spec → arrays of the Model. Rest lengths that are not given are measured afterwards,
 * in `buildModel`, when the kinematics can run.
 */

import {
  ACTUATOR_JOINT,
  ACTUATOR_SITE,
  ACTUATOR_TENDON,
  type Actuators,
  type Loads,
  MUSCLE_SIZE,
  type Springs,
  type Tendons,
  WRAP_CYLINDER,
  WRAP_SPHERE,
} from '../model/model.js'
import { quatToMatrix } from '../printed/arrays.js'
import type { BuiltJoints } from './joints.js'
import { buildMovingLoads } from './moving-loads.js'
import { muscleNumbers } from './muscles.js'
import type { Problems } from './problems.js'
import { bodyNumber, point } from './references.js'
import { collectSites, type PlacedSite } from './sites.js'
import { createSoftness, type Softness, setSoftness } from './softness.js'
import type { Spec } from './spec.js'
import type { BodyTree } from './tree.js'

/** Marks a rest length that the builder must measure. */
export const UNMEASURED = Number.NaN

export function buildSprings(spec: Spec, tree: BodyTree, problems: Problems): Springs {
  const list = spec.springs ?? []
  const n = list.length
  const built = {
    count: n,
    names: list.map((s, k) => s.name ?? `spring${k}`),
    bodyA: new Int32Array(n),
    bodyB: new Int32Array(n),
    pointA: new Float64Array(3 * n),
    pointB: new Float64Array(3 * n),
    stiffness: new Float64Array(n),
    damping: new Float64Array(n),
    rest: new Float64Array(n),
  }
  list.forEach((s, k) => {
    const path = `springs/${k}`
    const a = point(tree, `${path}/a`, s.a, problems)
    const b = point(tree, `${path}/b`, s.b, problems)
    if (a.body === b.body && tree.index.has(s.a.body))
      problems.add(path, `expected two different bodies, got '${s.a.body}' twice; tie it to another body, or to 'world'`)
    built.bodyA[k] = a.body
    built.bodyB[k] = b.body
    built.pointA.set(a.x, 3 * k)
    built.pointB.set(b.x, 3 * k)
    built.stiffness[k] = problems.number(`${path}/stiffness`, s.stiffness, 'non-negative')
    built.damping[k] = problems.number(`${path}/damping`, s.damping ?? 0, 'non-negative')
    built.rest[k] = s.rest === undefined ? UNMEASURED : problems.number(`${path}/rest`, s.rest, 'non-negative')
  })
  return built
}

export function buildTendons(spec: Spec, tree: BodyTree, joints: BuiltJoints, problems: Problems): Tendons {
  const list = spec.tendons ?? []
  const n = list.length
  const pathStart = [0]
  const pathBody: number[] = []
  const pathPoint: number[] = []
  const pathWrap: number[] = []
  const wraps: Wrap[] = []
  const sites = collectSites(spec, tree)
  const dofStart = [0]
  const dofQ: number[] = []
  const dofV: number[] = []
  const dofCoefficient: number[] = []
  const low = new Float64Array(n)
  const high = new Float64Array(n)
  list.forEach((tendon, k) => {
    const at = `tendons/${k}`
    if ((tendon.path === undefined) === (tendon.joints === undefined))
      problems.add(at, "expected either 'path' or 'joints'; give the points that the tendon runs through, or the joints whose sum it is")
    tendon.path?.forEach((entry, e) => {
      pathWrap.push('geom' in entry ? wraps.length : -1)
      if ('geom' in entry) {
        const where = `${at}/path/${e}`
        const between = [tendon.path?.[e - 1], tendon.path?.[e + 1]].every((other) => other && 'body' in other)
        if (!between) problems.add(where, 'expected a point before and after the geom; a tendon goes round it from one to the other')
        const wrap = findWrap(spec, tree, sites, where, entry, problems)
        wraps.push(wrap)
        pathBody.push(wrap.body)
        pathPoint.push(0, 0, 0)
      } else if ('pulley' in entry) {
        pathBody.push(-1)
        pathPoint.push(problems.number(`${at}/path/${e}/pulley`, entry.pulley, 'positive'), 0, 0)
      } else {
        const { body, x } = point(tree, `${at}/path/${e}`, entry, problems)
        pathBody.push(body)
        pathPoint.push(...x)
      }
    })
    tendon.joints?.forEach((entry, e) => {
      const j = joints.index.get(entry.joint)
      if (j === undefined) {
        problems.add(
          `${at}/joints/${e}/joint`,
          `expected the name of a joint, got '${entry.joint}'${problems.hintAt(entry.joint, joints.index.keys())}`,
        )
        return
      }
      if (joints.joints[j].nv !== 1) {
        problems.add(
          `${at}/joints/${e}/joint`,
          `expected a joint with one degree of freedom, got ${joints.joints[j].type} '${entry.joint}'; split it into joints of one, or let the tendon run over points`,
        )
        return
      }
      dofQ.push(joints.jointQ[j])
      dofV.push(joints.jointV[j])
      dofCoefficient.push(problems.number(`${at}/joints/${e}/coefficient`, entry.coefficient))
    })
    if (tendon.armature && tendon.path?.some((entry) => 'geom' in entry))
      problems.add(`${at}/armature`, 'expected no armature on a tendon that goes round geoms; put it on the joints instead')
    pathStart.push(pathBody.length)
    dofStart.push(dofQ.length)
    const { rest } = tendon
    low[k] = rest === undefined ? UNMEASURED : problems.number(`${at}/rest`, typeof rest === 'number' ? rest : rest[0])
    high[k] = rest === undefined ? UNMEASURED : problems.number(`${at}/rest`, typeof rest === 'number' ? rest : rest[1])
    if (low[k] > high[k]) problems.add(`${at}/rest`, `expected lower ≤ upper, got ${low[k]} ${high[k]}; swap them`)
  })
  const numbers = (key: 'stiffness' | 'damping' | 'armature' | 'friction' | 'limitMargin'): Float64Array =>
    Float64Array.from(list, (tendon, k) => problems.number(`tendons/${k}/${key}`, tendon[key] ?? 0, 'non-negative'))
  const armature = numbers('armature')
  const softness = (key: 'limitSoftness' | 'frictionSoftness'): Softness => {
    const out = createSoftness(n)
    for (const [k, tendon] of list.entries()) setSoftness(out, k, tendon[key], `tendons/${k}/${key}`, problems)
    return out
  }
  const limitSoftness = softness('limitSoftness')
  const frictionSoftness = softness('frictionSoftness')
  return {
    count: n,
    names: list.map((tendon, k) => tendon.name ?? `tendon${k}`),
    pathStart: Int32Array.from(pathStart),
    pathBody: Int32Array.from(pathBody),
    pathPoint: Float64Array.from(pathPoint),
    pathWrap: Int32Array.from(pathWrap),
    wrapKind: Int32Array.from(wraps, ({ kind }) => kind),
    wrapRadius: Float64Array.from(wraps, ({ radius }) => radius),
    wrapPose: Float64Array.from(wraps.flatMap(({ pose }) => pose)),
    wrapSide: Int32Array.from(wraps, ({ side }) => side),
    wrapSidePoint: Float64Array.from(wraps.flatMap(({ sidePoint }) => sidePoint)),
    dofStart: Int32Array.from(dofStart),
    dofQ: Int32Array.from(dofQ),
    dofV: Int32Array.from(dofV),
    dofCoefficient: Float64Array.from(dofCoefficient),
    stiffness: numbers('stiffness'),
    damping: numbers('damping'),
    armature,
    armed: Int32Array.from([...armature.keys()].filter((k) => armature[k] > 0)),
    limitMargin: numbers('limitMargin'),
    limitSolref: limitSoftness.solref,
    limitSolimp: limitSoftness.solimp,
    friction: numbers('friction'),
    frictionSolref: frictionSoftness.solref,
    frictionSolimp: frictionSoftness.solimp,
    restLow: low,
    restHigh: high,
  }
}

interface Wrap {
  readonly kind: number
  readonly body: number
  readonly radius: number
  readonly pose: readonly number[]
  readonly side: number
  readonly sidePoint: readonly number[]
}

/** The geom of that name that a tendon goes round. */
function findWrap(
  spec: Spec,
  tree: BodyTree,
  sites: ReadonlyMap<string, PlacedSite>,
  path: string,
  entry: { readonly geom: string; readonly side?: string },
  problems: Problems,
): Wrap {
  const lists = [spec.world?.geoms, ...tree.bodies.map(({ spec: body }) => body.geoms)]
  const body = lists.findIndex((geoms) => geoms?.some(({ name }) => name === entry.geom))
  const geom = lists[body]?.find(({ name }) => name === entry.geom)
  const names = lists.flatMap((geoms) => geoms?.flatMap(({ name }) => name ?? []) ?? [])
  const side = entry.side === undefined ? undefined : sites.get(entry.side)
  if (entry.side !== undefined && !side)
    problems.add(`${path}/side`, `expected the name of a site, got '${entry.side}'${problems.hintAt(entry.side, sites.keys())}`)
  if (!geom) problems.add(`${path}/geom`, `expected the name of a geom, got '${entry.geom}'${problems.hintAt(entry.geom, names)}`)
  const round = geom?.shape === 'sphere' || geom?.shape === 'cylinder' ? geom : undefined
  if (geom && !round)
    problems.add(
      `${path}/geom`,
      `expected a sphere or a cylinder to go round, got the ${geom.shape} '${entry.geom}'; put one of them there`,
    )
  const pose = new Float64Array(12)
  quatToMatrix(pose, 0, Float64Array.from(geom?.quaternion ?? [1, 0, 0, 0]), 0)
  pose.set(geom?.position ?? [0, 0, 0], 9)
  return {
    kind: geom?.shape === 'cylinder' ? WRAP_CYLINDER : WRAP_SPHERE,
    body: Math.max(body, 0),
    radius: round?.radius ?? 1,
    pose: Array.from(pose),
    side: side?.body ?? -1,
    sidePoint: side?.position ?? [0, 0, 0],
  }
}

export function buildLoads(spec: Spec, tree: BodyTree, inertia: Float64Array, problems: Problems): Loads {
  const list = [...(spec.loads ?? []).entries()].filter(([, load]) => !load.moving)
  const n = list.length
  const built = {
    moving: buildMovingLoads(spec, tree, problems),
    count: n,
    body: new Int32Array(n),
    point: new Float64Array(3 * n),
    wrench: new Float64Array(6 * n),
    follows: new Int32Array(n),
  }
  for (const [at, load] of spec.loads?.entries() ?? []) {
    if ((load.body === undefined) === (load.moving === undefined))
      problems.add(
        `loads/${at}`,
        "expected exactly one of 'body' and 'moving'; give the body that is loaded, or the way of a load that travels",
      )
    if (load.moving && load.point) problems.add(`loads/${at}/point`, "expected no point beside 'moving'; leave it out, the way says where")
  }
  list.forEach(([at, load], k) => {
    const path = `loads/${at}`
    const i = load.body === undefined ? 0 : bodyNumber(tree, `${path}/body`, load.body, problems)
    const m = inertia[10 * i]
    const com = m > 0 ? [1, 2, 3].map((r) => inertia[10 * i + r] / m) : [0, 0, 0]
    built.body[k] = i
    built.point.set(problems.vector(`${path}/point`, load.point, 3, com), 3 * k)
    built.wrench.set(problems.vector(`${path}/torque`, load.torque, 3, [0, 0, 0]), 6 * k)
    built.wrench.set(problems.vector(`${path}/force`, load.force, 3, [0, 0, 0]), 6 * k + 3)
    built.follows[k] = load.frame === 'body' ? 1 : 0
  })
  return built
}

export function buildActuators(spec: Spec, tree: BodyTree, joints: BuiltJoints, tendons: Tendons, problems: Problems): Actuators {
  const list = spec.actuators ?? []
  const n = list.length
  const sites = collectSites(spec, tree)
  const open = (): Float64Array =>
    new Float64Array(2 * n).map((_, k) => (k % 2 === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY))
  const built = {
    count: n,
    names: list.map((a, k) => a.name ?? `actuator${k}`),
    kind: new Int32Array(n),
    target: new Int32Array(n),
    gear: new Float64Array(6 * n),
    site: new Float64Array(12 * n),
    gain: new Float64Array(3 * n),
    bias: new Float64Array(3 * n),
    controlRange: open(),
    forceRange: open(),
    dynamics: new Int32Array(n),
    activation: new Int32Array(n).fill(-1),
    times: new Float64Array(3 * n),
    actRange: open(),
    early: new Int32Array(n),
    pullsActive: new Int32Array(n),
    pullsPassive: new Int32Array(n),
    active: new Float64Array(MUSCLE_SIZE * n),
    passive: new Float64Array(MUSCLE_SIZE * n),
    lengthRange: new Float64Array(2 * n),
    dofRange: joints.dofRange,
    compensated: joints.compensated,
  }
  let acts = 0
  const find = (path: string, what: string, name: string, names: ReadonlyMap<string, number>): number => {
    const at = names.get(name)
    if (at === undefined) problems.add(path, `expected the name of a ${what}, got '${name}'${problems.hintAt(name, names.keys())}`)
    return at ?? 0
  }
  const tendonIndex = new Map(tendons.names.map((name, k) => [name, k]))
  const siteIndex = new Map([...sites.keys()].map((name, k) => [name, k]))
  list.forEach((a, k) => {
    const path = `actuators/${k}`
    const targets = [a.joint, a.tendon, a.site].filter((x) => x !== undefined)
    if (targets.length !== 1)
      problems.add(path, `expected exactly one of joint, tendon, site, got ${targets.length}; name what the actuator drives`)
    if (a.joint !== undefined) {
      built.kind[k] = ACTUATOR_JOINT
      built.target[k] = find(`${path}/joint`, 'joint', a.joint, joints.index)
    } else if (a.tendon !== undefined) {
      built.kind[k] = ACTUATOR_TENDON
      built.target[k] = find(`${path}/tendon`, 'tendon', a.tendon, tendonIndex)
    } else if (a.site !== undefined) {
      built.kind[k] = ACTUATOR_SITE
      find(`${path}/site`, 'site', a.site, siteIndex)
      const site = sites.get(a.site)
      built.target[k] = site?.body ?? 0
      if (site) {
        quatToMatrix(built.site, 12 * k, Float64Array.from(site.quaternion), 0)
        built.site.set(site.position, 12 * k + 9)
      }
    }
    const gear = a.gear ?? [1]
    if (gear.length > 6) problems.add(`${path}/gear`, `expected up to 6 numbers, got ${gear.length}; leave out the last`)
    built.gear.set(
      gear.slice(0, 6).map((x, g) => problems.number(`${path}/gear/${g}`, x)),
      6 * k,
    )
    built.gain.set(problems.vector(`${path}/gain`, a.gain, 3, [1, 0, 0]), 3 * k)
    built.bias.set(problems.vector(`${path}/bias`, a.bias, 3, [0, 0, 0]), 3 * k)
    for (const [key, to, range] of [
      ['controlRange', built.controlRange, a.controlRange],
      ['forceRange', built.forceRange, a.forceRange],
      ['dynamics/range', built.actRange, a.dynamics?.range],
      ['muscle/lengthRange', built.lengthRange, a.muscle?.lengthRange],
    ] as const) {
      if (!range) continue
      if (!(range[0] <= range[1])) problems.add(`${path}/${key}`, `expected lower ≤ upper, got ${range.join(' ')}; swap them`)
      to.set(range, 2 * k)
    }
    if (a.dynamics) {
      const { type, time = 1, early } = a.dynamics
      built.dynamics[k] = DYNAMICS.indexOf(type)
      if (!(built.dynamics[k] > 0))
        problems.add(
          `${path}/dynamics/type`,
          `expected one of ${DYNAMICS.slice(1).join(', ')}, got '${type}'${problems.hintAt(String(type), DYNAMICS)}`,
        )
      built.activation[k] = acts++
      built.times.set(typeof time === 'number' ? [problems.number(`${path}/dynamics/time`, time, 'non-negative'), 0, 0] : time, 3 * k)
      if (type === 'muscle' && typeof time === 'number')
        problems.add(
          `${path}/dynamics/time`,
          `expected three times of a muscle, to rise, to fall and a width, got ${time}; write 0.01 0.04 0`,
        )
      built.early[k] = early ? 1 : 0
    }
    if (a.muscle) {
      // gain and bias of a straight line give way
      if (a.muscle.active) built.gain.fill(0, 3 * k, 3 * k + 3)
      if (a.muscle.passive) built.bias.fill(0, 3 * k, 3 * k + 3)
      built.pullsActive[k] = a.muscle.active ? 1 : 0
      built.pullsPassive[k] = a.muscle.passive ? 1 : 0
      for (const key of ['active', 'passive'] as const)
        built[key].set(muscleNumbers(a.muscle[key], `${path}/muscle/${key}`, problems), MUSCLE_SIZE * k)
    }
  })
  const isDirect = (k: number): boolean =>
    list[k].joint !== undefined && joints.joints[built.target[k]]?.nv === 1 && !list[k].dynamics && !list[k].muscle
  const isSummed = (k: number): boolean => {
    const at = built.target[k]
    return list[k].tendon !== undefined && tendons.pathStart[at] === tendons.pathStart[at + 1] && !list[k].dynamics && !list[k].muscle
  }
  const numbers = Int32Array.from(list.keys())
  const direct = numbers.filter(isDirect)
  const summed = numbers.filter(isSummed)
  return Object.assign(built, {
    ranged: joints.dofRange.some((x) => Number.isFinite(x)) ? 1 : 0,
    directCount: direct.length,
    direct,
    drivenQ: direct.map((k) => joints.jointQ[built.target[k]]),
    drivenV: direct.map((k) => joints.jointV[built.target[k]]),
    summedCount: summed.length,
    summed,
    indirect: numbers.filter((k) => !isDirect(k) && !isSummed(k)),
  })
}

const DYNAMICS: readonly string[] = ['none', 'integrator', 'filter', 'filterexact', 'muscle']
