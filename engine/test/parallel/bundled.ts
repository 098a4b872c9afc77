/** Programs of the tests as files that a process or a thread can load: bundled from the sources, in a folder that sees the workspace's packages. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../conformance/bundle.js'

export interface Bundled {
  readonly path: string
  readonly folder: string
  remove(): void
}

/** Bundles a module beside this one. */
export async function bundled(name: string): Promise<Bundled> {
  const folder = mkdtempSync(join(tmpdir(), 'limber-parallel-'))
  const path = join(folder, 'program.mjs')
  symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(folder, 'node_modules'))
  writeFileSync(path, await bundle({ path: fileURLToPath(new URL(name, import.meta.url)) }, 'module'))
  return { path, folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
