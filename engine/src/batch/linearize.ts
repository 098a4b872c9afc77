/**
 * Derivatives of steps at many states at once, by central differences. Every perturbed copy of a state is an environment of one batch, so that one
 * call of `step` linearises a whole trajectory:
 *
 *   x⁺ = f(x, u),   A = ∂x⁺/∂x,   B = ∂x⁺/∂u,   x = (q, v, act), of q the velocity that leads from one to the other
 */
import { difference, integrate } from '../joints/index.js'
import type { Model } from '../model/model.js'
import { createBatch } from './batch.js'
import type { BatchArray } from './layout.js'
import type { BatchOptions } from './options.js'
import type { BatchContact } from './programs.js'
import { checkNames } from './start.js'
import { checkLength } from './views.js'

export interface LinearizerOptions extends Pick<BatchOptions, 'threads' | 'startThread' | 'timestep' | 'strict'> {
  /** states that a call linearises */
  readonly count: number
  /** default true: contact, by the ground step; false: explicit steps without contact */
  readonly contact?: boolean | BatchContact
  /** steps for which a control is held; default 1 */
  readonly times?: number
  /** size of the perturbations; default 1e-6 */
  readonly difference?: number
}

/** The arrays are reused by the next call: copy the numbers that you keep. */
export interface Linearization {
  /** nx × nx for each state, by rows */
  readonly A: Float64Array
  /** nx × nu */
  readonly B: Float64Array
  /** rows of q and v after the step */
  readonly next: Float64Array
  /** states of which a copy could not go on, with the cause; their derivatives are not numbers */
  readonly failures: readonly string[]
}

export interface Linearizer {
  readonly count: number
  /** 2 nv + na */
  readonly nx: number
  readonly nu: number
  /** environments that a call steps */
  readonly copies: number
  readonly leftOut: readonly string[]
  readonly warnings: readonly string[]
  /** At rows of q and v (nq + nv numbers), controls (nu) and, where the model has them, activations (na; default 0). */
  linearize(states: BatchArray, controls: BatchArray, activations?: BatchArray): Linearization
  close(): void
}

const optionNames = Object.keys({
  ...{ count: 0, contact: 0, times: 0, difference: 0 },
  ...{ threads: 0, startThread: 0, timestep: 0, strict: 0 },
} satisfies Record<keyof LinearizerOptions, 0>)

/** cube root of the precision, about: rounding and the third derivative weigh the same */
const DIFFERENCE = 1e-6
/** residual of the contact forces: its error is divided by the perturbation */
const TOLERANCE = 1e-10

export async function createLinearizer(model: Model, options: LinearizerOptions): Promise<Linearizer> {
  checkNames('option of a linearizer', options, optionNames)
  const { count, contact = true, times = 1, difference: eps = DIFFERENCE, ...more } = options
  if (!(Number.isInteger(count) && count >= 1)) throw new RangeError(`count: expected a whole number of states from 1, got ${count}`)
  if (!(Number.isInteger(times) && times >= 1)) throw new RangeError(`times: expected a whole number of steps from 1, got ${times}`)
  if (!(eps > 0 && eps < 1)) throw new RangeError(`difference: expected a number between 0 and 1, got ${eps}`)
  const { nq, nv, nu, na } = model
  const nx = 2 * nv + na
  // the state itself, and one to each side of it along every direction
  const each = 1 + 2 * (nx + nu)
  const touching = contact === false ? {} : { contact: { tolerance: TOLERANCE, ...(contact === true ? {} : contact) } }
  const batch = await createBatch(model, { ...more, ...touching, count: count * each })
  const q = new Float64Array(count * each * nq)
  const v = new Float64Array(count * each * nv)
  const control = new Float64Array(count * each * nu)
  const act = new Float64Array(count * each * na)
  const after = new Float64Array(count * each * (nq + nv))
  const out = { A: new Float64Array(count * nx * nx), B: new Float64Array(count * nx * nu), next: new Float64Array(count * (nq + nv)) }
  const direction = new Float64Array(nv)
  const column = new Float64Array(nx)

  /** Moves copy e along coordinate k of (x, u). */
  const perturb = (e: number, k: number, size: number): void => {
    if (k < nv) {
      direction.fill(0)
      direction[k] = 1
      integrate(model, q.subarray(e * nq, (e + 1) * nq), direction, size)
    } else if (k < 2 * nv) v[e * nv + k - nv] += size
    else if (k < nx) act[e * na + k - 2 * nv] += size
    else control[e * nu + k - nx] += size
  }
  const spread = (to: Float64Array, from: BatchArray, width: number, stride: number, start: number): void => {
    for (let e = 0; e < count * each; e++) {
      const row = Math.floor(e / each) * stride + start
      for (let k = 0; k < width; k++) to[e * width + k] = from[row + k]
    }
  }
  const placeOf = (e: number): Float64Array => after.subarray(e * (nq + nv), e * (nq + nv) + nq)
  const activation = new Float64Array(na)
  /** (x⁺ of copy a − x⁺ of copy b) / 2 ε */
  const slope = (a: number, b: number): void => {
    difference(model, direction, placeOf(b), placeOf(a))
    for (let k = 0; k < nv; k++) {
      column[k] = direction[k] / (2 * eps)
      column[nv + k] = (after[a * (nq + nv) + nq + k] - after[b * (nq + nv) + nq + k]) / (2 * eps)
    }
    if (na === 0) return
    batch.act(a).read(activation)
    for (let k = 0; k < na; k++) column[2 * nv + k] = (activation[k] - batch.act(b).get(k)) / (2 * eps)
  }

  return {
    ...{ count, nx, nu, copies: count * each, leftOut: batch.leftOut, warnings: batch.warnings },
    linearize(states, controls, activations) {
      checkLength('states', states, count * (nq + nv))
      checkLength('controls', controls, count * nu)
      if (activations) checkLength('activations', activations, count * na)
      spread(q, states, nq, nq + nv, 0)
      spread(v, states, nv, nq + nv, nq)
      spread(control, controls, nu, nu, 0)
      if (activations) spread(act, activations, na, na, 0)
      else act.fill(0)
      for (let n = 0; n < count; n++) {
        for (let k = 0; k < nx + nu; k++) {
          perturb(n * each + 1 + 2 * k, k, eps)
          perturb(n * each + 2 + 2 * k, k, -eps)
        }
      }
      batch.reset(undefined, { q, v })
      batch.writeControl(control)
      if (na > 0) for (let e = 0; e < count * each; e++) batch.act(e).write(act.subarray(e * na, (e + 1) * na))
      const lost = batch.step(times)
      batch.readState(after)
      const failures: string[] = []
      for (let n = 0; n < count; n++) {
        const first = n * each
        out.next.set(after.subarray(first * (nq + nv), (first + 1) * (nq + nv)), n * (nq + nv))
        const bad = lost === 0 ? -1 : Array.from({ length: each }, (_, c) => first + c).findIndex((e) => batch.failed(e))
        if (bad >= 0) failures.push(`state ${n}: ${(batch.failure(first + bad) ?? '').replace(/^environment \d+: /, '')}`)
        for (let k = 0; k < nx + nu; k++) {
          slope(first + 1 + 2 * k, first + 2 + 2 * k)
          const [to, width, c] = k < nx ? [out.A, nx, k] : [out.B, nu, k - nx]
          for (let r = 0; r < nx; r++) to[(n * nx + r) * width + c] = bad < 0 ? column[r] : Number.NaN
        }
      }
      return { ...out, failures }
    },
    close: () => batch.close(),
  }
}
