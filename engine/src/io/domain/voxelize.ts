/**
 * Voxels of a closed surface: equal cubes on a grid, filled where their middle is inside. Inside is where a ray along x has crossed the surface an odd
 * number of times. Of parts that do not hang together by faces the largest is kept.
 */
import type { Ignored } from '../../build/spec.js'
import { type Triple, voxelGrid } from '../../deformable/mesh.js'
import { type MeshData, meshError } from '../mesh/mesh-data.js'
import type { VolumeMesh } from './volume/volume-data.js'

/** rays are off the middle by this part of an edge, so that they miss vertices that stand on the grid */
const ASIDE = [1.234567e-4, 2.345678e-4]
/** cells that a grid may have in all */
const MOST_CELLS = 20_000_000

/** `count` cubes along the longest side of the surface. */
export function voxelize(surface: MeshData, count: number, file: string): VolumeMesh {
  if (surface.faces.length === 0) throw meshError(file, 'expected triangles, got none; export the surface with its faces')
  const { low, high } = extent(surface)
  const longest = Math.max(...high.map((x, a) => x - low[a]))
  if (!(longest > 0)) throw meshError(file, 'expected a surface around a volume, got a point')
  const edge = longest / count
  // the last layer may stick out: the surface is in the middle of the grid
  const size = [0, 1, 2].map((a) => Math.max(1, Math.ceil((high[a] - low[a]) / edge - 1e-6)))
  if (size[0] * size[1] * size[2] > MOST_CELLS)
    throw meshError(file, `expected at most ${MOST_CELLS} cells, got ${size.join(' × ')}; take fewer voxels`)
  const origin = [0, 1, 2].map((a) => (low[a] + high[a] - size[a] * edge) / 2)

  const filled = fill(surface, size, origin, edge, file)
  const cells = cellsOf(filled, size)
  if (cells.length === 0) {
    throw meshError(file, `expected a cell whose middle is inside, got none of ${size.join(' × ')}; take more voxels, the walls are thin`)
  }
  const { largest, parts } = largestPart(cells, size)
  const ignored: Ignored[] = [...surface.ignored]
  if (parts > 1) {
    const what = `${cells.length - largest.length} of ${cells.length} voxels`
    ignored.push({
      path: 'voxels',
      what,
      why: `they are ${parts - 1} parts that do not hang together with the largest; take more voxels, or give one part`,
    })
  }
  return { mesh: voxelGrid({ cells: largest, edge, origin: origin as unknown as Triple }), ignored }
}

function extent({ vertices, faces }: MeshData): { low: number[]; high: number[] } {
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (const v of faces) {
    for (let a = 0; a < 3; a++) {
      low[a] = Math.min(low[a], vertices[3 * v + a])
      high[a] = Math.max(high[a], vertices[3 * v + a])
    }
  }
  return { low, high }
}

/** 1 for each cell, x fastest, whose middle is inside. */
function fill(surface: MeshData, size: readonly number[], origin: readonly number[], edge: number, file: string): Uint8Array {
  const [nx, ny, nz] = size
  const crossings = crossingsOf(surface, size, origin, edge)
  const out = new Uint8Array(nx * ny * nz)
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      const xs = crossings[j + ny * k].sort((a, b) => a - b)
      if (xs.length % 2 === 1) {
        const at = [origin[1] + edge * (j + 0.5), origin[2] + edge * (k + 0.5)].map((x) => Number(x.toPrecision(6)))
        throw meshError(
          file,
          `expected a closed surface, got one with ${openEdge(surface)}: the line y = ${at[0]}, z = ${at[1]} enters and does not leave; close its holes`,
        )
      }
      for (let i = 0, c = 0; i < nx; i++) {
        const x = origin[0] + edge * (i + 0.5)
        while (c < xs.length && xs[c] < x) c++
        out[i + nx * (j + ny * k)] = c % 2
      }
    }
  }
  return out
}

