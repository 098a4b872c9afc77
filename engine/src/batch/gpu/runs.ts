/**
 * States, work space and shaders of a batch on one device: dispatches, writes and reads.
 *
 * The state buffer has all environments. The work space has room for some thousand, so that it stays in the cache of the GPU: environments are
 * stepped chunk by chunk. A dispatch makes a power of two of steps, few enough for the patience of browsers (`pace`).
 */

import type { GpuImage } from './image.js'
import { createPace } from './pace.js'
import { createReads } from './reads.js'
import { WORKGROUP } from './shader.js'
import { STORAGE, UNIFORM } from './usage.js'

/** Bytes of the work space, unless one workgroup takes more: about the second-level cache of a graphics card. */
const CACHE = 32 * 2 ** 20
/** invocations at least, so that every core of the GPU has work */
const LEAST = 4096
/** distance of uniforms that any device allows */
const STRIDE = 256
/** workgroups of a dispatch along one axis */
const MOST_GROUPS = 65535

/** Environments in the state buffer, and in the work space. */
export function sizesFor(count: number, { work }: Pick<GpuImage, 'work'>, chunk?: number): { N: number; C: number } {
  const whole = (n: number): number => Math.ceil(n / WORKGROUP) * WORKGROUP
  const N = whole(count)
  const fitting = Math.max(LEAST, Math.floor(CACHE / (4 * Math.max(1, work.length))))
  return { N, C: Math.min(N, whole(chunk ?? fitting), WORKGROUP * MOST_GROUPS) }
}

/** Why a device cannot hold the batch; undefined if it can. */
export function tooLarge({ limits }: GPUDevice, { work, state }: GpuImage, { N, C }: { N: number; C: number }): string | undefined {
  const bytes = 4 * Math.max(state.length * N, work.length * C)
  const most = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize, 2 ** 31)
  if (bytes <= most) return undefined
  const inMegabytes = (x: number): number => Math.ceil(x / 2 ** 20)
  return `the batch takes a buffer of ${inMegabytes(bytes)} MB, and this device has ${inMegabytes(most)} MB at most; make several batches`
}

export interface Runs {
  readonly state: GPUBuffer
  /** Enqueues steps of a kernel by its number. */
  run(kernel: number, times: number): void
  /** Writes them into a command buffer of the caller's. */
  encode(encoder: GPUCommandEncoder, kernel: number, times: number): void
  /** Writes numbers of the state from `at` on, side by side. */
  write(at: number, numbers: Float32Array<ArrayBuffer>): void
  /** Reads `length` numbers of every environment from number `at` on, side by side: number k of environment e at k N + e. */
  read(at: number, length: number): Promise<ArrayBuffer>
  /** A shader of `small-shaders`, compiled when it first runs. */
  small(code: () => string): SmallShader
  destroy(): void
}

export interface SmallShader {
  /** `uniforms`: U; `given`: the buffers behind it, or what they hold. */
  run(uniforms: readonly number[], given: readonly (GPUBuffer | Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>)[]): void
  /** Runs it, and reads the first of these buffers. */
  read(uniforms: readonly number[], given: readonly [Uint32Array<ArrayBuffer>]): Promise<ArrayBuffer>
}

