/**
 * Passes made of parts: each part has something to do in every unit and something to tell over the edges of the cut, and what goes together makes one pass with
 * one message an edge. Recursions of `tree/jacobian` and `tree/implicit-factor` as such parts, and sums in the order of the tree, so that no bit depends
 * on the number of processors.
 *
 *   y = J x             down   6 numbers an edge
 *   x = Jᵀ F            up     6
 *   factor              up    21
 *   solve               up     6,  down 6
 *   sums                up     1 each
 * Every child tells what it adds to its parent, in the parent's frame, and the parent adds the last child first, as the recursions in one piece do: with the same bits.
 * Branches are not cut (`branchesOf` with `longest: 0`): a chain is on one processor, which goes along it by the plain recursion.
 */
import { kernelsIn } from '../../kernels/instance.js'
import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { type ParallelKernels, parallelModule } from '../../printed/parallel.js'
import type { ImplicitFactor } from '../../tree/implicit-factor.js'
import { rows } from './dynamics.js'
import type { DownPass, Message, UpPass } from './schedule.js'
import type { Unit } from './units.js'

/** Rows of so many numbers, by body. */
export type Column = readonly [Vec, number]

export interface DownPart {
  readonly columns: readonly Column[]
  visit(u: Unit): void
}

export interface UpPart extends DownPart {
  /** What is known of the topmost body of a unit is added to what it hangs on. */
  add(body: number): void
  /** It was told to another processor. */
  sent?(body: number): void
}

const together = (parts: readonly DownPart[]): Message => {
  const columns = parts.flatMap((part) => part.columns)
  return rows(
    columns.reduce((sum, [, width]) => sum + width, 0),
    ...columns,
  )
}

const uncut = (): never => {
  throw new RangeError('branches: these passes go along whole chains; make the units of branches that are not cut (longest: 0)')
}

export function downPass(...parts: readonly DownPart[]): DownPass {
  return {
    body: together(parts),
    node: rows(0),
    enterGroup: uncut,
    split: uncut,
    visit(u) {
      for (let k = 0; k < parts.length; k++) parts[k].visit(u)
    },
  }
}

export function upPass(...parts: readonly UpPart[]): UpPass {
  const body = together(parts)
  return {
    body: {
      ...body,
      write(out, o, key) {
        body.write(out, o, key)
        for (let k = 0; k < parts.length; k++) parts[k].sent?.(key)
      },
    },
    node: rows(0),
    tail: rows(0),
    enterNode: uncut,
    join: uncut,
    leaveGroup: uncut,
    visit(u) {
      for (let k = 0; k < parts.length; k++) parts[k].visit(u)
    },
    add(key) {
      for (let k = 0; k < parts.length; k++) parts[k].add(key)
    },
  }
}

/** Something to do in every unit that nobody else needs to know. */
export const inUnits = (visit: (u: Unit) => void): UpPart => ({ columns: [], visit, add: () => undefined })

/** The parent's row, if that is no row of the world, += that of the body. */
function adds({ parent }: Model, x: Vec, width: number): (body: number) => void {
  return (body) => {
    const p = parent[body]
    if (p > 0) for (let k = 0; k < width; k++) x[width * p + k] += x[width * body + k]
  }
}

/** y = J x; both in the memory of d, as all vectors here. */
export function motionPart({ kernels, tree, poses }: Data, y: Vec, x: Vec): DownPart {
  return {
    columns: [[y, 6]],
    visit: ({ from, to }) => kernels.addMotions(tree, poses, y.byteOffset, x.byteOffset, from, to),
  }
}

/** out += Jᵀ F; spoils F. */
export function forcePart(m: Model, { kernels, tree, poses }: Data, out: Vec, F: Vec): UpPart {
  return {
    columns: [[F, 6]],
    visit({ from, to }) {
      kernels.sumForcesUp(tree, poses, out.byteOffset, F.byteOffset, from, from, to)
      kernels.turnToParent(tree, poses, F.byteOffset, from)
    },
    add: adds(m, F, 6),
  }
}

/** The factor, of which each processor has prepared poses, axes, r and IA of its own bodies. */
export function factorPart(m: Model, { kernels, tree, factor, IA }: ImplicitFactor): UpPart {
  return {
    columns: [[IA, 21]],
    visit: ({ from, to }) => kernels.factorBodies(tree, factor, from, from, to),
    add: adds(m, IA, 21),
  }
}

/** First half of a solve: w = L⁻¹ x, of which the squares sum up to xᵀ P⁻¹ x. `table`: of a factor with forces p, which must be zero before. */
export function solveUpPart(m: Model, { kernels, tree }: ImplicitFactor, table: number, p: Vec, w: Vec, x: Vec): UpPart {
  return {
    columns: [[p, 6]],
    visit: ({ from, to }) => kernels.solveFactorUp(tree, table, w.byteOffset, x.byteOffset, from, from, to),
    add: adds(m, p, 6),
  }
}

/** Second half: w becomes the solution. */
export function solveDownPart({ kernels, tree, factor, a }: ImplicitFactor, w: Vec): DownPart {
  return {
    columns: [[a, 6]],
    visit: ({ from, to }) => kernels.solveFactorDown(tree, factor, w.byteOffset, from, to),
  }
}

/** sums[0] of processor 0 ← aᵀ b. `sums`: zeros, one a body. */
export function sumPart({ parent }: Model, { block, tree }: Data, sums: Vec, a: Vec, b: Vec): UpPart {
  const kernels = kernelsIn<ParallelKernels>(parallelModule, block)
  return {
    columns: [[sums, 1]],
    visit: ({ from, to }) => kernels.sumProducts(tree, sums.byteOffset, a.byteOffset, b.byteOffset, from, to),
    add(body) {
      sums[parent[body]] += sums[body]
      sums[body] = 0
    },
    // the place is empty again for the next sum
    sent(body) {
      sums[body] = 0
    },
  }
}
