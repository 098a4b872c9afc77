/** What keeps the states of a batch and steps them: a device, or lanes in its place. Numbers go in and out as rows, one an environment. */
import type { BatchArray } from '../layout.js'
import type { BatchSelection, BatchStart } from '../start.js'
import type { GpuBuffers } from './types.js'

/** tasks of a program, in the order of its kernels */
export const DYNAMICS = 0
export const STEP = 1
export const OBSERVE = 2

export interface Store {
  readonly device: 'gpu' | 'lanes'
  readonly adapter: string
  readonly warnings: readonly string[]
  buffers(): GpuBuffers
  /** Enqueues steps. A promise where it goes on later: nothing else may be enqueued until then. */
  run(task: number, times: number): Promise<void> | undefined
  encode(encoder: GPUCommandEncoder, times: number): void
  reset(which: BatchSelection | GPUBuffer | undefined, start: BatchStart): void
  /** Rows of these fields, one after the other. */
  read(fields: readonly string[], out: BatchArray): Promise<void>
  write(fields: readonly string[], from: BatchArray): void
  failures(): Promise<number>
  /** Numbers of all states side by side: number k of environment e at k · count + e. */
  states(): Promise<Float32Array<ArrayBuffer>>
  setStates(states: Float32Array): void
  /** Resolves with the reason when it can go on no more; never in lanes. */
  readonly lost: Promise<string>
  close(): void
}
