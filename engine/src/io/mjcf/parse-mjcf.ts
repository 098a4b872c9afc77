/**
 * MJCF → Spec, with MuJoCo 3.14's semantics.
 *
 * Includes are unfolded, the vocabulary is checked, then sections are read in MuJoCo's order: compiler and options, default classes,
 * assets, the tree, and at last what refers to the tree. Problems are collected and thrown together; what is understood but
 * not taken over is in `spec.ignored`.
 */
import { createHullBudget } from '../../build/geometry/convex-hull.js'
import type { ReadSpec } from '../../build/spec.js'
import type { Place } from '../../model/model-error.js'
import { checkedResolve } from '../checked-resolve.js'
import { foldIgnored } from '../fold-ignored.js'
import { guarded } from '../guarded.js'
import { ownOf } from '../own-of.js'
import { IDENTITY } from '../pose.js'
import { addProblem, createXmlReader, parseXml, readString, throwProblems, type XmlElement } from '../xml.js'
import { makeSpec } from './compile/make-spec.js'
import { createTree } from './compile/tree.js'
import { createAssets, readAssets } from './elements/assets.js'
import { createBody, readWorldbody } from './elements/bodies.js'
import { defaultOptions, readOption } from './elements/options.js'
import { mainClass, readClasses } from './syntax/classes.js'
import { defaultCompiler, readCompiler } from './syntax/compiler.js'
import { ignoreElement, LACKS_MOTION, NO_MOTION, type Scope, type Shared, takeChecked } from './syntax/context.js'
import { touchDefaults } from './syntax/defaults.js'
import { expandIncludes, type Origins, type Resolve } from './syntax/include.js'
import { checkSchema } from './syntax/schema.js'
import { sweepUnused } from './syntax/unused.js'

export interface MjcfOptions {
  /**
   * Text or bytes of an included file, a mesh or an attached model. The path is that of the file relative to the folder of the
   * main file, with `meshdir` and `strippath` applied, forward slashes, without `.` parts; undefined means there is no such file.
   */
  readonly resolve?: Resolve
  /** name of the main file, for messages */
  readonly file?: string
  /**
   * what `mocap` bodies are: `driven` go where a program tells them, with coordinates after those of MuJoCo; `fixed` stay where they are drawn and
   * have none, as in MuJoCo. Default fixed
   */
  readonly mocap?: 'driven' | 'fixed'
}

const PART = 'stands outside worldbody: a part for another file to include, which MuJoCo skips as well; open that file, or move it there'

const LEFT_OUT: Record<string, string> = {
  body: PART,
  frame: PART,
  replicate: PART,
  size: NO_MOTION,
  statistic: NO_MOTION,
  visual: NO_MOTION,
  custom: NO_MOTION,
  extension: 'plugins are not loaded; what would use them is listed where it stands',
}

const OTHER_ROOTS: Readonly<Record<string, string>> = {
  robot: 'this looks like URDF',
  mujocoinclude: 'open the file that includes it',
  sdf: 'SDF is not read; convert the model to URDF or MJCF first',
}

/** Throws `ModelError`, and nothing else, on bad input. */
export function parseMjcf(text: string, options: MjcfOptions = {}): ReadSpec {
  return guarded(options.file, () => readMjcf(text, options))
}

function readMjcf(text: string, options: MjcfOptions): ReadSpec {
  const reader = createXmlReader({ emptyIsAbsent: true })
  const parsed = parseXml(text, options.file)
  if (parsed.name !== 'mujoco') {
    const hint = ownOf(OTHER_ROOTS, parsed.name) ?? 'an MJCF file has <mujoco> there, a URDF file <robot>'
    addProblem(reader, parsed, `expected <mujoco>, got <${parsed.name}>: ${hint}`)
    throwProblems(reader)
  }
  const origins: Origins = new Map()
  const resolve = checkedResolve(options.resolve)
  const root = expandIncludes(reader, parsed, resolve, origins)
  const known = new Set<XmlElement>()
  const shared: Shared = {
    reader,
    resolve,
    origins,
    known,
    skipped: new Set(),
    ignored: [],
    created: 0,
    vertices: 0,
    hulls: createHullBudget(),
    meshFiles: new Map(),
    poses: new Map(),
    depth: 0,
  }
  takeChecked(shared, checkSchema(reader, root))
  const sections = (tag: string): XmlElement[] => root.children.filter((child) => child.name === tag && known.has(child))

  // how to read the rest
  const compiler = defaultCompiler()
  for (const section of sections('compiler')) readCompiler(shared, section, compiler)
  const option = defaultOptions()
  for (const section of sections('option')) readOption(shared, section, option)
  const scope: Scope = { shared, compiler, classes: readClasses(shared, sections('default')), prefix: '', suffix: '' }
  touchDefaults(scope)

  // the tree
  const assets = createAssets()
  for (const section of sections('asset')) readAssets(scope, section, assets, '')
  const tree = createTree(shared, assets, createBody(scope, root, undefined, 'world', IDENTITY))
  for (const section of sections('worldbody')) readWorldbody(tree, scope, section, mainClass(scope))

  // what is left out as a whole
  for (const section of root.children) {
    const why = ownOf(LEFT_OUT, section.name)
    if (why !== undefined)
      ignoreElement(shared, section, `${section.name} (${section.children.length} element${section.children.length === 1 ? '' : 's'})`, why)
    if (section.name !== 'deformable') continue
    for (const child of section.children) {
      if (child.name === 'flex') ignoreElement(shared, child, 'flex: forces of a deformable body', LACKS_MOTION)
      else ignoreElement(shared, child, child.name, NO_MOTION)
    }
  }

  const places: Record<string, Place> = {}
  const name = readString(reader, root, 'model')
  const spec = makeSpec(tree, scope, root, option, places, options.mocap === 'driven')
  for (const element of [root, ...tree.attached.map((model) => model.root)]) sweepUnused(shared, element)
  throwProblems(reader)
  const ignored = foldIgnored(shared.ignored)
  return { ...(name ? { name } : {}), ...spec, ignored, places }
}
