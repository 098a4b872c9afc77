/**
 * Geoms of a spec → flat arrays for contact: sizes, poses, bounding spheres, and which bodies may touch.
 *
 * What a geom leaves open of friction is as in MJCF, so that files mean the same.
 */
import { hypot, norm } from '../math/own.js'
import { ONE } from '../math/values/spatial.js'
import { shapeNames } from '../model/shape-name.js'
import {
  BOX,
  CAPSULE,
  type ContactPairs,
  CYLINDER,
  ELLIPSOID,
  FIELD,
  type Geoms,
  type HeightFields,
  MESH,
  PLANE,
  type Shapes,
  SPHERE,
} from '../model/shapes.js'
import { quatToMatrix } from '../printed/arrays.js'
import { convexHull, createHullBudget, type HullFailure, SIMPLIFY_HULL, TOO_MUCH_WORK } from './geometry/convex-hull.js'
import { placeSpec } from './geometry/segment.js'
import { buildFields, highest } from './height-fields.js'
import { buildHull, type Hull, packHulls } from './hulls.js'
import { rigidGroups } from './neighbours.js'
import { hintAt, type Problems } from './problems.js'
import { buildSoftFriction, createSoftness, setSoftness } from './softness.js'
import type { Spec as AnySpec, PlacedGeomSpec as GeomSpec, Ignored, MeshSpec, PlacedSpec as Spec, Vec3 } from './spec.js'
import type { BodyTree } from './tree.js'

const FRICTION: Vec3 = [1, 0.005, 0.0001]
const PAIR_FRICTION = [1, 1, 0.005, 0.0001, 0.0001]
const CONDIMS = [1, 3, 4, 6]
/** solids more than this many times larger than the middle one are kept out of the broad phase's grid */
const LARGE = 4

interface Item {
  readonly geom: GeomSpec
  readonly path: string
  /** what people call it */
  readonly label: string
  readonly body: number
}

export interface BuiltContact {
  readonly geometry: Shapes
  /** these and all others that are there to look at */
  readonly geoms: Geoms
  /** geoms that ask for contact and do not get it, with the reason */
  readonly ignored: readonly Ignored[]
}

