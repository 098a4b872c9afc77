/**
 * `attach`: a body, a frame or all of another model file, under a body of this one, every name with a prefix. The other file
 * keeps its own compiler settings and default classes; its options do not count.
 */

import { LIMITS } from '../../../model/limits.js'
import { ModelError } from '../../../model/model-error.js'
import type { Pose } from '../../pose.js'
import { addProblem, createXmlReader, hasAttribute, markUsed, parseXml, readString, type XmlElement } from '../../xml.js'
import type { AttachedModel, MjcfBody, Tree } from '../compile/tree.js'
import { classOf, type DefaultClass, mainClass, readClasses } from '../syntax/classes.js'
import { type Compiler, defaultCompiler, readCompiler } from '../syntax/compiler.js'
import { countCreated, giveUp, ignore, LACKS_MOTION, NO_MOTION, type Scope, takeChecked } from '../syntax/context.js'
import { decodeText, expandIncludes, folderOf, joinPath, normalizePath } from '../syntax/include.js'
import { checkSchema } from '../syntax/schema.js'
import { readAssets } from './assets.js'

/** How the tree is read: passed in, because bodies hold attachments and attachments hold bodies. */
export interface TreeReader {
  readonly readBody: (tree: Tree, scope: Scope, e: XmlElement, parent: MjcfBody, frame: Pose, inherited: DefaultClass) => void
  readonly readInto: (tree: Tree, scope: Scope, e: XmlElement, body: MjcfBody, frame: Pose, cls: DefaultClass) => void
}

/** objects that an attached model counts as, beside those in it: its classes, settings and names are made anew */
const MODEL = 4

export function attachModel(tree: Tree, scope: Scope, e: XmlElement, body: MjcfBody, frame: Pose, read: TreeReader): void {
  const { shared } = scope
  const { reader } = shared
  const name = readString(reader, e, 'model')
  const wantedBody = readString(reader, e, 'body')
  const wantedFrame = readString(reader, e, 'frame')
  const prefix = readString(reader, e, 'prefix')
  if (prefix === undefined) addProblem(reader, e, 'attach needs prefix="…"')
  const model = name === undefined ? undefined : tree.assets.models.get(scope.prefix + name)
  if (!model) {
    addProblem(reader, e, name === undefined ? 'attach needs model="…"' : `unknown model '${name}': add it to asset`, 'model')
    return
  }
  if (tree.attaching.has(model.path)) {
    addProblem(reader, e, `model '${model.path}' attaches itself`, 'model')
    return
  }
  // a replicate comes by here once per copy: file, assets and what refers to the tree count once, and are copied with the rest
  const full = scope.prefix + (prefix ?? '')
  const attached = tree.attachedBy.get(e) ?? new Map<string, AttachedModel>()
  tree.attachedBy.set(e, attached)
  const earlier = attached.get(full)
  const root = earlier?.root ?? sharedModel(tree, model.path, e)
  if (!root) return
  if (!earlier) countCreated(shared, e, MODEL)

  const inner = earlier ? { ...earlier.scope, suffix: scope.suffix } : openModel(tree, scope, root, full, folderOf(model.path))
  tree.attaching.add(model.path)
  const worlds = root.children.filter((child) => child.name === 'worldbody')
  const cls = mainClass(inner)
  if (wantedBody === undefined && wantedFrame === undefined) for (const world of worlds) read.readInto(tree, inner, world, body, frame, cls)
  else {
    const tag = wantedBody === undefined ? 'frame' : 'body'
    const wanted = wantedBody ?? wantedFrame
    let found: { element: XmlElement; cls: DefaultClass } | undefined
    for (const world of worlds) found ??= find(inner, world, tag, wanted as string, cls)
    if (found && !earlier) for (const world of worlds) leaveRest(scope, world, found.element)
    if (!found) addProblem(reader, e, `no ${tag} '${wanted}' in '${model.path}'`, tag)
    else if (tag === 'body') read.readBody(tree, inner, found.element, body, frame, found.cls)
    else read.readInto(tree, inner, { ...found.element, children: [found.element] }, body, frame, found.cls)
  }
  tree.attaching.delete(model.path)
  if (earlier) return
  const added: AttachedModel = { root, scope: inner }
  attached.set(full, added)
  tree.attached.push(added)
}

