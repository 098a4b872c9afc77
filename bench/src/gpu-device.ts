/**
 * The GPU that a bench finds in Node: a graphics card, or else the driver that Chromium brings along, which computes on the processor and shows
 * that results are right.
 */
import { existsSync, readdirSync } from 'node:fs'
import type { GpuBatchOptions } from 'limber'

/** where drivers of graphics cards say that they are there */
const DRIVERS = ['/usr/share/vulkan/icd.d', '/etc/vulkan/icd.d']
const SOFTWARE_DRIVER = '/usr/lib/chromium/vk_swiftshader_icd.json'
const SOFTWARE: readonly string[] = ['swiftshader', 'llvmpipe', 'warp']

const hasFiles = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0

type Device = Exclude<GpuBatchOptions['device'], string>

/** What is used of the package `webgpu`. */
interface Gpu {
  requestAdapter(options: { powerPreference: string }): Promise<Adapter | null>
}
interface Adapter {
  readonly info: Readonly<Record<'vendor' | 'architecture' | 'description', string>> & { readonly isFallbackAdapter?: boolean }
  readonly limits: Readonly<Record<'maxStorageBufferBindingSize' | 'maxBufferSize', number>>
  requestDevice(options: object): Promise<Device & { destroy(): void }>
}

export interface GpuDevices {
  readonly name: string
  /** it computes on the processor: its speed means nothing */
  readonly isSoftware: boolean
  /** A device for one batch. */
  open(): Promise<Device>
  /** Ends all devices, without which Node goes on. */
  close(): void
}

/** while it is in use the package must not be collected */
const used = new Set<Gpu>()

/** Devices, or why there are none. */
export async function findGpu(): Promise<GpuDevices | string> {
  const found = await findAdapter()
  if (typeof found === 'string') return found
  const { gpu, adapter } = found
  const { vendor, architecture, description, isFallbackAdapter = false } = adapter.info
  const devices: { destroy(): void }[] = []
  return {
    name: [vendor, architecture, description].filter((x) => x !== '').join(' '),
    isSoftware: isFallbackAdapter || SOFTWARE.includes(architecture),
    async open() {
      const own = (await gpu.requestAdapter(FAST)) ?? adapter
      const { maxStorageBufferBindingSize, maxBufferSize } = own.limits
      const device = await own.requestDevice({ requiredLimits: { maxStorageBufferBindingSize, maxBufferSize } })
      devices.push(device)
      return device
    },
    close() {
      for (const device of devices) device.destroy()
      used.delete(gpu)
    },
  }
}

const FAST = { powerPreference: 'high-performance' }

async function findAdapter(): Promise<{ readonly gpu: Gpu; readonly adapter: Adapter } | string> {
  const name = 'webgpu'
  let create: (options: string[]) => Gpu
  try {
    create = ((await import(name)) as { create: typeof create }).create
  } catch {
    return 'the package webgpu is not installed'
  }
  // the loader of Vulkan complains where it is asked without any driver
  const isBare = process.platform === 'linux' && process.env['VK_DRIVER_FILES'] === undefined && !DRIVERS.some(hasFiles)
  const isSoftware = isBare && existsSync(SOFTWARE_DRIVER)
  if (isSoftware) process.env['VK_DRIVER_FILES'] = SOFTWARE_DRIVER
  const gpu = create([])
  used.add(gpu)
  const adapter = await gpu.requestAdapter(FAST)
  if (isSoftware) delete process.env['VK_DRIVER_FILES']
  if (adapter !== null) return { gpu, adapter }
  used.delete(gpu)
  return 'WebGPU finds no adapter; check the driver'
}
