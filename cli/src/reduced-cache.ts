/**
 * Reduced domains that were made before, by a hash of the mesh and of all that was asked: files in the user's cache folder, which may be removed at any time.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Mesh, ModelError, type Reduced, type ReduceOptions, readReduced } from 'limber'
import { version } from './version.js'
import { writeBeside } from './write-beside.js'

/** what is counted up when the same mesh reduces to other numbers */
const GENERATION = 1

function folder(): string {
  const { LIMBER_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  if (LIMBER_CACHE) return LIMBER_CACHE
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, 'limber')
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'limber', 'cache')
  return process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches', 'limber') : join(homedir(), '.cache', 'limber')
}

/** File of what this mesh reduces to with these options. */
export function cacheName(mesh: Mesh, options: ReduceOptions): string {
  const hash = createHash('sha256').update(JSON.stringify([version, GENERATION, mesh.corners, options]))
  for (const array of [mesh.vertices, mesh.elements]) hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  return join(folder(), 'reduced', `${hash.digest('hex')}.limber`)
}

/** The domain in this file of the cache, if it is there and sound. */
export async function cached(name: string): Promise<{ domain: Reduced; bytes: Uint8Array } | undefined> {
  try {
    const bytes = await readFile(name)
    return { domain: readReduced(bytes, name), bytes }
  } catch (error) {
    // not there, or damaged: made anew
    if (error instanceof ModelError || (error as NodeJS.ErrnoException).code !== undefined) return undefined
    throw error
  }
}

/** A cache that cannot be written is no reason to fail. */
export function keep(name: string, bytes: Uint8Array): void {
  try {
    writeBeside(name, bytes)
  } catch {
    // made anew the next time
  }
}
