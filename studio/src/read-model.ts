/**
 * Dropped files → Spec: picks the model among them and gives it the others when it asks.
 */
import { ModelError, parseMjcf, parseScene, parseUrdf, type Spec } from 'limber'
import type { SourceFile } from './protocol.js'

export function readModel(files: readonly SourceFile[]): Spec {
  const main = files.find(({ name }) => /\.(xml|mjcf|urdf|jsonc?)$/i.test(name))
  if (!main) {
    throw new ModelError([{ path: files.map(({ name }) => name).join(', '), message: 'expected a model: .xml, .urdf or .json' }])
  }
  const text = new TextDecoder().decode(main.bytes)
  // paths in the model mean folders that a browser does not see: the last part decides
  const resolve = (path: string) => {
    const wanted = lastPart(path)
    return files.find(({ name }) => name.toLowerCase() === wanted)?.bytes
  }
  if (/\.jsonc?$/i.test(main.name)) return parseScene(text, { file: main.name })
  const root = text.replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>]*>/g, '').match(/<\s*([\w:-]+)/)?.[1]
  return root === 'robot' ? parseUrdf(text, { file: main.name, resolve }) : parseMjcf(text, { file: main.name, resolve })
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1)?.toLowerCase() ?? ''
}
