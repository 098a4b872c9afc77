/**
 * Dropped files → Spec: picks the model among them and gives it the others when it asks.
 */
import { ModelError, parseMjcf, parseScene, parseUrdf, type Spec, type UrdfOptions } from 'limber'
import type { SourceFile, UrdfInfo, UrdfSetting } from './protocol.js'

export interface ReadModel {
  readonly spec: Spec
  readonly main: string
  /** further files that could have been meant */
  readonly others: readonly string[]
  /** only of a URDF */
  readonly urdf?: UrdfInfo
}

export function readModel(files: readonly SourceFile[], wanted?: string, setting: UrdfSetting = {}): ReadModel {
  const candidates = files.filter((file) => /\.(xml|mjcf|urdf|jsonc?)$/i.test(file.name) && kindOf(file) !== 'other')
  const main = candidates.find(({ name }) => name === wanted) ?? choose(candidates)
  if (!main) {
    const names = files.map(({ name }) => name).slice(0, 5)
    const message = 'holds no model; drop an MJCF (.xml), URDF (.urdf) or scene (.json) file, alone or with its folder or zip of meshes'
    throw new ModelError([{ path: names.join(', '), message }])
  }
  const used = new Set([main])
  const read = parse(main, files, used, setting)
  return { ...read, main: main.name, others: candidates.filter((file) => !used.has(file)).map(({ name }) => name) }
}

/** Adds the files that the model asks for to `used`. */
function parse(
  main: SourceFile,
  files: readonly SourceFile[],
  used: Set<SourceFile>,
  setting: UrdfSetting,
): Pick<ReadModel, 'spec' | 'urdf'> {
  const text = decode(main)
  const file = main.name
  const resolve = (path: string) => {
    const found = findFile(files, main.name, path)
    if (found) used.add(found)
    return found?.bytes
  }
  const kind = kindOf(main)
  if (kind === 'scene') return { spec: parseScene(text, { file }) }
  return kind === 'urdf' ? readUrdf(text, { file, resolve }, setting) : { spec: parseMjcf(text, { file, resolve }) }
}

/** A free base that would fall for ever gets a floor, unless none is wanted. */
function readUrdf(text: string, files: UrdfOptions & { readonly file: string }, setting: UrdfSetting): Pick<ReadModel, 'spec' | 'urdf'> {
  const { base, floor, actuators = 'position' } = setting
  const options = { ...files, ...(base ? { base } : {}), ...(actuators === 'none' ? {} : { actuators }) }
  const spec = parseUrdf(text, { ...options, floor: floor ?? false })
  const free = spec.bodies.some(({ parent = 'world', joints = [] }) => parent === 'world' && joints.some(({ type }) => type === 'free'))
  const falls = floor === undefined && free && !spec.world?.geoms?.some(({ collide = true }) => collide)
  const urdf = { main: files.file, base: free ? 'free' : 'fixed', floor: floor ?? falls, actuators } as const
  return { spec: falls ? parseUrdf(text, { ...options, floor: true }) : spec, urdf }
}

function kindOf(file: SourceFile): 'scene' | 'urdf' | 'mjcf' | 'other' {
  if (/\.jsonc?$/i.test(file.name)) return /"(bodies|world)"/.test(decode(file)) ? 'scene' : 'other'
  if (/\.urdf$/i.test(file.name)) return 'urdf'
  const head = decode(file).replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>]*>/g, '')
  const root = head.match(/<\s*([\w:-]+)/)?.[1]
  if (root === 'robot') return 'urdf'
  // an MJCF file that is not closed or misspelt should be read, and the reader say what is wrong
  return root === 'mujoco' || root === undefined || !/^(package|launch|sdf|COLLADA|mujocoinclude)$/.test(root) ? 'mjcf' : 'other'
}

/** Files that another one includes are parts; of the rest a file named scene comes first, then the shortest path. */
function choose(candidates: readonly SourceFile[]): SourceFile | undefined {
  const included = new Set<string>()
  for (const file of candidates) {
    for (const [, name = ''] of decode(file).matchAll(/<include\s[^>]*file\s*=\s*["']([^"']+)["']/g)) included.add(lastPart(name))
  }
  const whole = candidates.filter(({ name }) => !included.has(lastPart(name)))
  const rank = ({ name }: SourceFile) => (/(^|\/)scene\.[^/]*$/i.test(name) ? 0 : 1000) + name.split('/').length * 100 + name.length / 1000
  return [...(whole.length > 0 ? whole : candidates)].sort((a, b) => rank(a) - rank(b))[0]
}

/** The file whose path ends most like the one asked for, seen from the model's folder. */
function findFile(files: readonly SourceFile[], main: string, path: string): SourceFile | undefined {
  const wanted = simplify(path.replace(/^(package|model|file):\/\//, ''))
  const folder = main.split('/').slice(0, -1)
  const exact = simplify([...folder, path].join('/')).join('/')
  const direct = files.find(({ name }) => name.toLowerCase() === exact)
  if (direct) return direct
  let best: SourceFile | undefined
  let most = 0
  for (const file of files) {
    const parts = simplify(file.name)
    let same = 0
    while (same < parts.length && same < wanted.length && parts.at(-1 - same) === wanted.at(-1 - same)) same++
    if (same > most) [best, most] = [file, same]
  }
  return best
}

function simplify(path: string): string[] {
  const parts: string[] = []
  for (const part of path.toLowerCase().split(/[\\/]/)) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1)?.toLowerCase() ?? ''
}

function decode({ bytes }: SourceFile): string {
  return new TextDecoder().decode(bytes)
}
