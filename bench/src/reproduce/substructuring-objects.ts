/**
 * Objects of voxels on one grid that are cut into domains, for `reproduce substructuring`: the same object once as domains and once as a single
 * mesh without reduction.
 *
 * All parts keep the axes and the origin of the grid, so that at rest every body frame is that of the world.
 */
import {
  type BodySpec,
  createData,
  createFullMesh,
  type FullMesh,
  forwardKinematics,
  type Material,
  type Mesh,
  type Model,
  type Reduced,
  reduce,
  type Simulation,
  type Spec,
  type Triple,
  voxelGrid,
} from 'limber'

export interface Part {
  readonly name: string
  /** none: held at the lowest or first layer of the grid, `CutObject.fixed` */
  readonly parent?: string
  readonly cells: readonly Triple[]
  readonly modes: number
}

export interface CutObject {
  readonly name: string
  readonly edge: Triple
  readonly material: Material
  /** vertices in this box are held */
  readonly fixed: { readonly min: Triple; readonly max: Triple }
  /** parents first */
  readonly parts: readonly Part[]
}

/** Cells of a box from low, and up to high − 1. */
export function cellsOf(low: Triple, high: Triple): Triple[] {
  const out: Triple[] = []
  for (let k = low[2]; k < high[2]; k++) for (let j = low[1]; j < high[1]; j++) for (let i = low[0]; i < high[0]; i++) out.push([i, j, k])
  return out
}

const rubber: Material = { young: 1e6, poisson: 0.4, density: 1000 }

/** The beam of three domains whose frequencies are known: 4.5 × 0.5 × 0.5 m, 15 × 2 × 2 voxels. */
export const cantilever: CutObject = {
  name: 'cantilever of three domains',
  edge: [0.3, 0.25, 0.25],
  material: rubber,
  fixed: { min: [-1, -1, -1], max: [0, 1, 1] },
  parts: [0, 1, 2].map((k) => ({
    name: `beam${k + 1}`,
    ...(k > 0 ? { parent: `beam${k}` } : {}),
    cells: cellsOf([5 * k, 0, 0], [5 * (k + 1), 2, 2]),
    modes: 20,
  })),
}

/** A plant: a stem of two domains, a leaf to each side, a bloom on top. */
export const plant: CutObject = {
  name: 'plant of five domains',
  edge: [0.05, 0.05, 0.05],
  material: { young: 5e6, poisson: 0.4, density: 800 },
  fixed: { min: [-9, -9, -1], max: [9, 9, 0] },
  parts: [
    { name: 'stem', cells: cellsOf([0, 0, 0], [2, 2, 7]), modes: 20 },
    { name: 'stalk', parent: 'stem', cells: cellsOf([0, 0, 7], [2, 2, 13]), modes: 20 },
    { name: 'leaf', parent: 'stem', cells: cellsOf([2, 0, 4], [8, 2, 5]), modes: 20 },
    { name: 'blade', parent: 'stalk', cells: cellsOf([-6, 0, 9], [0, 2, 10]), modes: 20 },
    { name: 'bloom', parent: 'stalk', cells: cellsOf([-2, -2, 13], [4, 4, 14]), modes: 20 },
  ],
}

export const wholeMesh = ({ parts, edge }: CutObject): Mesh => voxelGrid({ cells: parts.flatMap(({ cells }) => cells), edge })

export const wholeObject = (object: CutObject): FullMesh =>
  createFullMesh(wholeMesh(object), { material: object.material, fixed: object.fixed })