/** Adds what is wrong with sizes, poses and exclusions to `problems`. */
export function buildShapes(
  given: AnySpec,
  tree: BodyTree,
  problems: Problems,
  meshes: ReadonlyMap<string, MeshSpec> = new Map(),
): BuiltContact {
  const spec = placeSpec(given)
  const ignored: Ignored[] = []
  const hulls = new Map<string, Hull>()
  const items = collectGeoms(spec, tree, ignored, meshes, hulls, problems)
  const n = items.length
  const geometry = {
    count: n,
    names: items.map(({ label }) => label),
    shape: Int32Array.from(items, ({ geom }) => CODES[geom.shape]),
    body: Int32Array.from(items, ({ body }) => body),
    X_BG: new Float64Array(12 * n),
    size: new Float64Array(3 * n),
    radius: new Float64Array(n),
    thin: new Float64Array(n),
    friction: Float64Array.from(items.flatMap(({ geom, path }) => frictionOf(geom, path, problems))),
    condim: Int32Array.from(items, ({ geom, path }) => condimOf(geom.condim, path, problems)),
    priority: Int32Array.from(items, ({ geom }) => geom.priority ?? 0),
    solmix: Float64Array.from(items, ({ geom, path }) => problems.number(`${path}/solmix`, geom.solmix ?? 1, 'non-negative')),
    ...createSoftness(n),
    margin: Float64Array.from(items, ({ geom, path }) => problems.number(`${path}/margin`, geom.margin ?? 0)),
    gap: Float64Array.from(items, ({ geom, path }) => problems.number(`${path}/gap`, geom.gap ?? 0)),
    category: Int32Array.from(items, ({ geom }) => bitsOf(geom, geom.category)),
    mask: Int32Array.from(items, ({ geom }) => bitsOf(geom, geom.mask)),
  }
  const all = placeGeoms(spec, tree)
  // also those that nothing touches, for rays
  const fields = buildFields(all, problems)
  const fieldOf = new Map(all.map(({ path }, k) => [path, fields.field[k]]))
  const field = Int32Array.from(items, ({ path }) => fieldOf.get(path) ?? -1)
  items.forEach(({ geom, path }, k) => {
    buildPose(geometry.X_BG, 12 * k, geom, path, problems)
    setSoftness(geometry, k, geom, path, problems)
    if (field[k] >= 0) geometry.size[3 * k + 2] = highest(fields, field[k])
    sizesOf(geom).forEach((size, r) => {
      geometry.size[3 * k + r] = problems.number(path, size, geom.shape === 'heightfield' ? 'positive' : 'non-negative')
    })
    geometry.radius[k] = radiusOf(geom.shape, geometry.size, 3 * k)
    geometry.thin[k] = thinOf(geom)
    const hull = geom.shape === 'mesh' ? hulls.get(geom.mesh) : undefined
    if (!hull) return
    // the hull stands about the middle of its box, not about the mesh's own origin
    const X = geometry.X_BG
    for (let r = 0; r < 3; r++) X[12 * k + 9 + r] += [0, 1, 2].reduce((sum, s) => sum + X[12 * k + 3 * r + s] * hull.middle[s], 0)
    geometry.size.set(hull.half, 3 * k)
    geometry.radius[k] = hull.radius
    geometry.thin[k] = hull.thin
  })

  const pairs = buildPairs(spec, items, problems)
  const isGround = (k: number): boolean => geometry.shape[k] === PLANE || geometry.shape[k] === FIELD
  const numbers = items.map((_, k) => k)
  const solids = Int32Array.from(numbers.filter((k) => !isGround(k)))
  const sorted = Float64Array.from(solids, (k) => geometry.radius[k]).sort()
  const limit = sorted.length > 0 ? LARGE * sorted[sorted.length >> 1] : 0
  const cell = sorted.reduce((most, r) => (r <= limit && 2 * r > most ? 2 * r : most), 0)
  const built: Shapes = {
    ...geometry,
    field,
    ground: Int32Array.from(numbers.filter(isGround)),
    solids,
    cell: Float64Array.of(cell > 0 ? cell : 1e-3),
    large: solids.filter((k) => 2 * geometry.radius[k] > (cell > 0 ? cell : 1e-3)),
    ...buildFilters(spec, tree, problems),
    softFriction: buildSoftFriction(spec.softFriction, problems),
    pairs,
    reach: geometry.margin.map((margin, k) => Math.max(0, margin + geometry.gap[k], ownReach(pairs, k))),
    fieldRows: fields.fieldRows,
    fieldColumns: fields.fieldColumns,
    fieldStart: fields.fieldStart,
    heights: fields.heights,
    hulls: packHulls(
      [...hulls.values()],
      Int32Array.from(items, ({ geom }) => (geom.shape === 'mesh' ? [...hulls.keys()].indexOf(geom.mesh) : -1)),
    ),
  }
  return { geometry: built, geoms: buildGeoms(all, meshes, items, fields), ignored }
}

/** Points without triangles stand for their hull, as in MJCF. */
function withFaces(mesh: MeshSpec): MeshSpec {
  if (mesh.faces.length > 0) return mesh
  const hull = convexHull(mesh.vertices)
  return 'faces' in hull ? { ...mesh, faces: hull.faces } : mesh
}

/** Every shape of the world, then of the bodies in their order. */
function placeGeoms(spec: Spec, tree: BodyTree): Item[] {
  const owners = [
    { geoms: spec.world?.geoms, name: undefined, path: 'world' },
    ...tree.bodies.map(({ spec: { geoms, name }, at }) => ({ geoms, name, path: `bodies/${at}` })),
  ]
  return owners.flatMap(({ geoms = [], name, path }, body) => {
    const labels = shapeNames(geoms, name)
    return geoms.map((geom, k) => ({ geom, body, label: geom.name || labels[k], path: `${path}/geoms/${k}` }))
  })
}

