/** Where the GPU comes from: that of the page, in Node the package `webgpu`, or a device of the caller's own. */

export interface OpenDevice {
  readonly device: GPUDevice
  /** name of the adapter, for people */
  readonly adapter: string
  /** Ends the device, if it was opened here. */
  close(): void
}

/** A device, or why there is none. */
export type DeviceOrReason = OpenDevice | { readonly device: undefined; readonly reason: string }

/** `software`: whether an adapter that computes on the processor will do; it is slower than lanes. */
export async function openDevice(software: boolean): Promise<DeviceOrReason> {
  const none = (reason: string): DeviceOrReason => ({ device: undefined, reason })
  const gpu = await findGpu()
  if (gpu === undefined)
    return none('no WebGPU here; in Node install the package webgpu, in a page use a browser that has it and a secure context (https)')
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' })
  if (adapter === null) return none('WebGPU has no adapter here; check the driver, or flags of the browser')
  const { info, limits } = adapter
  const name = [info.vendor, info.architecture, info.description].filter((x) => x !== '').join(' ')
  if (!software && isSoftware(info)) return none(`the only adapter, ${name}, is a software driver, slower than lanes`)
  const { maxStorageBufferBindingSize, maxBufferSize } = limits
  const device = await adapter.requestDevice({ requiredLimits: { maxStorageBufferBindingSize, maxBufferSize } })
  open++
  const close = (): void => {
    device.destroy()
    // Node ends only when nothing holds the package any more
    if (--open === 0) ofNode = undefined
  }
  return { device, adapter: name, close }
}

/** devices in use */
let open = 0

const isSoftware = ({ architecture, isFallbackAdapter }: GPUAdapterInfo): boolean =>
  isFallbackAdapter || ['swiftshader', 'llvmpipe', 'warp'].includes(architecture)

/** kept while in use: the package crashes if the collector takes it */
let ofNode: GPU | undefined

async function findGpu(): Promise<GPU | undefined> {
  if (typeof navigator !== 'undefined' && 'gpu' in navigator) return navigator.gpu
  if (typeof process === 'undefined' || process.versions?.node === undefined) return undefined
  if (ofNode !== undefined) return ofNode
  try {
    // a name that bundlers of pages do not follow
    const name = 'webgpu'
    const { create } = (await import(/* @vite-ignore */ name)) as { create(options: string[]): GPU }
    ofNode = create([])
    return ofNode
  } catch {
    return undefined
  }
}
