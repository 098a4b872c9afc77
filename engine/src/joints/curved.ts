/**
 * Joints whose velocities are not rates of their coordinates: balls and free joints, by the kernels of `joints/curved.kernel`. Vectors may
 * lie anywhere, so that a joint's numbers are copied to a room that kernels see, and back.
 */
import { kernelsIn } from '../kernels/instance.js'
import { takeRoom } from '../kernels/memory.js'
import type { Vec } from '../math/types.js'
import type { Model } from '../model/model.js'
import { BALL } from '../model/tables.js'
import { type TreeKernels, treeModule } from '../printed/tree.js'
import type { JointType } from './joint-type.js'

/** Coordinates or velocities of one joint, a step, and the same as addresses. */
type Work = ReturnType<typeof createWork>

function createWork() {
  const { block, start } = takeRoom(8 * 26)
  const take = (at: number, n: number): Vec => new Float64Array(block.buffer, start + 8 * at, n)
  const [a, b, c, h] = [take(0, 8), take(8, 8), take(16, 9), take(25, 1)]
  const at = { a: a.byteOffset, b: b.byteOffset, c: c.byteOffset, h: h.byteOffset }
  return { kernels: kernelsIn<TreeKernels>(treeModule, block), a, b, c, h, at }
}

let made: Work | undefined

function work(): Work {
  made ??= createWork()
  return made
}

function copy(out: Vec, o: number, x: Vec, i: number, n: number): void {
  for (let k = 0; k < n; k++) out[o + k] = x[i + k]
}

/** out[o …] ← rotation vector of the unit quaternion q[i …], angle at most π. */
export function logQuat(out: Vec, o: number, q: Vec, i: number): void {
  const { kernels, a, b, c, at } = work()
  a.fill(0)
  a[0] = 1
  copy(b, 0, q, i, 4)
  kernels.curvedDifference(BALL, at.c, at.a, at.b)
  copy(out, o, c, 0, 3)
}

/** The part of JointType that they share. `kind`: that of their only step. */
export function curvedCoordinates(kind: number, nq: number, nv: number) {
  return {
    nq,
    nv,
    steps: [kind],
    axes: [],
    linear: false,
    together: true,
    integrate(m: Model, j: number, q: Vec, v: Vec, h: number): void {
      const { kernels, a, b, h: step, at } = work()
      copy(a, 0, q, m.jointQ[j], nq)
      copy(b, 0, v, m.jointV[j], nv)
      step[0] = h
      kernels.moveCurved(kind, at.a, at.b, at.h)
      copy(q, m.jointQ[j], a, 0, nq)
    },
    difference(m: Model, j: number, v: Vec, from: Vec, to: Vec): void {
      const { kernels, a, b, c, at } = work()
      copy(a, 0, from, m.jointQ[j], nq)
      copy(b, 0, to, m.jointQ[j], nq)
      kernels.curvedDifference(kind, at.c, at.a, at.b)
      copy(v, m.jointV[j], c, 0, nv)
    },
    chartRate(m: Model, j: number, out: Vec, xi: Vec, v: Vec): void {
      const { kernels, a, b, c, at } = work()
      copy(a, 0, xi, m.jointV[j], nv)
      copy(b, 0, v, m.jointV[j], nv)
      kernels.curvedRate(kind, at.c, at.a, at.b)
      copy(out, m.jointV[j], c, 0, nv)
    },
    // the gradient of ½|log R|² + ½|p − p₀|²: the rotation vector is its own eigenvector
    stretch(m: Model, j: number, out: Vec, rest: Vec, q: Vec): void {
      const { kernels, a, b, c, at } = work()
      copy(a, 0, rest, m.jointQ[j], nq)
      copy(b, 0, q, m.jointQ[j], nq)
      kernels.curvedDifference(kind, at.c, at.a, at.b)
      copy(out, m.jointV[j], c, 0, 3)
      copy(out, m.jointV[j] + 3, c, 6, nv - 3)
    },
  } as const satisfies Partial<JointType>
}
