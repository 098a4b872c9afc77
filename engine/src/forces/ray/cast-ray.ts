/**
 * The first shape that a ray meets.
 */
import { hypot } from '../../math/own.js'
import { createData, type Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { rotate } from '../../printed/arrays.js'
import { updatePoses } from '../../tree/kinematics.js'
import { nearest } from './hit.js'
import { hitGeom } from './hit-geom.js'

export interface RayOptions {
  /** metres; what is farther away is not hit. Default: no end */
  readonly max?: number
  /** names of bodies that the ray passes through, `world` among them */
  readonly exclude?: readonly string[]
  /** true: passes through shapes that are only to look at. Default false */
  readonly touching?: boolean
}

/** Everything in the world. */
export interface RayHit {
  /** metres from the origin */
  readonly distance: number
  readonly point: readonly [number, number, number]
  /** unit vector out of the surface; of meshes and height fields towards the origin of the ray */
  readonly normal: readonly [number, number, number]
  /** name of the shape, or what it is: `box 1 of body 'crate'` */
  readonly shape: string
  readonly body: string
}

const X = new Float64Array(12)
const start = new Float64Array(3)
const direction = new Float64Array(3)
const normal = new Float64Array(3)

/**
 * `at`: a simulation, a state, or data in which `forwardKinematics` was called: for many rays at one state the cheapest. Undefined where nothing is hit.
 * The direction may have any length.
 */
export function castRay(
  model: Model,
  at: Data | Pick<State, 'q'> | { readonly state: Pick<State, 'q'> },
  origin: ArrayLike<number>,
  towards: ArrayLike<number>,
  { max = Number.POSITIVE_INFINITY, exclude = [], touching = false }: RayOptions = {},
): RayHit | undefined {
  const { geoms } = model
  const { X_WB } = posesOf(model, at)
  takeRay(origin, towards)
  const passed = exclude.length > 0 ? bodyNumbers(model, exclude) : undefined
  if (!(max >= 0)) throw new RangeError(`max: expected a distance in metres, got ${max}`)
  nearest[0] = max
  let hit = -1
  for (let k = 0; k < geoms.count; k++) {
    const body = geoms.body[k]
    if (passed?.has(body) || (touching && geoms.touching[k] < 0)) continue
    const before = nearest[0]
    hitGeom(X, X_WB, geoms, k, start, direction)
    if (nearest[0] === before) continue
    hit = k
    for (let r = 0; r < 3; r++) normal[r] = nearest[1 + r]
    rotate(normal, 0, X, 0, normal, 0)
  }
  if (hit < 0) return undefined
  const t = nearest[0]
  const length = hypot(normal[0], normal[1], normal[2]) || 1
  return {
    distance: t,
    point: [start[0] + t * direction[0], start[1] + t * direction[1], start[2] + t * direction[2]],
    normal: [normal[0] / length, normal[1] / length, normal[2] / length],
    shape: geoms.names[hit],
    body: model.bodies[geoms.body[hit]].name,
  }
}

function takeRay(origin: ArrayLike<number>, towards: ArrayLike<number>): void {
  for (let r = 0; r < 3; r++) {
    start[r] = origin[r]
    direction[r] = towards[r]
  }
  const length = hypot(direction[0], direction[1], direction[2])
  if (!(length > 0 && Number.isFinite(length + start[0] + start[1] + start[2])))
    throw new RangeError(
      `ray: expected an origin and a direction that is not zero, 3 numbers each, got ${start.join(' ')} and ${direction.join(' ')}`,
    )
  for (let r = 0; r < 3; r++) direction[r] /= length
}

function bodyNumbers({ bodies }: Model, names: readonly string[]): Set<number> {
  return new Set(
    names.map((name) => {
      const i = bodies.findIndex((body) => body.name === name)
      if (i < 0) throw new RangeError(`exclude: expected names of bodies, got '${name}'`)
      return i
    }),
  )
}

const places = new WeakMap<Model, Data>()

function posesOf(model: Model, at: Data | Pick<State, 'q'> | { readonly state: Pick<State, 'q'> }): Data {
  if ('X_WB' in at) return at
  const { q } = 'state' in at ? at.state : at
  let data = places.get(model)
  if (data === undefined) {
    data = createData(model)
    places.set(model, data)
  }
  updatePoses(model, data, q)
  return data
}
