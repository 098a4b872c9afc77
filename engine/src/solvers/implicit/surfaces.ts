/** Surfaces of the world that the ground step touches: planes, and one upright height field. */
import type { Columns } from '../../kernels/lane-layout.js'
import type { Vec } from '../../math/types.js'
import { createData } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { FIELD, PLANE } from '../../model/shapes.js'
import { updatePoses } from '../../tree/kinematics.js'
import { reals } from './arrays.js'

export interface WorldSurface {
  readonly geom: number
  readonly n: readonly number[]
  readonly offset: number
  /** entry of the height fields, −1 for planes */
  readonly field: number
}

/** Whether a geom belongs to the world. */
export const isFixed = ({ shapes: { body, group } }: Model, e: number): boolean => group[body[e]] === 0

/** Whether a height field stands upright, which is what the kernel can look up. */
function isUpright(m: Model, e: number): boolean {
  const X = worldPose(m, e)
  return [X[2], X[5], X[6], X[7], X[1], X[3]].every((x) => Math.abs(x) < 1e-9)
}

/** Pose of a geom of the world. */
function worldPose(m: Model, e: number): number[] {
  const d = createData(m)
  updatePoses(m, d, m.q0)
  const B = d.X_WB.subarray(12 * m.shapes.body[e], 12 * m.shapes.body[e] + 12)
  const G = m.shapes.X_BG.subarray(12 * e, 12 * e + 12)
  const out: number[] = []
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) out.push(B[3 * r] * G[c] + B[3 * r + 1] * G[3 + c] + B[3 * r + 2] * G[6 + c])
  for (let r = 0; r < 3; r++) out.push(B[3 * r] * G[9] + B[3 * r + 1] * G[10] + B[3 * r + 2] * G[11] + B[9 + r])
  return out
}

/** Planes and the first upright height field of the world; the field comes first. */
export function surfacesOf(m: Model): WorldSurface[] {
  const { shapes } = m
  const fixed = [...shapes.ground].filter((e) => isFixed(m, e))
  const fields = fixed.filter((e) => shapes.shape[e] === FIELD && isUpright(m, e)).slice(0, 1)
  const planes = fixed.filter((e) => shapes.shape[e] === PLANE)
  return [...fields, ...planes].map((e) => {
    const X = worldPose(m, e)
    const n = [X[2], X[5], X[8]].map((x) => (Math.abs(x) < 1e-12 ? 0 : Math.abs(x - 1) < 1e-12 ? 1 : x))
    if (shapes.shape[e] === FIELD) return { geom: e, n: [0, 0, 1], offset: X[11] + highest(m, e), field: shapes.field[e] }
    return { geom: e, n, offset: n[0] * X[9] + n[1] * X[10] + n[2] * X[11], field: -1 }
  })
}

function heightsOf({ shapes: { field, fieldRows, fieldColumns, fieldStart, heights } }: Model, e: number): Vec {
  const f = field[e]
  return heights.subarray(fieldStart[f], fieldStart[f] + fieldRows[f] * fieldColumns[f])
}

const highest = (m: Model, e: number): number => heightsOf(m, e).reduce((most, z) => Math.max(most, z), Number.NEGATIVE_INFINITY)

export function surfaceColumns(m: Model, surfaces: readonly WorldSurface[]): Columns {
  const { shapes } = m
  const field = surfaces.find((s) => s.field >= 0)
  const terrain = new Float64Array(8)
  if (field) {
    const [columns, rows] = [shapes.fieldColumns[field.field], shapes.fieldRows[field.field]]
    const [halfX, halfY] = shapes.size.subarray(3 * field.geom, 3 * field.geom + 2)
    const X = worldPose(m, field.geom)
    terrain.set([X[9] - halfX, X[10] - halfY, X[11], (columns - 1) / (2 * halfX), (rows - 1) / (2 * halfY), columns - 2, rows - 2, columns])
  }
  return {
    surfaceCount: surfaces.length,
    surface: reals(surfaces.flatMap(({ n, offset }) => [...n, offset])),
    hasField: field ? 1 : 0,
    terrain,
    terrainLines: field ? shapes.fieldColumns[field.field] + shapes.fieldRows[field.field] : 0,
    heights: field ? Float64Array.from(heightsOf(m, field.geom)) : new Float64Array(1),
  }
}
