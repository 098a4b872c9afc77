/**
 * What a model holds and a solver does not simulate, in sentences for people: nothing is dropped in silence.
 */
import { mayTouch } from '../contact/may-touch.js'
import { mayMeet } from '../contact/reach.js'
import type { Model } from '../model/model.js'
import { PLANE } from '../model/shapes.js'
import type { Feature, Options, Solver } from './solver.js'

/** Whether the solver keeps the shapes of this model apart. */
export function holdsContact(m: Model, solver: Pick<Solver, 'holds'>, options: Options): boolean {
  return options.contact !== false && holdsFeature(m, solver, 'contact')
}

function holdsFeature(m: Model, { holds }: Pick<Solver, 'holds'>, feature: Feature): boolean {
  return (typeof holds === 'function' ? holds(m) : holds)?.includes(feature) ?? false
}

/** `instead`: the remedy, which goes on with "to have it". */
export function leftOut(
  m: Model,
  solver: Pick<Solver, 'name' | 'holds' | 'leavesOut'>,
  options: Options = {},
  instead = 'take redmax',
): string[] {
  if (solver.leavesOut) return solver.leavesOut(m, options)
  const has = (feature: Feature): boolean => holdsFeature(m, solver, feature)
  const list: string[] = []
  // the one solver that holds everything there is
  const remedy = (count: number): string => `${instead} to have ${count === 1 ? 'it' : 'them'}`
  const say = (count: number, one: string, many: string, feature: Feature): void => {
    if (count > 0 && !has(feature))
      list.push(`${count === 1 ? one : many.replace('%', String(count))}: left out by ${solver.name}; ${remedy(count)}`)
  }
  const active = m.constraints.active.reduce((sum, x) => sum + x, 0)
  say(active, '1 constraint', '% constraints', 'constraints')
  say(
    jointsWith(m, (k) => Number.isFinite(m.limits[2 * k]) || Number.isFinite(m.limits[2 * k + 1])),
    '1 joint limit',
    '% joint limits',
    'limits',
  )
  say(
    m.tendons.names.filter((_, k) => [0, 1].some((side) => Number.isFinite(m.constraints.tendonLimits[2 * k + side]))).length,
    '1 limit of a tendon',
    '% limits of tendons',
    'limits',
  )
  say(
    jointsWith(m, (k) => m.friction[k] > 0),
    'dry friction of 1 joint',
    'dry friction of % joints',
    'friction',
  )

  const penalty = m.penalty.count * m.penalty.obstacles > 0
  const shapes = mayMeet(m)
  if (shapes && !has('contact') && !(has('ground') && onlyGround(m))) {
    const except = penalty ? ` but for the penalty of \`contact\` against the world` : ''
    const bodies = has('ground') ? 'bodies' : `${m.shapes.count} shapes`
    list.push(`contact between ${bodies}: left out by ${solver.name}${except}; ${remedy(1)}`)
  }
  if (shapes && penalty && has('contact') && options.contact !== false) {
    list.push(
      `penalty of \`contact\`: ${solver.name} keeps the shapes apart by itself, with their own friction; set contact=false to have the penalty alone`,
    )
  }
  return list
}

/** True if shapes meet nothing but planes. */
function onlyGround({ shapes: g }: Model): boolean {
  for (const e of g.ground) if (g.shape[e] !== PLANE) return false
  for (let e = 0; e < g.solids.length; e++) for (let f = 0; f < e; f++) if (mayTouch(g, g.solids[f], g.solids[e])) return false
  return true
}

function jointsWith(m: Model, has: (k: number) => boolean): number {
  return m.joints.filter(({ iv, nv }) => Array.from({ length: nv }, (_, e) => iv + e).some(has)).length
}
