/** A batch on a GPU: steps and writes are enqueued, reads are promises. */
import type { Model } from '../../model/model.js'
import type { ObservedPart } from '../../solvers/implicit/observe.js'
import type { BatchArray, BatchParameter } from '../layout.js'
import type { BatchSelection, BatchStart } from '../start.js'

declare global {
  // TypeScript before 6 has no types of WebGPU: then these are empty, and no package has to be installed for them
  interface GPUDevice {}
  interface GPUBuffer {}
  interface GPUCommandEncoder {}
}

/** Numbers of every environment in a buffer of f32: number k of environment e is number (at + k) · stride + e. */
export interface GpuBuffers {
  readonly state: GPUBuffer
  /** environments that the buffer has room for */
  readonly stride: number
  /** q, v, a, tau, control, steps, failed and what else a state has */
  readonly fields: Readonly<Record<string, { readonly at: number; readonly length: number }>>
}

/** How a device was lost, and where the batch went on. */
export interface GpuLoss {
  readonly reason: string
  /** what the batch went on from: the last one that was made or restored, else the start */
  readonly snapshot: ArrayBuffer
  readonly device: 'gpu' | 'lanes'
}

export interface GpuBatch {
  readonly model: Model
  readonly count: number
  readonly precision: 'f32' | 'f64'
  readonly timestep: number
  /** where steps are computed: lanes are WebAssembly on the processor, where there is no GPU or it was lost */
  readonly device: 'gpu' | 'lanes'
  /** name of the graphics adapter; empty in lanes */
  readonly adapter: string
  readonly leftOut: readonly string[]
  /** why there is no GPU, or not all of what was asked for */
  readonly warnings: readonly string[]
  readonly observations: readonly ObservedPart[]
  readonly observationSize: number
  /** The buffer of the states, for shaders of your own. Throws in lanes. After a loss it is another one. */
  readonly buffers: GpuBuffers
  /** Resolves when the device was lost and the batch goes on: in lanes, or on a new device. A later loss has a promise of its own. */
  readonly lost: Promise<GpuLoss>

  /** Enqueues this number of steps of all environments. Those that cannot go on stay at their last state. */
  step(times?: number): void
  /** Writes the same into a command buffer of yours, to be submitted by you. Throws in lanes. */
  encode(encoder: GPUCommandEncoder, times?: number): void
  /** Enqueues the accelerations at the states. */
  forwardDynamics(): void
  /**
   * Back to the start, with joint forces zero: all, those whose entry in a mask is not 0, those of an `Int32Array`, or those whose u32 in a
   * buffer on the GPU is not 0, which a shader may have written.
   */
  reset(which?: BatchSelection | GPUBuffer, start?: BatchStart): void

  /** Rows of numbers, one an environment; copied at once. */
  writeState(from: BatchArray): void
  writeControl(from: BatchArray): void
  writeTau(from: BatchArray): void
  /** Numbers that environments have for themselves, named in `vary`. */
  writeParameter(name: BatchParameter, from: BatchArray): void

  /** Rows as they are after all that was enqueued before; several reads may be under way. Rejects if the device is lost meanwhile. */
  readState(out?: BatchArray): Promise<BatchArray>
  readAccelerations(out?: BatchArray): Promise<BatchArray>
  readObservations(out?: BatchArray): Promise<BatchArray>
  /** 1 for each environment whose last step failed, else 0 */
  readFailed(): Promise<Uint8Array>
  /** how many those are */
  failures(): Promise<number>
  /** Why an environment failed, with its number, the joint and a remedy; undefined where it did not. */
  failure(e: number): Promise<string | undefined>

  /** All that the next step depends on. It fits batches on a GPU and those that went on in lanes. */
  snapshot(): Promise<ArrayBuffer>
  restore(snapshot: ArrayBuffer): void
  /** Frees buffers, and ends the device if the batch opened it. */
  close(): void
}
