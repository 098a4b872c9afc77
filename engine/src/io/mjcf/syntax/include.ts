/**
 * Replaces every `include` by the children of the file it names, at any depth.
 *
 * A path is tried as written, relative to the folder of the main file, then relative to the folder of the including file (MuJoCo's
 * order). No file may be included twice, which also ends cycles.
 */

import { LIMITS } from '../../../model/limits.js'
import { ModelError } from '../../../model/model-error.js'
import { addProblem, markUsed, parseXml, throwProblems, type XmlElement, type XmlReader } from '../../xml.js'

/** Text or bytes of a file, by its path relative to the main file's folder, forward slashes; undefined when there is none. */
export type Resolve = (path: string) => string | Uint8Array | undefined

/** Elements that name files, by the folder of the included file they stand in: where MuJoCo looks for the files as well. */
export type Origins = Map<XmlElement, string>

export function expandIncludes(reader: XmlReader, root: XmlElement, resolve: Resolve | undefined, origins: Origins): XmlElement {
  const included = new Set<string>()
  const stop = (element: XmlElement, message: string): void => {
    addProblem(reader, element, message)
    throwProblems(reader)
  }
  const note = (element: XmlElement, folder: string): void => {
    // deeper includes come first
    if ((element.name === 'mesh' || element.name === 'model') && !origins.has(element)) origins.set(element, folder)
    for (const child of element.children) note(child, folder)
  }

  /** What `resolve` gives; a problem of it stands at the include. */
  const read = (element: XmlElement, path: string): string | Uint8Array | undefined => {
    try {
      return resolve?.(path)
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      for (const { message } of error.problems) stop(element, message)
      return undefined
    }
  }

  // what an include brings stands as deep as the include
  const expand = (element: XmlElement, folder: string, depth: number, files: number): XmlElement => {
    if (element.children.length === 0) return element
    if (depth > LIMITS.depth) stop(element, `elements nested deeper than ${LIMITS.depth}: expected a flatter document`)
    let changed = false
    const children: XmlElement[] = []
    for (const child of element.children) {
      if (child.name === 'include') {
        changed = true
        for (const inner of load(child, folder, depth, files + 1)) children.push(inner)
      } else {
        const expanded = expand(child, folder, depth + 1, files)
        if (expanded !== child) changed = true
        children.push(expanded)
      }
    }
    return changed ? { ...element, children } : element
  }

  const load = (element: XmlElement, folder: string, depth: number, files: number): readonly XmlElement[] => {
    if (files > LIMITS.fileDepth) stop(element, `files included more than ${LIMITS.fileDepth} deep: expected fewer`)
    if (included.size >= LIMITS.files) stop(element, `more than ${LIMITS.files} files included: join some of them`)
    const file = element.attributes['file']
    markUsed(reader, element, 'file')
    for (const name of Object.keys(element.attributes)) {
      if (name !== 'file') addProblem(reader, element, `unknown attribute '${name}' on include; did you mean 'file'?`, name)
    }
    if (file === undefined || file === '') {
      addProblem(reader, element, 'include needs a file: add file="…"')
      return []
    }
    if (element.children.length > 0) addProblem(reader, element, 'include must be empty, got children')
    for (const path of new Set([normalizePath(file), normalizePath(joinPath(folder, file))])) {
      const content = read(element, path)
      if (content === undefined) continue
      if (included.has(path)) {
        addProblem(reader, element, `file '${path}' is included twice: include each file once`, 'file')
        return []
      }
      included.add(path)
      let inner: XmlElement
      try {
        inner = parseXml(decodeText(content), path)
      } catch (error) {
        if (!(error instanceof ModelError)) throw error
        for (const problem of error.problems) reader.problems.push(problem)
        return []
      }
      const expanded = expand(inner, folderOf(path), depth - 1, files)
      note(expanded, folderOf(path))
      return expanded.children
    }
    const why = resolve
      ? 'not found: check the path, which is relative to the folder of the main file'
      : 'cannot be read, because no resolve function was given'
    addProblem(reader, element, `included file '${normalizePath(file)}' ${why}`, 'file')
    return []
  }

  const expanded = expand(root, '', 1, 0)
  // nothing below makes sense with a part of the document missing
  throwProblems(reader)
  return expanded
}

/** The file an element names, beside the included file that the element stands in; undefined in the main file. */
export function besideInclude(origins: Origins, element: XmlElement, folder: string, file: string): string | undefined {
  const origin = origins.get(element)
  return origin === undefined ? undefined : normalizePath(joinPath(folder, joinPath(origin, file)))
}

export function decodeText(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : new TextDecoder('utf-8').decode(content)
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

export function joinPath(folder: string, path: string): string {
  if (folder === '' || isAbsolute(path)) return path
  return folder.endsWith('/') ? folder + path : `${folder}/${path}`
}

export function isAbsolute(path: string): boolean {
  return /^([/\\]|[a-zA-Z]:[/\\])/.test(path)
}

/** Forward slashes, no `.` and no `..` that has a folder before it. */
export function normalizePath(path: string): string {
  const slashed = path.replace(/\\/g, '/')
  const parts: string[] = []
  for (const part of slashed.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && parts.length > 0 && parts[parts.length - 1] !== '..') parts.pop()
    else parts.push(part)
  }
  return (slashed.startsWith('/') ? '/' : '') + parts.join('/')
}
