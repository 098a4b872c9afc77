/**
 * The version of this package, from its manifest.
 */
import { readFileSync } from 'node:fs'

const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

export const version = typeof manifest === 'object' && manifest && 'version' in manifest ? String(manifest.version) : '0.0.0'
