/**
 * Height fields of a spec → flat arrays, for contact and for rays.
 */
import type { HeightFields } from '../model/shapes.js'
import type { Problems } from './problems.js'
import type { GeomSpec } from './spec.js'

interface PlacedGeom {
  readonly geom: GeomSpec
  readonly path: string
}

/** Rows, columns and heights of the fields among these geoms. Adds what is wrong with them to `problems`. */
export function buildFields(items: readonly PlacedGeom[], problems: Problems): HeightFields {
  const field = new Int32Array(items.length).fill(-1)
  const fields: { rows: number; columns: number; start: number }[] = []
  const heights: number[] = []
  items.forEach(({ geom, path }, k) => {
    if (geom.shape !== 'heightfield') return
    const { rows, columns } = geom
    if (!(Number.isInteger(rows) && Number.isInteger(columns) && rows > 1 && columns > 1 && geom.heights.length === rows * columns)) {
      problems.add(
        `${path}/heights`,
        `expected rows × columns heights with at least 2 × 2, got ${rows} × ${columns} and ${geom.heights.length}; give them row by row`,
      )
    }
    field[k] = fields.length
    fields.push({ rows, columns, start: heights.length })
    for (const height of geom.heights) heights.push(problems.number(`${path}/heights`, height))
  })
  return {
    field,
    fieldRows: Int32Array.from(fields, ({ rows }) => rows),
    fieldColumns: Int32Array.from(fields, ({ columns }) => columns),
    fieldStart: Int32Array.from(fields, ({ start }) => start),
    heights: Float64Array.from(heights),
  }
}

/** Highest |height| of a field. */
export function highest({ fieldRows, fieldColumns, fieldStart, heights }: HeightFields, f: number): number {
  return heights
    .subarray(fieldStart[f], fieldStart[f] + fieldRows[f] * fieldColumns[f])
    .reduce((most, height) => Math.max(most, Math.abs(height)), 0)
}
