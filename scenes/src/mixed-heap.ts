/**
 * Solids of every shape that can touch fall into a box, four at a time.
 */
import type { BodySpec, GeomSpec, MeshSpec, Quat, ShapeSpec, Spec, Vec3 } from 'limber'
import { steel, warmShade } from './colors.js'
import { defineScene } from './scene.js'

/** half the inner width of the box, its height and the thickness of its walls */
const bin = { half: 0.32, height: 0.3, wall: 0.04 }
const size = 0.075

export const mixedHeap = defineScene({
  name: 'mixed-heap',
  title: 'Heap of mixed shapes',
  description: 'Balls, capsules, boxes, cylinders, ellipsoids and convex meshes fall into a box and come to rest on each other.',
  parameters: {
    count: { default: 36, integer: true, min: 1, max: 500, description: 'number of solids' },
    friction: { default: 0.5, min: 0, max: 5, description: 'coefficient of friction' },
    seed: { default: 1, integer: true, min: 1, max: 1e6, description: 'of their places and sizes' },
  },
  build({ count, friction, seed }): Spec {
    const draw = createDraws(seed)
    const bodies = Array.from({ length: count }, (_, k): BodySpec => {
      const shape = shapeOf(k, draw.between(0.7, 1.1) * size)
      return {
        name: `${shape.shape}${k}`,
        // four in a layer, none in another
        position: [corner(k) + draw.between(-0.03, 0.03), corner(k >> 1) + draw.between(-0.03, 0.03), 0.15 + 0.21 * (k >> 2)],
        quaternion: draw.quaternion(),
        joints: [{ type: 'free' }],
        geoms: [{ ...shape, density: 800, friction, color: warmShade((k % 7) / 6) }],
      }
    })
    return {
      name: 'mixed-heap',
      gravity: [0, 0, -9.81],
      timestep: 0.005,
      solver: { name: 'redmax' },
      bodies,
      meshes: [octahedron, wedge],
      world: { geoms: [{ shape: 'plane', friction }, ...walls(friction)] },
    }
  },
})

const corner = (k: number): number => (k % 2 === 0 ? 0.14 : -0.14)

function shapeOf(k: number, r: number): ShapeSpec {
  switch (k % 7) {
    case 0:
      return { shape: 'sphere', radius: r }
    case 1:
      return { shape: 'box', size: [2 * r, 1.4 * r, 1.2 * r] }
    case 2:
      return { shape: 'capsule', radius: 0.6 * r, length: 1.6 * r }
    case 3:
      return { shape: 'cylinder', radius: 0.8 * r, length: 1.4 * r }
    case 4:
      return { shape: 'ellipsoid', radii: [1.2 * r, 0.9 * r, 0.7 * r] }
    case 5:
      return { shape: 'mesh', mesh: 'octahedron' }
    default:
      return { shape: 'mesh', mesh: 'wedge' }
  }
}

const octahedron: MeshSpec = {
  name: 'octahedron',
  vertices: [0.09, 0, 0, -0.09, 0, 0, 0, 0.09, 0, 0, -0.09, 0, 0, 0, 0.09, 0, 0, -0.09],
  faces: [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5],
}

/** a prism over a triangle */
const wedge: MeshSpec = {
  name: 'wedge',
  vertices: [-0.08, -0.05, -0.04, 0.08, -0.05, -0.04, 0, -0.05, 0.08, -0.08, 0.05, -0.04, 0.08, 0.05, -0.04, 0, 0.05, 0.08],
  faces: [0, 1, 2, 3, 5, 4, 0, 3, 4, 0, 4, 1, 1, 4, 5, 1, 5, 2, 2, 5, 3, 2, 3, 0],
}

function walls(friction: number): GeomSpec[] {
  const { half, height, wall } = bin
  const middle = half + wall / 2
  const along: Vec3 = [2 * (half + wall), wall, height]
  const across: Vec3 = [wall, 2 * half, height]
  const places: [Vec3, Vec3][] = [
    [along, [0, middle, height / 2]],
    [along, [0, -middle, height / 2]],
    [across, [middle, 0, height / 2]],
    [across, [-middle, 0, height / 2]],
  ]
  return places.map(([edges, position]) => ({
    ...{ shape: 'box', size: edges, position, friction },
    color: [steel[0], steel[1], steel[2], 0.35],
  }))
}

/** Lehmer's generator, with the factor of Park and Miller: the same heap on every machine. */
function createDraws(seed: number): { between(low: number, high: number): number; quaternion(): Quat } {
  let state = (48271 * seed) % 2147483647
  const unit = (): number => {
    state = (state * 16807) % 2147483647
    return state / 2147483647
  }
  const between = (low: number, high: number): number => low + (high - low) * unit()
  return { between, quaternion: () => [between(0.1, 1), between(-1, 1), between(-1, 1), between(-1, 1)] }
}
