/**
 * Skins: triangles that move with a domain, to look at. A vertex follows vertices of the domain by weights, so that it has shapes of its own,
 *   x = X + Σ U_l q_l,   and with unit tangents t × u = n at rest   n = (t + Σ t_l q_l) × (u + Σ u_l q_l)
 * where t_l = H_l t, u_l = H_l u and H_l = ∂U_l/∂X (`vertexGradients`). All in the frame and size of the mesh of the domain.
 */

import { blendRow, type Embedding, embed } from '../../deformable/embed.js'
import type { Reduced } from '../../deformable/reduced.js'
import { vertexGradients } from '../../deformable/vertex-gradients.js'
import { hypot } from '../../math/own.js'
import type { Vec } from '../../math/types.js'
import { meshGeometry } from '../gltf/mesh-normals.js'

export interface Skin extends Embedding {
  readonly modes: number
  /** at rest, 3 a vertex */
  readonly positions: Vec
  readonly normals: Vec
  /** three vertices each, counter-clockwise seen from outside */
  readonly triangles: Int32Array
  /** U_l, 3 a vertex, mode after mode */
  readonly shapes: Vec
  /** t and u, 3 a vertex */
  readonly tangents: readonly [Vec, Vec]
  /** t_l and u_l, as `shapes` */
  readonly tangentShapes: readonly [Vec, Vec]
}

/** The surface of the domain itself. */
export function surfaceSkin(domain: Reduced): Skin {
  const { positions, normals, indices, sources } = meshGeometry(domain.vertices, domain.surface)
  const weights = new Float64Array(sources.length).fill(1)
  return makeSkin(domain, { positions, normals, indices }, { width: 1, sources: Int32Array.from(sources), weights })
}

/** A finer mesh in it; vertices outside move with the nearest element. */
export function meshSkin(domain: Reduced, vertices: ArrayLike<number>, faces: ArrayLike<number>): Skin {
  const geometry = meshGeometry(vertices, faces)
  return makeSkin(domain, geometry, embed(domain, geometry.positions))
}

interface Drawn {
  readonly positions: readonly number[]
  readonly normals: readonly number[]
  readonly indices: readonly number[]
}

function makeSkin(domain: Reduced, { positions, normals, indices }: Drawn, embedding: Embedding): Skin {
  const { modes, vertices, shapes } = domain
  const size = positions.length
  const skin = {
    ...embedding,
    modes,
    positions: Float64Array.from(positions),
    normals: Float64Array.from(normals),
    triangles: Int32Array.from(indices),
    shapes: new Float64Array(modes * size),
    tangents: [new Float64Array(size), new Float64Array(size)] as const,
    tangentShapes: [new Float64Array(modes * size), new Float64Array(modes * size)] as const,
  }
  for (let o = 0; o < size; o += 3) writeTangents(skin, o)
  const gradients = vertexGradients(domain)
  for (let l = 0; l < modes; l++) {
    const H = gradients(shapes, l * vertices.length)
    for (let o = 0; o < size; o += 3) {
      blendRow(skin.shapes, l * size + o, embedding, o / 3, shapes, l * vertices.length)
      for (const k of [0, 1]) turnTangent(skin.tangentShapes[k], l * size + o, embedding, o / 3, H, skin.tangents[k], o)
    }
  }
  return skin
}

/** Two directions across the normal that make a right-handed frame with it. */
function writeTangents({ normals: n, tangents: [t, u] }: Pick<Skin, 'normals' | 'tangents'>, o: number): void {
  const [x, y, z] = [n[o], n[o + 1], n[o + 2]]
  // across the axis that is farthest from the normal
  const [a, b, c] = Math.abs(x) < 0.6 ? [0, z, -y] : [-z, 0, x]
  const length = hypot(a, b, c) || 1
  t.set([a / length, b / length, c / length], o)
  u.set([y * t[o + 2] - z * t[o + 1], z * t[o] - x * t[o + 2], x * t[o + 1] - y * t[o]], o)
}

/** out[o …] ← Σ weight · H t */
function turnTangent(out: Vec, o: number, { width, sources, weights }: Embedding, k: number, H: Vec, t: Vec, at: number): void {
  for (let c = width * k; c < width * (k + 1); c++) {
    const h = 9 * sources[c]
    for (let a = 0; a < 3; a++) {
      out[o + a] += weights[c] * (H[h + 3 * a] * t[at] + H[h + 3 * a + 1] * t[at + 1] + H[h + 3 * a + 2] * t[at + 2])
    }
  }
}
