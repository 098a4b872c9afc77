/**
 * What of a state may be written from outside between two steps, remembered, so that it is seen where it was. A kernel compares: the numbers of a
 * state would each be boxed by a loop, until that is compiled.
 */
import { kernelsIn } from '../kernels/instance.js'
import { takeRoom } from '../kernels/memory.js'
import type { Vec } from '../math/types.js'
import { type TreeKernels, treeModule } from '../printed/tree.js'
import type { Model } from './model.js'
import type { State } from './state.js'

export interface Marks {
  readonly kernels: TreeKernels
  /** joint forces and controls, which a program may write without the solver's memory being concerned */
  readonly inputs: Vec
  /** where q, v and act begin, behind the time */
  readonly q: number
  readonly v: number
  readonly act: number
  /** the state as it was left, as it is, and 1 where these differ */
  readonly marked: Vec
  readonly seen: Vec
  readonly other: Vec
}

export function createMarks({ nq, nv, na, nu }: Model): Marks {
  const count = 1 + nq + nv + na
  const { block, start } = takeRoom(8 * (2 * count + 1 + nv + nu))
  const numbers = (from: number, n: number): Vec => new Float64Array(block.buffer, start + 8 * from, n)
  return {
    kernels: kernelsIn<TreeKernels>(treeModule, block),
    q: 1,
    v: 1 + nq,
    act: 1 + nq + nv,
    marked: numbers(0, count),
    seen: numbers(count, count),
    other: numbers(2 * count, 1),
    inputs: numbers(2 * count + 1, nv + nu),
  }
}

/** out ← time, coordinates, velocities and activations of the state. */
export function markState({ q, v, act }: Marks, out: Vec, state: State): void {
  out[0] = state.t
  out.set(state.q, q)
  out.set(state.v, v)
  if (act < out.length) out.set(state.act, act)
}

/** Whether the state is another one than was marked last. */
export function isMarkedOtherwise(marks: Marks, state: State): boolean {
  const { kernels, marked, seen, other } = marks
  markState(marks, seen, state)
  kernels.compareNumbers(seen.length, other.byteOffset, seen.byteOffset, marked.byteOffset)
  return other[0] === 1
}

/** Whether a joint force or a control is NaN: the only number that differs from itself. */
export function areInputsNaN({ kernels, inputs, other }: Marks, { tau, control }: State): boolean {
  inputs.set(tau)
  inputs.set(control, tau.length)
  kernels.compareNumbers(inputs.length, other.byteOffset, inputs.byteOffset, inputs.byteOffset)
  return other[0] === 1
}
