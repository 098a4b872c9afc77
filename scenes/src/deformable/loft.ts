/**
 * Meshes for parts that grow: cross-sections along a spine that starts at the origin towards z and bends towards y.
 *
 * Cells of a grid are cut into six tetrahedra each and bent to shape: each takes one point of integration where a voxel takes 27, and sections
 * may be round and taper.
 */

import { type Mesh, type Selection, tetrahedra, type Vec3, voxelGrid } from 'limber'
import { cos, hypot, sin } from '../portable.js'
import { turn } from '../rotations.js'
import type { Pose } from './pose.js'

export interface Loft {
  readonly mesh: Mesh
  /** the section at the origin */
  readonly base: Selection
  /** every other section, `ring1` and so forth; the last also as `tip` */
  readonly rings: Readonly<Record<string, Selection>>
  /** where section k stands, and how it is turned */
  ring(k: number): Pose
}

export interface LoftShape {
  /** cells along x, y and along the spine */
  readonly cells: readonly [number, number, number]
  /** cells that are there. Default: all */
  readonly filled?: (i: number, j: number, k: number) => boolean
  readonly length: number
  /** radians by which the spine turns towards y */
  readonly bend?: number
  /** from the square −1 … 1 to the section at t = 0 … 1 of the spine */
  section(u: number, v: number, t: number): readonly [number, number]
}

export function loft({ cells, filled = () => true, length, bend = 0, section }: LoftShape): Loft {
  const [nx, ny, levels] = cells
  const grid = voxelGrid({ size: cells, filled, edge: [2 / nx, 2 / ny, 1], origin: [-1, -1, 0] })
  const spine = (t: number): Vec3 => {
    const angle = bend * t
    return Math.abs(bend) < 1e-9 ? [0, 0, length * t] : [0, (length / bend) * (1 - cos(angle)), (length / bend) * sin(angle)]
  }
  const mesh = moved(tetrahedra(grid), ([u, v, k]) => {
    const t = k / levels
    const [x, y] = section(u, v, t)
    const [, b, c] = spine(t)
    return [x, b + y * cos(bend * t), c - y * sin(bend * t)]
  })
  const rings = Array.from({ length: levels + 1 }, (_, k) => verticesAt(grid, k))
  const named = Object.fromEntries(rings.slice(1).map((ring, k) => [`ring${k + 1}`, ring]))
  return {
    mesh,
    base: rings[0],
    rings: { ...named, tip: rings[levels] },
    ring: (k) => ({ position: spine(k / levels), quaternion: turn('x', (-bend * k) / levels) }),
  }
}

function verticesAt({ vertices }: Mesh, level: number): number[] {
  return Array.from({ length: vertices.length / 3 }, (_, v) => v).filter((v) => Math.round(vertices[3 * v + 2]) === level)
}

/** The section of a round part whose radius goes evenly from one number to the other. */
export function round(from: number, to: number): LoftShape['section'] {
  return (u, v, t) => {
    const radius = from + (to - from) * t
    const [x, y] = disc(u, v)
    return [radius * x, radius * y]
  }
}

/** The square −1 … 1 as a disc: squares around the middle become circles. */
export function disc(u: number, v: number): readonly [number, number] {
  const s = u === 0 && v === 0 ? 0 : Math.max(Math.abs(u), Math.abs(v)) / hypot(u, v)
  return [s * u, s * v]
}

/** The same elements, their vertices moved. */
function moved({ vertices, corners, elements }: Mesh, to: (at: Vec3) => Vec3): Mesh {
  const out = new Float64Array(vertices.length)
  for (let v = 0; v < vertices.length; v += 3) out.set(to([vertices[v], vertices[v + 1], vertices[v + 2]]), v)
  return { vertices: out, corners, elements }
}