/** Sizes and poses were checked with those that touch; what else is wrong the inertias or the drawing would say. */
function buildGeoms(items: readonly Item[], meshes: ReadonlyMap<string, MeshSpec>, touching: readonly Item[], fields: HeightFields): Geoms {
  const numbers = new Map(touching.map(({ path }, k) => [path, k]))
  const used = [...new Set(items.flatMap(({ geom }) => (geom.shape === 'mesh' && meshes.has(geom.mesh) ? [geom.mesh] : [])))]
  const data = used.map((name) => withFaces(meshes.get(name) as MeshSpec))
  const starts = (sizes: readonly number[]): Int32Array => {
    const out = new Int32Array(sizes.length + 1)
    sizes.forEach((size, k) => {
      out[k + 1] = out[k] + size
    })
    return out
  }
  const joined = <A extends Float64Array | Int32Array>(out: A, start: Int32Array, lists: readonly (readonly number[])[]): A => {
    lists.forEach((list, k) => out.set(list, start[k]))
    return out
  }
  const vertexStart = starts(data.map(({ vertices }) => vertices.length))
  const faceStart = starts(data.map(({ faces }) => faces.length))
  const built = {
    count: items.length,
    names: items.map(({ label }) => label),
    shape: Int32Array.from(items, ({ geom }) => CODES[geom.shape]),
    body: Int32Array.from(items, ({ body }) => body),
    X_BG: new Float64Array(12 * items.length),
    size: new Float64Array(3 * items.length),
    touching: Int32Array.from(items, ({ path }) => numbers.get(path) ?? -1),
    visible: Int32Array.from(items, ({ geom }) => (geom.visible === false ? 0 : 1)),
    mesh: Int32Array.from(items, ({ geom }) => (geom.shape === 'mesh' ? used.indexOf(geom.mesh) : -1)),
    vertexStart,
    vertices: joined(
      new Float64Array(vertexStart[data.length]),
      vertexStart,
      data.map(({ vertices }) => vertices),
    ),
    faceStart,
    faces: joined(
      new Int32Array(faceStart[data.length]),
      faceStart,
      data.map(({ faces }) => faces),
    ),
    ...fields,
  }
  items.forEach(({ geom }, k) => {
    quatToMatrix(built.X_BG, 12 * k, Float64Array.from(geom.quaternion ?? [1, 0, 0, 0]), 0)
    built.X_BG.set(geom.position ?? [0, 0, 0], 12 * k + 9)
    built.size.set(geom.shape === 'plane' ? (geom.size ?? []).map((edge) => edge / 2) : sizesOf(geom), 3 * k)
  })
  return built
}

const CODES = {
  plane: PLANE,
  heightfield: FIELD,
  sphere: SPHERE,
  capsule: CAPSULE,
  ellipsoid: ELLIPSOID,
  cylinder: CYLINDER,
  box: BOX,
  mesh: MESH,
}

/** Also makes the hulls of the meshes among them; those that have none are left out, and said to be. */
function collectGeoms(
  spec: Spec,
  tree: BodyTree,
  ignored: Ignored[],
  meshes: ReadonlyMap<string, MeshSpec>,
  hulls: Map<string, Hull>,
  problems: Problems,
): Item[] {
  const items: Item[] = []
  const budget = createHullBudget()
  const failed = new Map<string, HullFailure>()
  const paired = new Set((spec.pairs ?? []).flatMap(({ a, b }) => [a, b]))
  const collect = (geoms: readonly GeomSpec[] = [], path: string, body: number): void => {
    const name = body === 0 ? undefined : tree.bodies[body - 1].spec.name
    const labels = shapeNames(geoms, name, (k) => spec.places?.[`${path}/geoms/${k}`])
    geoms.forEach((geom, k) => {
      if (geom.collide === false && !(geom.name && paired.has(geom.name))) return
      const at = `${path}/geoms/${k}`
      const label = labels[k]
      const mesh = geom.shape === 'mesh' ? meshes.get(geom.mesh) : undefined
      // what is missing is said elsewhere
      if (geom.shape === 'mesh' && !mesh) return
      const hull = mesh && (hulls.get(mesh.name) ?? failed.get(mesh.name) ?? buildHull(mesh.vertices, budget))
      if (mesh && hull === TOO_MUCH_WORK && !failed.has(mesh.name)) {
        problems.add(`${at}/mesh`, `mesh '${mesh.name}' has no convex hull here, ${hull}: ${SIMPLIFY_HULL}`)
      }
      if (typeof hull === 'string') {
        if (mesh) failed.set(mesh.name, hull)
        ignored.push({ path: at, what: `contact of ${label}`, why: `the mesh has no convex hull, ${hull}; add a shape with some volume` })
        return
      }
      if (mesh && hull) hulls.set(mesh.name, hull)
      if (geom.shape in CODES) items.push({ geom, path: at, label, body })
    })
  }
  collect(spec.world?.geoms, 'world', 0)
  tree.bodies.forEach(({ spec: body, at }, k) => collect(body.geoms, `bodies/${at}`, k + 1))
  return items
}

