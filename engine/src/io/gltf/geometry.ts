/**
 * Shapes as triangles with normals, to look at. Unit shapes where a scale makes all of a kind: spheres and ellipsoids share one.
 */
import { cos, hypot, sin } from '../../math/own.js'
import type { Vec } from '../../math/types.js'

export interface Geometry {
  /** x y z */
  readonly positions: number[]
  readonly normals: number[]
  /** three a triangle, counter-clockwise from outside */
  readonly indices: number[]
  /** what each mode of a body that deforms adds to positions and normals */
  readonly targets?: readonly { readonly positions: Vec; readonly normals: Vec }[]
}

/** Corners round a circle; enough for a smooth outline on a full screen. */
const SEGMENTS = 32

/** Radius 1. */
export function sphereGeometry(): Geometry {
  return revolve(arc(Math.PI / 2, -Math.PI / 2, SEGMENTS / 2, 0))
}

/** Radius 1, straight part of the given length along z. */
export function capsuleGeometry(length: number): Geometry {
  const quarter = SEGMENTS / 4
  return revolve([...arc(Math.PI / 2, 0, quarter, length / 2), ...arc(0, -Math.PI / 2, quarter, -length / 2)])
}

/** Radius 1, length 1 along z, with flat ends. */
export function cylinderGeometry(): Geometry {
  return revolve([
    { r: 0, z: 0.5, nr: 0, nz: 1 },
    { r: 1, z: 0.5, nr: 0, nz: 1 },
    { r: 1, z: 0.5, nr: 1, nz: 0 },
    { r: 1, z: -0.5, nr: 1, nz: 0 },
    { r: 1, z: -0.5, nr: 0, nz: -1 },
    { r: 0, z: -0.5, nr: 0, nz: -1 },
  ])
}

/** Edges 1, centred. */
export function boxGeometry(): Geometry {
  const out: Geometry = { positions: [], normals: [], indices: [] }
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const start = out.positions.length / 3
      for (const [u, v] of QUAD) {
        const corner = [0, 0, 0]
        const normal = [0, 0, 0]
        normal[axis] = side
        corner[axis] = side / 2
        // swap the edges on the far side, so that faces turn outward
        corner[(axis + 1) % 3] = (side > 0 ? u : v) / 2
        corner[(axis + 2) % 3] = (side > 0 ? v : u) / 2
        out.positions.push(...corner)
        out.normals.push(...normal)
      }
      out.indices.push(start, start + 1, start + 2, start, start + 2, start + 3)
    }
  }
  return out
}

/** Square of edge 1 in the plane z = 0, seen from above. */
export function planeGeometry(): Geometry {
  const positions = QUAD.flatMap(([x, y]) => [x / 2, y / 2, 0])
  return { positions, normals: QUAD.flatMap(() => [0, 0, 1]), indices: [0, 1, 2, 0, 2, 3] }
}

const QUAD: readonly (readonly [number, number])[] = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
]

/** Heights row by row along x, over the given size, centred; normals from central differences. */
export function heightfieldGeometry(size: readonly [number, number], rows: number, columns: number, heights: readonly number[]): Geometry {
  const out: Geometry = { positions: [], normals: [], indices: [] }
  const dx = size[0] / (columns - 1)
  const dy = size[1] / (rows - 1)
  const height = (r: number, c: number) => heights[Math.min(Math.max(r, 0), rows - 1) * columns + Math.min(Math.max(c, 0), columns - 1)]
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      out.positions.push(c * dx - size[0] / 2, r * dy - size[1] / 2, height(r, c))
      const spanX = c > 0 && c < columns - 1 ? 2 : 1
      const spanY = r > 0 && r < rows - 1 ? 2 : 1
      const slopeX = (height(r, c + 1) - height(r, c - 1)) / (spanX * dx)
      const slopeY = (height(r + 1, c) - height(r - 1, c)) / (spanY * dy)
      const n = hypot(slopeX, slopeY, 1)
      out.normals.push(-slopeX / n, -slopeY / n, 1 / n)
      if (r + 1 < rows && c + 1 < columns) {
        const a = r * columns + c
        out.indices.push(a, a + 1, a + columns + 1, a, a + columns + 1, a + columns)
      }
    }
  }
  return out
}

/** A point of a profile in the half plane r ≥ 0, with its normal. */
interface ProfilePoint {
  readonly r: number
  readonly z: number
  readonly nr: number
  readonly nz: number
}

/** Arc of radius 1 about (0, z), from one latitude to another. */
function arc(from: number, to: number, steps: number, z: number): ProfilePoint[] {
  return Array.from({ length: steps + 1 }, (_, k) => {
    const latitude = from + ((to - from) * k) / steps
    // exactly zero at the poles, so that they close
    const r = Math.abs(Math.abs(latitude) - Math.PI / 2) < 1e-12 ? 0 : cos(latitude)
    return { r, z: z + sin(latitude), nr: r, nz: sin(latitude) }
  })
}

/** Turns a profile, given from the top down, about z. Rows that meet in a point give one triangle a segment. */
function revolve(profile: readonly ProfilePoint[]): Geometry {
  const out: Geometry = { positions: [], normals: [], indices: [] }
  for (const { r, z, nr, nz } of profile) {
    for (let s = 0; s <= SEGMENTS; s++) {
      const angle = (2 * Math.PI * (s % SEGMENTS)) / SEGMENTS
      const [x, y] = [cos(angle), sin(angle)]
      out.positions.push(r * x, r * y, z)
      out.normals.push(nr * x, nr * y, nz)
    }
  }
  for (let k = 0; k + 1 < profile.length; k++) {
    const [upper, lower] = [profile[k], profile[k + 1]]
    if (upper.r === lower.r && upper.z === lower.z) continue
    for (let s = 0; s < SEGMENTS; s++) {
      const a = k * (SEGMENTS + 1) + s
      const b = a + SEGMENTS + 1
      if (lower.r > 0) out.indices.push(a, b, b + 1)
      if (upper.r > 0) out.indices.push(a, lower.r > 0 ? b + 1 : b, a + 1)
    }
  }
  return out
}
