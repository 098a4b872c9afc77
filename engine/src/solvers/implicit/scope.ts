/** What the ground step refuses, leaves out of a model, or does in another way: sentences for people, with the names of their things. */
import { meetingPairs } from '../../contact/reach.js'
import { builtInForces } from '../../forces/index.js'
import type { Vec } from '../../math/types.js'
import type { Force } from '../../model/force.js'
import { ACTUATOR_SITE, ACTUATOR_TENDON, type Model } from '../../model/model.js'
import { CAPSULE, ELLIPTIC, FIELD, NORMAL, PLANE, SPHERE, TANGENT } from '../../model/shapes.js'
import { candidatesOf, HULL_POINTS, hullSize } from './candidates.js'
import { isFixed, surfacesOf } from './surfaces.js'

/** null where it can run the model, else why not. */
export function refusesGround(m: Model): string | null {
  if (m.modes.count > 0) return 'it has bodies that deform; take substructuring or redmax'
  return null
}

/** Throws where there are forces of the user's own. */
export function refuseForces(forces: readonly Force[]): void {
  if (forces.length === 0) return
  const names = forces.map(({ name }) => `'${name}'`).join(', ')
  throw new RangeError(
    `forces: expected none under solver implicit, got ${names}; take redmax, or add joint forces to state.tau before each step`,
  )
}

export interface GroundScope {
  /** who leaves it out */
  readonly name: string
  /** contacts among the bodies */
  readonly self: boolean
  /** the remedy, which goes on with "to have it" */
  readonly instead?: string
}

/** What of a model the ground step does not simulate, or in another way than other solvers do. */
export function leftOutOfGround(m: Model, { name, self, instead = 'take redmax' }: GroundScope): string[] {
  const remarks = [...aboutContacts(m, self), ...aboutTendons(m), ...aboutForces(m), ...aboutActuators(m), ...aboutLaws(m)]
  return remarks.flatMap(({ what, count, how, where, remedy }) => {
    if (count === 0) return []
    const fate = how ?? `left out by ${name}${where ? `, ${where}` : ''}`
    return [`${what}: ${fate}; ${remedy ? `${remedy}, or ` : ''}${instead} to have ${count === 1 ? 'it' : 'them'}`]
  })
}

interface Remark {
  readonly what: string
  /** none: nothing is said */
  readonly count: number
  /** what happens, where it is not left out */
  readonly how?: string
  /** what there is instead */
  readonly where?: string
  /** what users may change */
  readonly remedy?: string
}

/** how many names a sentence has */
const MOST_NAMES = 3

/** `a, b, c and 2 more` */
function listed(names: readonly string[]): string {
  const some = names.slice(0, MOST_NAMES).join(', ')
  return names.length > MOST_NAMES ? `${some} and ${names.length - MOST_NAMES} more` : some
}

/** `one 'a'` or `many 'a', 'b'` */
function named(names: readonly string[], one: string, many: string): Remark {
  const quoted = names.map((name) => `'${name}'`)
  return { what: `${names.length === 1 ? one : many} ${listed(quoted)}`, count: names.length }
}

/** Contacts that are not looked for. */
function aboutContacts(m: Model, self: boolean): Remark[] {
  const { shapes: g } = m
  const surfaces = new Set(surfacesOf(m).map(({ geom }) => geom))
  const isGround = (e: number): boolean => g.shape[e] === PLANE || g.shape[e] === FIELD
  const isRound = (e: number): boolean => g.shape[e] === SPHERE || g.shape[e] === CAPSULE
  const pairs = meetingPairs(m, (i, j) => !surfaces.has(i) && !surfaces.has(j) && !(isFixed(m, i) && isFixed(m, j)))
  const still = new Set(pairs.flatMap((pair) => pair.filter((e) => isFixed(m, e))))
  const moving = pairs.filter((pair) => !pair.some((e) => isFixed(m, e)))
  const carried = new Set(moving.flatMap((pair) => pair.filter(isGround)))
  const among = self ? moving.filter((pair) => !pair.some(isGround) && !pair.every(isRound)) : []
  const names = (list: Iterable<number>): string => listed([...list].map((e) => g.names[e]))
  const couples = among.map(([a, b]) => `${g.names[a]} and ${g.names[b]}`)
  return [
    {
      what: `contact with ${names(still)}`,
      count: still.size,
      where: 'where planes and one upright height field of the world are touched',
    },
    { what: `contact with ${names(carried)}`, count: carried.size, where: 'where planes and height fields do not move' },
    {
      what: `contact between ${couples.length > 1 ? `${couples[0]}, and ${couples.length - 1} more pairs` : couples.join()}`,
      count: among.length,
      where: 'where spheres and capsules touch each other',
      remedy: 'give these bodies spheres or capsules',
    },
  ]
}

function aboutTendons({ tendons: t, constraints }: Model): Remark[] {
  const those = (has: (j: number) => boolean): string[] => t.names.filter((_, j) => has(j))
  const hasPath = (j: number): boolean => t.pathStart[j + 1] > t.pathStart[j]
  const isLimited = (j: number): boolean => [0, 1].some((side) => Number.isFinite(constraints.tendonLimits[2 * j + side]))
  const pulls = those((j) => hasPath(j) && (t.stiffness[j] !== 0 || t.damping[j] !== 0))
  return [
    named(pulls, 'spring and damper of tendon', 'springs and dampers of tendons'),
    named(those(isLimited), 'limit of tendon', 'limits of tendons'),
    named(
      those((j) => t.friction[j] > 0),
      'dry friction of tendon',
      'dry friction of tendons',
    ),
    named(
      those((j) => t.armature[j] !== 0),
      'armature of tendon',
      'armature of tendons',
    ),
  ]
}