function buildPose(X: Float64Array, o: number, geom: GeomSpec, path: string, problems: Problems): void {
  const quaternion = problems.vector(`${path}/quaternion`, geom.quaternion, 4, [1, 0, 0, 0])
  X.set(ONE.flat(), o)
  if (!(norm(quaternion) > 1e-9))
    problems.add(`${path}/quaternion`, 'expected a quaternion w x y z of length one, got zero; no turn is 1 0 0 0')
  else quatToMatrix(X, o, Float64Array.from(quaternion), 0)
  X.set(problems.vector(`${path}/position`, geom.position, 3, [0, 0, 0]), o + 9)
}

function sizesOf(geom: GeomSpec): readonly number[] {
  switch (geom.shape) {
    case 'sphere':
      return [geom.radius]
    case 'capsule':
    case 'cylinder':
      return [geom.radius, geom.length / 2]
    case 'box':
      return geom.size.map((edge) => edge / 2)
    case 'ellipsoid':
      return geom.radii
    case 'heightfield':
      return [geom.size[0] / 2, geom.size[1] / 2]
    default:
      return []
  }
}

function thinOf(geom: GeomSpec): number {
  if (geom.shape === 'plane' || geom.shape === 'heightfield') return 0
  return geom.shape === 'capsule' ? geom.radius : Math.min(...sizesOf(geom))
}

function radiusOf(shape: GeomSpec['shape'], size: Float64Array, o: number): number {
  if (shape === 'sphere') return size[o]
  if (shape === 'capsule') return size[o] + size[o + 1]
  if (shape === 'cylinder') return hypot(size[o], size[o + 1])
  if (shape === 'box') return hypot(size[o], size[o + 1], size[o + 2])
  if (shape === 'ellipsoid') return Math.max(size[o], size[o + 1], size[o + 2])
  return Number.POSITIVE_INFINITY
}

function frictionOf({ friction = FRICTION }: GeomSpec, path: string, problems: Problems): readonly number[] {
  const given = typeof friction === 'number' ? [friction, ...FRICTION.slice(1)] : problems.vector(`${path}/friction`, friction, 3, FRICTION)
  return given.map((x) => problems.number(`${path}/friction`, x, 'non-negative'))
}

function condimOf(condim = 3, path: string, problems: Problems): number {
  if (!CONDIMS.includes(condim)) problems.add(`${path}/condim`, `expected one of ${CONDIMS.join(', ')}, got ${condim}; 3 is plain friction`)
  return condim
}

/** Bits of a geom: one that does not collide meets only the geoms that it is paired with, as one without bits in MJCF. */
function bitsOf({ collide }: GeomSpec, bits = 1): number {
  return collide === false ? 0 : bits
}

