/**
 * Where the columns of loops are: which rows of constraints reach which body, from the bodies they act on to the root.
 *
 * Bodies with one child each form a run, and the columns of a run stand in one order: those that begin furthest from the root come first, so that at each
 * body the first few are all that are not zero. Runs and orders follow from the model alone.
 */
import type { Model } from '../../model/model.js'
import type { Rows } from '../rows/rows.js'

export interface Columns {
  /** run of each body; runs are numbered as their bodies are */
  readonly run: Int32Array
  /** columns of run b: start[b] … start[b + 1] − 1, each with its row and its place in the run above, −1: the world */
  readonly start: Int32Array
  readonly row: Int32Array
  readonly above: Int32Array
  /** entries of run b in a lower triangle of its columns, row by row: from triangle[b] on */
  readonly triangle: Int32Array
  /** how many of the columns of its run reach body i; the first of them among those of all bodies */
  readonly count: Int32Array
  readonly at: Int32Array
  /** the same of each velocity, and of the velocities of the bodies from i on */
  readonly velocityAt: Int32Array
  readonly velocitiesAt: Int32Array
  /** of blocks and of velocities of the rows: the column in the run of their body */
  readonly ofBlock: Int32Array
  readonly ofDof: Int32Array
}

export function findColumns(m: Model, rows: Rows): Columns {
  const { nbody, nv, parent } = m
  const run = runsOf(m)
  const runs = run[nbody - 1] + 1
  const first = Int32Array.from({ length: runs + 1 }, () => nbody)
  for (let i = nbody - 1; i >= 0; i--) first[run[i]] = i

  // of each run: the body furthest from the root at which a row begins
  const begins = Array.from({ length: runs }, () => new Map<number, number>())
  const enter = (r: number, from: number): void => {
    for (let i = from; i > 0; i = parent[first[run[i]]]) {
      const known = begins[run[i]].get(r)
      begins[run[i]].set(r, Math.max(i, known ?? 0))
      if (known !== undefined) return
    }
  }
  const { bodyStart, body, dofStart, dof } = rows
  for (let r = 0; r < rows.count; r++) {
    for (let e = bodyStart[r]; e < bodyStart[r + 1]; e++) enter(r, body[e])
    for (let e = dofStart[r]; e < dofStart[r + 1]; e++) enter(r, m.velocityBody[dof[e]])
  }
  const sorted = begins.map((of) => [...of].sort(([r, i], [s, j]) => j - i || r - s))

  const start = new Int32Array(runs + 1)
  const triangle = new Int32Array(runs + 1)
  for (const [b, { length: n }] of sorted.entries()) {
    start[b + 1] = start[b] + n
    triangle[b + 1] = triangle[b] + (n * (n + 1)) / 2
  }
  const row = Int32Array.from(sorted.flatMap((list) => list.map(([r]) => r)))
  const placeOf = sorted.map((list) => new Map(list.map(([r], c) => [r, c])))
  const above = Int32Array.from(
    sorted.flatMap((list, b) =>
      list.map(([r]) => (b === 0 || parent[first[b]] === 0 ? -1 : (placeOf[run[parent[first[b]]]].get(r) ?? -1))),
    ),
  )

  const count = new Int32Array(nbody)
  const at = new Int32Array(nbody + 1)
  const velocityAt = new Int32Array(nv)
  const velocitiesAt = new Int32Array(nbody + 1)
  for (let i = 0; i < nbody; i++) {
    const list = sorted[run[i]]
    let n = i > 0 && run[i] === run[i - 1] ? count[i - 1] : list.length
    while (n > 0 && list[n - 1][1] < i) n--
    count[i] = n
    at[i + 1] = at[i] + n
    let place = velocitiesAt[i]
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++, place += n) velocityAt[k] = place
    velocitiesAt[i + 1] = place
  }

  const ofBlock = new Int32Array(body.length)
  const ofDof = new Int32Array(dof.length)
  for (let r = 0; r < rows.count; r++) {
    for (let e = bodyStart[r]; e < bodyStart[r + 1]; e++) ofBlock[e] = placeOf[run[body[e]]].get(r) ?? -1
    for (let e = dofStart[r]; e < dofStart[r + 1]; e++) ofDof[e] = placeOf[run[m.velocityBody[dof[e]]]].get(r) ?? -1
  }
  return { run, start, row, above, triangle, count, at, velocityAt, velocitiesAt, ofBlock, ofDof }
}

/** Runs of bodies that end at a fork or at a leaf; the world is one by itself. */
function runsOf({ nbody, parent }: Model): Int32Array {
  const children = new Int32Array(nbody)
  for (let i = 1; i < nbody; i++) children[parent[i]]++
  const run = new Int32Array(nbody)
  for (let i = 1; i < nbody; i++) run[i] = run[i - 1] + (i > 1 && parent[i] === i - 1 && children[i - 1] === 1 ? 0 : 1)
  return run
}
