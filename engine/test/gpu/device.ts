/**
 * Devices for tests: of whatever adapter there is, also one that computes on the processor, as Chromium brings along. Node finds that one through
 * libvulkan1, which `scripts/setup.mjs` installs.
 */
import { existsSync } from 'node:fs'
import { create } from 'webgpu'

const SOFTWARE = '/usr/lib/chromium/vk_swiftshader_icd.json'

export interface TestGpu {
  /** A new device; errors that nobody catches fail the test that asks `problems`. */
  device(): Promise<GPUDevice>
  readonly problems: string[]
  /** Ends all devices, so that Node can end. */
  close(): void
}

/** undefined where there is no adapter: tests are then skipped. */
export async function openTestGpu(): Promise<TestGpu | undefined> {
  const before = process.env['VK_DRIVER_FILES']
  if (before === undefined && existsSync(SOFTWARE)) process.env['VK_DRIVER_FILES'] = SOFTWARE
  // kept by the closures below: the package must not be collected while it is in use
  const gpu = create([])
  const first = await gpu.requestAdapter()
  if (before === undefined) delete process.env['VK_DRIVER_FILES']
  if (first === null) return undefined
  const problems: string[] = []
  const devices: GPUDevice[] = []
  return {
    problems,
    async device() {
      const adapter = (await gpu.requestAdapter()) ?? first
      const device = await adapter.requestDevice()
      device.onuncapturederror = ({ error }) => problems.push(error.message)
      devices.push(device)
      return device
    },
    close() {
      for (const device of devices) device.destroy()
    },
  }
}

export const NO_ADAPTER = 'no WebGPU adapter here (scripts/setup.mjs installs chromium and libvulkan1, which bring one)'

/** Largest difference, relative to the number where it is above 1; infinite where one is not finite. */
export function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0
  for (let k = 0; k < a.length; k++) {
    const d = Math.abs(a[k] - b[k]) / Math.max(1, Math.abs(b[k]))
    most = d <= most ? most : Number.isNaN(d) ? Number.POSITIVE_INFINITY : d
  }
  return most
}