export async function createRuns(
  device: GPUDevice,
  image: GpuImage,
  { count, N, C, states }: { count: number; N: number; C: number; states: Float32Array<ArrayBuffer> },
  shaders: readonly (() => string)[],
  first: number,
): Promise<Runs> {
  const entries = (['storage', 'storage', 'read-only-storage', 'read-only-storage', 'uniform', 'uniform'] as const).map(
    (type, binding) => ({
      ...{ binding, visibility: 4, buffer: { type, hasDynamicOffset: type === 'uniform' } },
    }),
  )
  const layout = device.createBindGroupLayout({ entries })
  const pipelineLayout = device.createPipelineLayout({ bindGroupLayouts: [layout] })
  const described = (kernel: number): GPUComputePipelineDescriptor => ({
    layout: pipelineLayout,
    compute: { module: device.createShaderModule({ code: shaders[kernel]() }), entryPoint: 'run' },
  })
  const pipelines: GPUComputePipeline[] = []
  pipelines[first] = await device.createComputePipelineAsync(described(first))
  const buffers = new Set<GPUBuffer>()
  const filled = (from: Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>, usage: number): GPUBuffer => {
    const buffer = device.createBuffer({ size: Math.max(16, from.byteLength), usage })
    device.queue.writeBuffer(buffer, 0, from)
    buffers.add(buffer)
    return buffer
  }
  const pace = createPace(device)
  const reads = createReads(device)
  const chunks = Math.ceil(count / C)
  const state = filled(states, STORAGE)
  const work = filled(spread(image.work, C), STORAGE)
  const model = filled(image.model, STORAGE)
  const uniforms = (numbers: readonly (readonly [number, number])[]): GPUBuffer => {
    const words = new Int32Array((STRIDE / 4) * numbers.length)
    for (const [k, pair] of numbers.entries()) words.set(pair, (STRIDE / 4) * k)
    return filled(words, UNIFORM)
  }
  const ofChunks = Array.from({ length: chunks }, (_, k) => [C * k, Math.min(C, count - C * k)] as const)
  const chunk = uniforms(ofChunks)
  const repeats = uniforms(Array.from({ length: pace.powers }, (_, k) => [1 << k, 0] as const))
  const group = device.createBindGroup({
    layout,
    entries: [state, work, model, model, chunk, repeats].map((buffer, binding) => ({
      binding,
      resource: binding < 4 ? { buffer } : { buffer, size: 16 },
    })),
  })

  const dispatch = (pass: GPUComputePassEncoder, kernel: number, k: number, power: number): void => {
    pipelines[kernel] ??= device.createComputePipeline(described(kernel))
    pass.setPipeline(pipelines[kernel])
    pass.setBindGroup(0, group, [STRIDE * k, STRIDE * power])
    pass.dispatchWorkgroups(Math.ceil(ofChunks[k][1] / WORKGROUP))
  }
  const small = (code: () => string): SmallShader => {
    let pipeline: GPUComputePipeline | undefined
    let uniform: GPUBuffer | undefined
    const kept: GPUBuffer[] = []
    /** A buffer with these contents: the one of the last time, if it is large enough. */
    const holding = (k: number, contents: Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>): GPUBuffer => {
      if ((kept[k]?.size ?? 0) >= contents.byteLength) device.queue.writeBuffer(kept[k], 0, contents)
      else {
        kept[k]?.destroy()
        kept[k] = filled(contents, STORAGE)
      }
      return kept[k]
    }
    const run: SmallShader['run'] = (uniforms, given) => {
      pipeline ??= device.createComputePipeline({
        layout: 'auto',
        compute: { module: device.createShaderModule({ code: code() }), entryPoint: 'run' },
      })
      uniform ??= filled(new Int32Array(4), UNIFORM)
      device.queue.writeBuffer(uniform, 0, Int32Array.from(uniforms))
      const bound = given.map((x, k) => (x instanceof Uint32Array || x instanceof Float32Array ? holding(k, x) : x))
      const encoder = device.createCommandEncoder()
      const pass = encoder.beginComputePass()
      pass.setPipeline(pipeline)
      const resources = [state, uniform, ...bound].map((buffer, binding) => ({ binding, resource: { buffer } }))
      pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: resources }))
      const groups = Math.ceil(count / WORKGROUP)
      const across = Math.min(groups, MOST_GROUPS)
      pass.dispatchWorkgroups(across, Math.ceil(groups / across))
      pass.end()
      device.queue.submit([encoder.finish()])
    }
    const read: SmallShader['read'] = (uniforms, given) => {
      run(uniforms, given)
      return reads.read(kept[0], 0, given[0].byteLength)
    }
    return { run, read }
  }
  return {
    state,
    small,
    read: (at, length) => reads.read(state, 4 * at * N, 4 * length * N),
    run(kernel, times) {
      for (let left = times; left > 0; ) {
        const encoder = device.createCommandEncoder()
        const pass = encoder.beginComputePass()
        const before = left
        for (let room = pace.dispatches; room > 0 && left > 0; room -= chunks) {
          const power = pace.powerFor(left)
          for (let k = 0; k < chunks; k++) dispatch(pass, kernel, k, power)
          left -= 1 << power
        }
        pass.end()
        pace.submit(encoder.finish(), (before - left) * chunks)
      }
    },
    encode(encoder, kernel, times) {
      const pass = encoder.beginComputePass()
      for (let left = times; left > 0; ) {
        const power = pace.powerFor(left)
        for (let k = 0; k < chunks; k++) dispatch(pass, kernel, k, power)
        left -= 1 << power
      }
      pass.end()
    },
    write: (at, numbers) => device.queue.writeBuffer(state, 4 * at * N, numbers),
    destroy() {
      for (const buffer of buffers) buffer.destroy()
    },
  }
}

/** Every number `times` times, side by side. */
export function spread(numbers: Float32Array, times: number): Float32Array<ArrayBuffer> {
  const all = new Float32Array(numbers.length * times)
  for (const [k, x] of numbers.entries()) all.fill(x, k * times, (k + 1) * times)
  return all
}
