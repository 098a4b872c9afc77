/**
 * Interfaces that children hang on → their frames at rest and how these follow the modes (`Faces` of model/modes).
 */
import type { Vec } from '../math/types.js'
import { FACE_PLANAR, FACE_POINT, FACE_SOLID, type Faces } from '../model/modes.js'
import { quatToMatrix } from '../printed/arrays.js'
import { type BasisSource, runningSums } from './bases.js'
import { principalAxes } from './geometry/principal-axes.js'

/** Points of a basis by number. `turns`: false for one point whose frame is only shifted. */
export interface FaceSource {
  readonly basis: BasisSource
  readonly points: ArrayLike<number>
  readonly turns: boolean
}

// second moments: across over along. Below, points lie in a plane, or on a line: widths of a thirtieth and of a ten-thousandth of the length
const PLANAR = 1e-3
const COLLINEAR = 1e-8

interface Axes {
  readonly center: readonly number[]
  /** row-major */
  readonly Q: Vec
  readonly moments: readonly number[]
}

/** What keeps points from having a frame, in words, or null. */
export function faceFault({ basis, points }: FaceSource): string | null {
  if (points.length < 3) return `${points.length} point${points.length === 1 ? '' : 's'}, which say nothing of a rotation`
  const { moments } = principal(basis, points)
  return moments[1] > COLLINEAR * moments[0] ? null : `${points.length} points on one line, about which nothing is held`
}

export function buildFaces(sources: readonly FaceSource[]): Faces {
  const count = sources.length
  const column = runningSums(sources.map(({ basis }) => basis.modes))
  const built = {
    count,
    kind: new Int32Array(count),
    column,
    center: new Float64Array(3 * count),
    axes: new Float64Array(9 * count),
    mean: new Float64Array(3 * column[count]),
    fit: new Float64Array(9 * column[count]),
  }
  sources.forEach(({ basis, points, turns }, f) => {
    const { center, Q, moments } = turns
      ? principal(basis, points)
      : { center: mean(basis.points, points, 0), Q: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), moments: [0, 0, 0] }
    built.kind[f] = !turns ? FACE_POINT : moments[2] < PLANAR * moments[0] ? FACE_PLANAR : FACE_SOLID
    built.center.set(center, 3 * f)
    built.axes.set(Q, 9 * f)
    const directions = built.kind[f] === FACE_SOLID ? 3 : built.kind[f] === FACE_PLANAR ? 2 : 0
    for (let l = 0; l < basis.modes; l++) {
      const shape = l * basis.points.length
      const shift = mean(basis.shapes, points, shape)
      const at = column[f] + l
      built.mean.set(shift, 3 * at)
      for (let j = 0; j < directions; j++) {
        for (let k = 0; k < points.length; k++) {
          const x = 3 * points[k]
          const along = [0, 1, 2].reduce((sum, c) => sum + (basis.points[x + c] - center[c]) * Q[3 * c + j], 0) / moments[j]
          for (let c = 0; c < 3; c++) built.fit[9 * at + 3 * c + j] += (basis.shapes[shape + x + c] - shift[c]) * along
        }
      }
    }
  })
  return built
}

/** Mean of rows of three. */
export function mean(rows: Vec, points: ArrayLike<number>, from: number): number[] {
  const out = [0, 0, 0]
  for (let k = 0; k < points.length; k++) for (let c = 0; c < 3; c++) out[c] += rows[from + 3 * points[k] + c] / points.length
  return out
}

function principal({ points: X }: BasisSource, points: ArrayLike<number>): Axes {
  const center = mean(X, points, 0)
  const moment = (a: number, b: number): number => {
    let sum = 0
    for (let k = 0; k < points.length; k++) sum += (X[3 * points[k] + a] - center[a]) * (X[3 * points[k] + b] - center[b])
    return sum
  }
  const { moments, quaternion } = principalAxes([moment(0, 0), moment(1, 1), moment(2, 2), moment(0, 1), moment(0, 2), moment(1, 2)])
  const Q = new Float64Array(9)
  quatToMatrix(Q, 0, Float64Array.from(quaternion), 0)
  return { center, Q, moments }
}
