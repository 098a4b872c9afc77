/**
 * Inertia in the space of points: what masses do when the transforms T of bodies (3 × 4, R row by row then p) change.
 *
 * With Mt = ∫ρ (x;1)(x;1)ᵀ the inner product of two changes is ∫ρ P(a)·P(b) = tr(a Mt bᵀ), whatever joints there are. Backward Euler in
 * points [Pan and Manocha 2018] asks for the gradient of ½ tr((T − Y) Mt (T − Y)ᵀ)/h² − gᵀ T Mt e₄, Y where bodies would be without forces. Along
 * T → T exp[ξ] it is ξ · (axial(W3); w) with
 *   W = Rᵀ ((T − Y)/h² − (0 g)) Mt = (W3 | w)
 */
import { kernelsIn } from '../kernels/instance.js'
import { type Block, blockWith, takeRoom } from '../kernels/memory.js'
import type { Vec } from '../math/types.js'
import type { Model } from '../model/model.js'
import { type TreeKernels, treeModule } from '../printed/tree.js'
import { MOMENTS } from './point-moments.js'

/** Places of the energies. */
export const INERTIAL = 0
export const POTENTIAL = 1

/**
 * Reads poses X, a 3 × 4 change A − Y of each body (12 numbers each), its factor s = scale[0], and the share of the weight that each body
 * feels. Writes W = Rᵀ (s (A − Y) − lift (0 g)) Mt (12 a body: W3 row by row, w), E[INERTIAL] = ½ s tr((A − Y) Mt (A − Y)ᵀ) and
 * E[POTENTIAL] = −lift gᵀ T Mt e₄, summed over bodies. Moments are those of `createMoments`, which hold gravity too.
 */
export function inertialPass(m: Model, moments: Vec, lift: Vec, X: Vec, A: Vec, Y: Vec, scale: Vec, W: Vec, E: Vec): void {
  const { buffer: b } = X
  const together = moments.buffer === b && lift.buffer === b && A.buffer === b && Y.buffer === b && scale.buffer === b
  const block = together && W.buffer === b && E.buffer === b ? blockWith(b) : undefined
  if (block) return pass(block, m.nbody, moments, lift, X, A, Y, scale, W, E)
  const r = roomFor(m)
  for (let k = 0; k < moments.length; k++) r.moments[k] = moments[k]
  for (let k = 0; k < r.lift.length; k++) r.lift[k] = lift[k]
  for (let k = 0; k < r.X.length; k++) {
    r.X[k] = X[k]
    r.A[k] = A[k]
    r.Y[k] = Y[k]
  }
  r.scale[0] = scale[0]
  pass(r.block, m.nbody, r.moments, r.lift, r.X, r.A, r.Y, r.scale, r.W, r.E)
  for (let k = 12; k < r.W.length; k++) W[k] = r.W[k]
  E[INERTIAL] = r.E[INERTIAL]
  E[POTENTIAL] = r.E[POTENTIAL]
}

function pass(block: Block, nbody: number, moments: Vec, lift: Vec, X: Vec, A: Vec, Y: Vec, scale: Vec, W: Vec, E: Vec): void {
  const kernels = kernelsIn<TreeKernels>(treeModule, block)
  const { byteOffset: x } = X
  const { byteOffset: s } = scale
  kernels.pointInertia(nbody, moments.byteOffset, lift.byteOffset, x, A.byteOffset, Y.byteOffset, s, W.byteOffset, E.byteOffset)
}

/** Room for vectors that do not lie in one memory, of each model. */
const rooms = new WeakMap<Model, ReturnType<typeof createRoom>>()

function roomFor(m: Model): ReturnType<typeof createRoom> {
  let room = rooms.get(m)
  if (!room) {
    room = createRoom(m)
    rooms.set(m, room)
  }
  return room
}

function createRoom({ nbody }: Model) {
  const n = 12 * nbody
  const { block, start } = takeRoom(8 * (4 * n + (MOMENTS + 1) * nbody + 3))
  let at = start
  const take = (count: number): Vec => {
    const numbers = new Float64Array(block.buffer, at, count)
    at += 8 * count
    return numbers
  }
  return {
    block,
    X: take(n),
    A: take(n),
    Y: take(n),
    W: take(n),
    moments: take(MOMENTS * nbody),
    lift: take(nbody),
    scale: take(1),
    E: take(2),
  }
}
