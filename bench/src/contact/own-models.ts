/** MJCF files of one's own as cases of `limber bench --contact`: text and every file that either engine may ask for. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { parseMjcf } from 'limber'
import type { ContactCase } from './cases.js'

/** what a model consists of; pictures too, without which MuJoCo does not load it */
const PARTS = /\.(xml|mjcf|obj|stl|msh|ply|png|skn|hf|bin|csv)$/i

/** Robots that nobody chose: none may be far behind, and half of them at most by half. */
const ANY = { mean: 10 } as const

/** Throws ModelError where the engine cannot read it. */
export function readCase(path: string): ContactCase {
  const folder = dirname(path)
  const files: Record<string, string | Uint8Array> = {}
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !PARTS.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    files[relative(folder, file).split(sep).join('/')] = readFileSync(file)
  }
  const mjcf = readFileSync(path, 'utf8')
  // what lies beside the folder is known by the names that are asked for
  parseMjcf(mjcf, {
    resolve: (name) => {
      files[name] ??= readIfThere(join(folder, name)) ?? ''
      return files[name] === '' ? undefined : files[name]
    },
  })
  return { name: path, mjcf, files, bars: ANY }
}

function readIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