/** Where the line along x through the middle of each row of cells meets the surface. */
function crossingsOf({ vertices: X, faces }: MeshData, [, ny, nz]: readonly number[], origin: readonly number[], edge: number): number[][] {
  const out: number[][] = Array.from({ length: ny * nz }, () => [])
  const shift = ASIDE.map((a) => a * edge)
  const at = (axis: number, cell: number): number => origin[axis] + edge * (cell + 0.5) + shift[axis - 1]
  const first = (axis: number, x: number): number => Math.max(0, Math.floor((x - origin[axis] - shift[axis - 1]) / edge - 0.5))
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2]]
    const [y0, y1] = [Math.min(X[a + 1], X[b + 1], X[c + 1]), Math.max(X[a + 1], X[b + 1], X[c + 1])]
    const [z0, z1] = [Math.min(X[a + 2], X[b + 2], X[c + 2]), Math.max(X[a + 2], X[b + 2], X[c + 2])]
    // twice the area that each edge spans with the line, as seen along x
    const side = (p: number, q: number, y: number, z: number): number => (X[p + 1] - y) * (X[q + 2] - z) - (X[p + 2] - z) * (X[q + 1] - y)
    for (let k = first(2, z0); k < nz && at(2, k) <= z1; k++) {
      for (let j = first(1, y0); j < ny && at(1, j) <= y1; j++) {
        const [y, z] = [at(1, j), at(2, k)]
        const [u, v, w] = [side(b, c, y, z), side(c, a, y, z), side(a, b, y, z)]
        if (!((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))) continue
        out[j + ny * k].push((u * X[a] + v * X[b] + w * X[c]) / (u + v + w))
      }
    }
  }
  return out
}

/** An edge that not exactly two triangles have, in words. */
function openEdge({ vertices, faces }: MeshData): string {
  const key = (v: number): string => [0, 1, 2].map((a) => vertices[3 * v + a]).join()
  const edges = new Map<string, { count: number; triangle: number }>()
  for (let f = 0; f < faces.length; f++) {
    const next = f % 3 === 2 ? f - 2 : f + 1
    const name = [key(faces[f]), key(faces[next])].sort().join(' ')
    const known = edges.get(name)
    if (known) known.count++
    else edges.set(name, { count: 1, triangle: Math.floor(f / 3) + 1 })
  }
  for (const { count, triangle } of edges.values()) {
    if (count === 1) return `an open edge at triangle ${triangle}`
    if (count > 2) return `an edge of ${count} triangles at triangle ${triangle}`
  }
  return 'triangles that cut each other'
}

function cellsOf(filled: Uint8Array, [nx, ny]: readonly number[]): Triple[] {
  const out: Triple[] = []
  filled.forEach((on, c) => {
    if (on) out.push([c % nx, Math.floor(c / nx) % ny, Math.floor(c / (nx * ny))])
  })
  return out
}

/** Cells that hang together by faces, the most of them, and the number of parts. */
function largestPart(cells: readonly Triple[], [nx, ny]: readonly number[]): { largest: readonly Triple[]; parts: number } {
  const place = new Map(cells.map(([i, j, k], c) => [i + nx * (j + ny * k), c]))
  const part = new Int32Array(cells.length).fill(-1)
  const sizes: number[] = []
  for (let c = 0; c < cells.length; c++) {
    if (part[c] >= 0) continue
    const open = [c]
    part[c] = sizes.length
    sizes.push(0)
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      sizes[part[c]]++
      const [i, j, k] = cells[next]
      for (let a = 0; a < 6; a++) {
        const step = a % 2 === 0 ? 1 : -1
        const [x, y, z] = [i + (a < 2 ? step : 0), j + (a === 2 || a === 3 ? step : 0), k + (a > 3 ? step : 0)]
        const found = x < 0 || x >= nx || y < 0 || y >= ny ? undefined : place.get(x + nx * (y + ny * z))
        if (found === undefined || part[found] >= 0) continue
        part[found] = part[c]
        open.push(found)
      }
    }
  }
  const most = sizes.indexOf(sizes.reduce((a, b) => Math.max(a, b)))
  return { largest: cells.filter((_, c) => part[c] === most), parts: sizes.length }
}
