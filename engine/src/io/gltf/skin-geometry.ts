/**
 * A skin as a geometry with morph targets, one a mode: x = X + Σ U_l w_l is exact; normals are, to first order, n = t × u + Σ (t_l × u + t × u_l) w_l.
 */
import type { Vec } from '../../math/types.js'
import type { Skin } from '../skin/skin.js'
import type { Geometry } from './geometry.js'

export function skinGeometry({ modes, positions, normals, triangles, shapes, tangents, tangentShapes }: Skin): Geometry {
  const size = positions.length
  const targets = Array.from({ length: modes }, (_, l) => {
    const turned = new Float64Array(size)
    for (let o = 0; o < size; o += 3) {
      addCross(turned, o, tangentShapes[0], l * size + o, tangents[1], o)
      addCross(turned, o, tangents[0], o, tangentShapes[1], l * size + o)
    }
    return { positions: shapes.slice(l * size, (l + 1) * size), normals: turned }
  })
  return { positions: [...positions], normals: [...normals], indices: [...triangles], targets }
}

/** out[o …] += a[i …] × b[j …] */
function addCross(out: Vec, o: number, a: Vec, i: number, b: Vec, j: number): void {
  for (let k = 0; k < 3; k++) {
    const [p, q] = [(k + 1) % 3, (k + 2) % 3]
    out[o + k] += a[i + p] * b[j + q] - a[i + q] * b[j + p]
  }
}