/** The object as domains, without gravity and damping. */
export function cutSpec(object: CutObject): { readonly spec: Spec; readonly domains: readonly Reduced[] } {
  const { edge, material, parts, fixed } = object
  const meshes = new Map(parts.map(({ name, cells }) => [name, voxelGrid({ cells, edge })]))
  const domains = parts.map(({ name, parent, modes }) => {
    const children = parts.filter((part) => part.parent === name)
    return reduce(meshes.get(name) as Mesh, {
      material,
      fixed: parent === undefined ? fixed : (meshes.get(parent) as Mesh),
      interfaces: Object.fromEntries(children.map((child) => [child.name, meshes.get(child.name) as Mesh])),
      modes,
    })
  })
  const bodies = parts.map(
    ({ name, parent }): BodySpec => ({ name, ...(parent === undefined ? {} : { parent, attach: name }), domain: { name } }),
  )
  const spec = {
    name: object.name,
    gravity: [0, 0, 0] as const,
    timestep: 0.001,
    domains: parts.map(({ name }, k) => ({ name, data: domains[k] })),
    bodies,
  }
  return { spec, domains }
}

/** For each vertex of a domain the one of the whole mesh at the same place. */
export function twinsIn(whole: Mesh, domain: Reduced): Int32Array {
  const place = (x: ArrayLike<number>, v: number): string => [0, 1, 2].map((c) => Math.round(x[3 * v + c] * 1e6)).join()
  const known = new Map(Array.from({ length: whole.vertices.length / 3 }, (_, v) => [place(whole.vertices, v), v]))
  return Int32Array.from({ length: domain.masses.length }, (_, v) => known.get(place(domain.vertices, v)) ?? -1)
}

/**
 * Velocities of the modes that come nearest to those of the vertices of the whole mesh, by mass, from the root on: what the interface to the parent
 * does is taken off first.
 */
export function fitVelocities(model: Model, domains: readonly Reduced[], whole: Mesh, velocity: Float64Array): Float64Array {
  const data = createData(model)
  const { modes } = model
  const v = new Float64Array(model.nv)
  domains.forEach((domain, n) => {
    forwardKinematics(model, data, model.q0, v)
    const o = 6 * modes.bodies[n]
    const [wx, wy, wz, x0, y0, z0] = data.V.subarray(o, o + 6)
    const twins = twinsIn(whole, domain)
    const points = domain.masses.length
    for (let k = 0; k < points; k++) {
      const [x, y, z] = domain.vertices.subarray(3 * k, 3 * k + 3)
      const from = velocity.subarray(3 * twins[k], 3 * twins[k] + 3)
      const rate = [from[0] - x0 - (wy * z - wz * y), from[1] - y0 - (wz * x - wx * z), from[2] - z0 - (wx * y - wy * x)]
      for (let l = 0; l < domain.modes; l++) {
        const shape = 3 * (l * points + k)
        for (let c = 0; c < 3; c++) v[modes.iv[modes.start[n] + l]] += domain.masses[k] * domain.shapes[shape + c] * rate[c]
      }
    }
  })
  return v
}

/** A function that tells where vertex k of bodies[n] is in the world, at the state as it is. */
export function vertexFollower(simulation: Simulation, domain: Reduced, n: number, k: number): () => [number, number, number] {
  const { model, state } = simulation
  const data = createData(model)
  const { modes } = model
  const points = domain.masses.length
  return () => {
    forwardKinematics(model, data, state.q, state.v)
    const local = [0, 1, 2].map((c) => {
      let x = domain.vertices[3 * k + c]
      for (let l = 0; l < domain.modes; l++) x += domain.shapes[3 * (l * points + k) + c] * state.q[modes.iq[modes.start[n] + l]]
      return x
    })
    const X = data.X_WB.subarray(12 * modes.bodies[n], 12 * modes.bodies[n] + 12)
    return [0, 1, 2].map((r) => X[9 + r] + X[3 * r] * local[0] + X[3 * r + 1] * local[1] + X[3 * r + 2] * local[2]) as [
      number,
      number,
      number,
    ]
  }
}

/** The vertex of a domain that is farthest along a direction. */
export function farthest(domain: Reduced, along: Triple): number {
  let best = 0
  let most = Number.NEGATIVE_INFINITY
  for (let k = 0; k < domain.masses.length; k++) {
    const reach = along[0] * domain.vertices[3 * k] + along[1] * domain.vertices[3 * k + 1] + along[2] * domain.vertices[3 * k + 2]
    if (reach > most) {
      most = reach
      best = k
    }
  }
  return best
}
