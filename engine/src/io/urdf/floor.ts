/**
 * A floor for a robot, which URDF cannot describe: a plane across z, at z = 0 or below the lowest collision shape of the start pose.
 */
import type { BodySpec, GeomSpec, JointSpec, Spec } from '../../build/spec.js'
import { hypot } from '../../math/own.js'
import { BOX, CAPSULE, CYLINDER, MESH, type Shapes, SPHERE } from '../../model/shapes.js'
import type { StartPose } from './start-pose.js'

type World = NonNullable<Spec['world']>

/**
 * Joints start inside their ranges, so that the robot stands on the floor and not in it. Where the base is free the robot stands on the floor at z = 0; elsewhere links stay where the file has them, and a floor at z = 0 that would
 * cut through them goes down to the lowest one.
 */
export function addFloor(
  bodies: readonly BodySpec[],
  world: World | undefined,
  start: StartPose | undefined,
  stands: boolean,
): { readonly bodies: readonly BodySpec[]; readonly world: World } {
  const lowest = start ? lowestPoint(start) : Number.POSITIVE_INFINITY
  const lift = stands && Number.isFinite(lowest) ? -lowest : 0
  const height = stands ? 0 : Math.min(0, lowest)
  const names = new Set([...bodies, { geoms: world?.geoms ?? [] }].flatMap(({ geoms = [] }) => geoms.map(({ name }) => name)))
  const floor: GeomSpec = {
    shape: 'plane',
    name: ['floor', 'ground floor'].find((name) => !names.has(name)) ?? `floor ${names.size}`,
    ...(height === 0 ? {} : { position: [0, 0, height] }),
  }
  return {
    bodies: bodies.map(startInRange).map((body) => (isFree(body) ? lifted(body, lift) : body)),
    world: { ...world, geoms: [...(world?.geoms ?? []), floor] },
  }
}

function isFree({ parent = 'world', joints = [] }: BodySpec): boolean {
  return parent === 'world' && joints.some(({ type }) => type === 'free')
}

/** The start pose as initial coordinates: a joint whose range is above or below 0 starts at the nearest end. */
function startInRange(body: BodySpec): BodySpec {
  const outside = ({ limits }: JointSpec): boolean => limits !== undefined && (limits[0] > 0 || limits[1] < 0)
  if (!body.joints?.some(outside)) return body
  const joints = body.joints.map((joint) => {
    const [low, high] = joint.limits ?? [0, 0]
    return outside(joint) ? { ...joint, initial: low > 0 ? low : high } : joint
  })
  return { ...body, joints }
}

function lifted(body: BodySpec, by: number): BodySpec {
  if (by === 0) return body
  const [x, y, z] = body.position ?? [0, 0, 0]
  return { ...body, position: [x, y, z + by] }
}

/** Height of the lowest point of all shapes. */
function lowestPoint({ model: { shapes }, X_WB }: StartPose): number {
  let lowest = Number.POSITIVE_INFINITY
  for (const k of shapes.solids) {
    const at = 12 * shapes.body[k]
    const [x, y, z] = X_WB.subarray(at + 6, at + 9)
    const X = shapes.X_BG.subarray(12 * k, 12 * k + 12)
    // z of the world in the axes of the shape
    const up = [0, 1, 2].map((s) => x * X[s] + y * X[3 + s] + z * X[6 + s])
    const middle = X_WB[at + 11] + x * X[9] + y * X[10] + z * X[11]
    lowest = Math.min(lowest, middle - reachDown(shapes, k, up))
  }
  return lowest
}

/** How far shape k reaches below its middle; `up`: the world's z in its axes. */
function reachDown({ shape, size, hulls }: Shapes, k: number, up: readonly number[]): number {
  const [a, b, c] = size.subarray(3 * k, 3 * k + 3)
  const [x, y, z] = up.map(Math.abs)
  switch (shape[k]) {
    case SPHERE:
      return a
    case CAPSULE:
      return a + b * z
    case CYLINDER:
      return a * hypot(x, y) + b * z
    case BOX:
      return a * x + b * y + c * z
    case MESH: {
      let most = 0
      for (let v = hulls.vertexStart[hulls.of[k]]; v < hulls.vertexStart[hulls.of[k] + 1]; v++) {
        const [p, q, r] = hulls.vertices.subarray(3 * v, 3 * v + 3)
        most = Math.max(most, -(up[0] * p + up[1] * q + up[2] * r))
      }
      return most
    }
    default:
      return hypot(a * x, b * y, c * z)
  }
}