/** The same file is read once, however often it is attached. */
function sharedModel(tree: Tree, path: string, e: XmlElement): XmlElement | undefined {
  const { shared } = tree
  if (tree.attaching.size >= LIMITS.fileDepth) giveUp(shared, e, `models attached more than ${LIMITS.fileDepth} deep: expected fewer files`)
  if (!tree.models.has(path)) {
    if (tree.models.size >= LIMITS.files) giveUp(shared, e, `more than ${LIMITS.files} model files: join some of them`)
    tree.models.set(path, loadModel(tree, path, e))
  }
  return tree.models.get(path)
}

/** The file with its includes, checked against the schema; undefined if that failed, which is then among the problems. */
function loadModel(tree: Tree, path: string, e: XmlElement): XmlElement | undefined {
  const { shared } = tree
  const content = shared.resolve?.(path)
  if (content === undefined) {
    const why = shared.resolve ? 'not found' : 'cannot be read, because no resolve function was given'
    addProblem(shared.reader, e, `model file '${path}' ${why}`, 'model')
    return undefined
  }
  try {
    const folder = folderOf(path)
    const inside = createXmlReader()
    const resolve = (file: string) => shared.resolve?.(normalizePath(joinPath(folder, file)))
    const root = expandIncludes(inside, parseXml(decodeText(content), path), resolve, shared.origins)
    if (root.name !== 'mujoco') {
      addProblem(shared.reader, e, `expected a MJCF model in '${path}', got <${root.name}>`, 'model')
      return undefined
    }
    takeChecked(shared, checkSchema(shared.reader, root))
    return root
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    for (const problem of error.problems) shared.reader.problems.push(problem)
    return undefined
  }
}

function openModel(tree: Tree, scope: Scope, root: XmlElement, prefix: string, folder: string): Scope {
  const { shared } = scope
  const compiler = defaultCompiler()
  const sections = (tag: string): XmlElement[] => root.children.filter((child) => child.name === tag && shared.known.has(child))
  // classes and assets are made anew under the prefix
  for (const section of [...sections('default'), ...sections('asset')]) countCreated(shared, section, sizeOf(section))
  for (const section of sections('compiler')) readCompiler(shared, section, compiler)
  const inner: Scope = { shared, compiler, classes: readClasses(shared, sections('default')), prefix, suffix: scope.suffix, attached: true }
  for (const section of sections('asset')) readAssets(inner, section, tree.assets, folder)
  for (const section of root.children) {
    if (['option', 'size', 'visual', 'statistic', 'sensor', 'custom', 'extension', 'deformable'].includes(section.name)) {
      shared.skipped.add(section)
      ignore(shared, section, `${section.name} of an attached model`, whyNot(section.name, scope.compiler))
    }
  }
  return inner
}

/** Elements in an element, itself included. */
function sizeOf(element: XmlElement): number {
  return element.children.reduce((sum, child) => sum + sizeOf(child), 1)
}

/** Options of an attached model count only where the file around it asks for that. */
function whyNot(section: string, { conflict }: Compiler): string {
  if (section === 'option' && conflict === 'merge') return `${LACKS_MOTION}; write them in the option of the main file`
  return section === 'deformable' ? LACKS_MOTION : NO_MOTION
}

/** Accounts for what stands beside the part that is attached, and around it: nobody reads that. True where the part is inside. */
function leaveRest(scope: Scope, element: XmlElement, part: XmlElement): boolean {
  const { shared } = scope
  if (element === part) return true
  const around = element.children.filter((child) => leaveRest(scope, child, part))
  if (around.length === 0) shared.skipped.add(element)
  else for (const name of Object.keys(element.attributes)) markUsed(shared.reader, element, name)
  return around.length > 0
}

/** The element of that name, with the class its surroundings give it. */
function find(
  scope: Scope,
  element: XmlElement,
  tag: string,
  name: string,
  inherited: DefaultClass,
): { element: XmlElement; cls: DefaultClass } | undefined {
  for (const child of element.children) {
    if (!['body', 'frame', 'replicate'].includes(child.name)) continue
    if (child.name === tag && child.attributes['name'] === name) return { element: child, cls: inherited }
    const cls = hasAttribute(child, 'childclass') ? classOf(scope, child, inherited, 'childclass') : inherited
    const found = find(scope, child, tag, name, cls)
    if (found) return found
  }
  return undefined
}
