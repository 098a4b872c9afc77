/** Models that the fuzzer found to step badly, as small as it left them: `found/`, named after what is odd about them. Each is stepped in every run. */
import { readdirSync, readFileSync } from 'node:fs'
import { formats } from './samples.mjs'

const folder = new URL('./found/', import.meta.url)
const FORMATS = { xml: 'MJCF', urdf: 'URDF', json: 'scene' }

export const found = readdirSync(folder)
  .sort()
  .map((name) => ({
    name,
    input: { format: formats.find((format) => format.name === FORMATS[name.split('.').pop()]), bytes: readFileSync(new URL(name, folder)) },
  }))
