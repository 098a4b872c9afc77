import type { Device } from './trajectory-runs.js'

/** TODO after merge */
export async function findDevice(): Promise<Device> {
  return { name: '', isSoftware: false, why: 'not here', open: () => Promise.reject(new Error('no device')) }
}