/** forces that the step has, and those with a sentence of their own */
const HELD: ReadonlySet<string> = new Set([
  ...['gravity', 'gravity compensation', 'joint springs', 'joint dampers', 'armature of free joints', 'actuators'],
  ...['tendons', 'springs'],
])

/** Forces between bodies, and constraints. */
function aboutForces({ constraints, springs, forces }: Model): Remark[] {
  const others = [...forces].map((k) => builtInForces[k].name).filter((name) => !HELD.has(name))
  const active = constraints.names.filter((_, k) => constraints.active[k] === 1)
  return [
    named(active, 'constraint', 'constraints'),
    named(springs.names, 'spring', 'springs'),
    ...others.map((name) => ({ what: name === 'contact' ? 'penalty of `contact`' : name, count: 1 })),
  ]
}

function aboutActuators(m: Model): Remark[] {
  const { names, kind, target, pullsActive, pullsPassive, compensated } = m.actuators
  const { pathStart } = m.tendons
  const isMuscle = (n: number): boolean => pullsActive[n] === 1 || pullsPassive[n] === 1
  const onPath = (n: number): boolean => kind[n] === ACTUATOR_TENDON && pathStart[target[n] + 1] > pathStart[target[n]]
  const those = (has: (n: number) => boolean): string[] => names.filter((_, n) => has(n))
  const joints = m.joints.filter(({ iv, nv }) => compensated.subarray(iv, iv + nv).includes(1)).map(({ name }) => name)
  return [
    named(those(isMuscle), 'muscle', 'muscles'),
    named(
      those((n) => !isMuscle(n) && kind[n] === ACTUATOR_SITE),
      'actuator on a site',
      'actuators on sites',
    ),
    named(
      those((n) => !isMuscle(n) && onPath(n)),
      'actuator on a tendon with a path',
      'actuators on tendons with paths',
    ),
    {
      ...named(joints, 'gravity compensation by actuators of joint', 'gravity compensation by actuators of joints'),
      how: 'acts beside the range of their forces',
    },
  ]
}

const isHard = (solref: Vec, k: number): boolean => solref[2 * k] === 0 && solref[2 * k + 1] === 0

/** Contacts, limits and friction by another law than the model's. */
function aboutLaws(m: Model): Remark[] {
  const { shapes: g } = m
  const { pairs, softFriction } = g
  const surfaces = surfacesOf(m)
  const solids = [...g.solids].filter((e) => !isFixed(m, e))
  const names = (list: readonly number[]): string => listed(list.map((e) => g.names[e]))
  const large = solids.filter((e) => hullSize(g, e) > HULL_POINTS)
  const field = surfaces.find((surface) => surface.field >= 0)
  const pointed = field ? solids.filter((e) => g.shape[e] !== SPHERE) : []
  const hard = solids.filter((e) => isHard(g.solref, e) && surfaces.some(({ geom }) => isHard(g.solref, geom)))
  const joints = m.joints.filter(({ iv, nv }) => Array.from({ length: nv }, (_, k) => iv + k).some((k) => hasHardRow(m, k)))
  const uneven = Array.from({ length: pairs.count }, (_, p) => p).filter((p) => isUneven(pairs.friction, 5 * p, pairs.condim[p]))
  const couples = uneven.map((p) => `${g.names[pairs.geom1[p]]} and ${g.names[pairs.geom2[p]]}`)
  const isNoslip = softFriction[ELLIPTIC] === 0 && softFriction[TANGENT] < softFriction[NORMAL]
  const points = large.length > 0 ? candidatesOf(m, large[0]).length : 0
  const compliant = 'compliant, with a time constant of two steps'
  return [
    {
      what: `hulls of ${names(large)}`,
      count: large.length,
      how: `${points} of their vertices touch`,
      remedy: `cut them to ${HULL_POINTS} vertices`,
    },
    {
      what: `contact of ${names(pointed)} with ${field ? g.names[field.geom] : ''}`,
      count: pointed.length,
      how: 'corners, ends and points of rims touch, and hills between them go in',
    },
    { what: `hard contacts of ${names(hard)}`, count: hard.length, how: compliant, remedy: 'give them softness' },
    {
      ...named(
        joints.map(({ name }) => name),
        'hard limits and friction of joint',
        'hard limits and friction of joints',
      ),
      how: compliant,
    },
    {
      what: `friction by direction between ${listed(couples)}`,
      count: couples.length,
      how: 'the first coefficient counts in both directions',
    },
    { what: 'noslip_iterations with pyramids', count: isNoslip ? 1 : 0, how: 'contacts creep as without', remedy: 'take cone="elliptic"' },
  ]
}

/** Whether the limit or the dry friction of velocity k is hard. */
function hasHardRow(m: Model, k: number): boolean {
  const isLimited = Number.isFinite(m.limits[2 * k]) || Number.isFinite(m.limits[2 * k + 1])
  return (isLimited && isHard(m.limitSolref, k)) || (m.friction[k] > 0 && isHard(m.frictionSolref, k))
}

const isUneven = (friction: Vec, o: number, condim: number): boolean =>
  (condim > 1 && friction[o] !== friction[o + 1]) || (condim > 4 && friction[o + 3] !== friction[o + 4])