/** Pairs of geoms that the spec names; those of a mesh without a hull are left out with its contact. */
function buildPairs(spec: Spec, items: readonly Item[], problems: Problems): ContactPairs {
  const numbers = new Map(items.flatMap(({ geom: { name } }, k) => (name ? [[name, k] as const] : [])))
  const known = new Set([spec.world, ...spec.bodies].flatMap((owner) => (owner?.geoms ?? []).map(({ name }) => name)))
  const list = (spec.pairs ?? []).flatMap((pair, k) => {
    const [a, b] = [pair.a, pair.b].map((name) => numbers.get(name))
    for (const key of ['a', 'b'] as const) {
      if (!known.has(pair[key]))
        problems.add(`pairs/${k}/${key}`, `expected the name of a geom, got '${pair[key]}'${hintAt(String(pair[key]), numbers.keys())}`)
    }
    if (pair.a === pair.b) problems.add(`pairs/${k}/b`, `expected another geom, got '${pair.a}' again; a pair has two`)
    return a === undefined || b === undefined ? [] : [{ pair, path: `pairs/${k}`, geoms: [Math.min(a, b), Math.max(a, b)] }]
  })
  const own = items.map((_, k) => list.flatMap(({ geoms }, p) => (geoms.includes(k) ? [p] : [])))
  const start = new Int32Array(items.length + 1)
  own.forEach((pairs, k) => {
    start[k + 1] = start[k] + pairs.length
  })
  const built = {
    count: list.length,
    geom1: Int32Array.from(list, ({ geoms }) => geoms[0]),
    geom2: Int32Array.from(list, ({ geoms }) => geoms[1]),
    condim: Int32Array.from(list, ({ pair, path }) => condimOf(pair.condim, path, problems)),
    friction: Float64Array.from(
      list.flatMap(({ pair, path }) =>
        problems
          .vector(`${path}/friction`, pair.friction, 5, PAIR_FRICTION)
          .map((x) => problems.number(`${path}/friction`, x, 'non-negative')),
      ),
    ),
    ...createSoftness(list.length),
    margin: Float64Array.from(list, ({ pair, path }) => problems.number(`${path}/margin`, pair.margin ?? 0)),
    gap: Float64Array.from(list, ({ pair, path }) => problems.number(`${path}/gap`, pair.gap ?? 0)),
    start,
    list: Int32Array.from(own.flat()),
  }
  list.forEach(({ pair, path }, k) => {
    setSoftness(built, k, pair, path, problems)
  })
  return built
}

/** Half of the largest distance at which a pair of geom k is reported. */
function ownReach({ start, list, margin, gap }: ContactPairs, k: number): number {
  return list.subarray(start[k], start[k + 1]).reduce((most, p) => Math.max(most, (margin[p] + gap[p]) / 2), 0)
}

/** Rigid groups of bodies, and the pairs that the spec excludes. */
function buildFilters(
  spec: Spec,
  tree: BodyTree,
  problems: Problems,
): Pick<Shapes, 'group' | 'groupParent' | 'excludedStart' | 'excluded'> {
  const nbody = tree.bodies.length + 1
  const { group, base, parentGroup: groupParent, parentBase } = rigidGroups(tree.bodies)
  // neighbours across a joint share a number below −1 where one of them is fixed to the world
  if (spec.touchFixedParents !== true) {
    for (let i = 1; i < nbody; i++) {
      const f = group[i] === 0 ? base[i] : parentBase[i]
      if (f > 0) groupParent[i] = -1 - f
    }
  }
  const others: Set<number>[] = Array.from({ length: nbody }, () => new Set())
  spec.exclude?.forEach((pair, k) => {
    const [a, b] = pair.map((name) => tree.index.get(name))
    if (a === undefined || b === undefined) {
      problems.add(`exclude/${k}`, `expected the names of two bodies, got '${pair.join("' '")}'; check their spelling`)
      return
    }
    others[a].add(b)
    others[b].add(a)
  })
  const excludedStart = new Int32Array(nbody + 1)
  others.forEach((set, i) => {
    excludedStart[i + 1] = excludedStart[i] + set.size
  })
  return { group, groupParent, excludedStart, excluded: Int32Array.from(others.flatMap((set) => [...set].sort((x, y) => x - y))) }
}
