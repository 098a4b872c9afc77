/**
 * `asset`: meshes, height fields, files of models, and the colours of materials.
 */
import type { ShapeSpec } from '../../../build/spec.js'
import { LIMITS } from '../../../model/limits.js'
import { addProblem, hasAttribute, readInteger, readNumbers, readString, type XmlElement } from '../../xml.js'
import { classOf, fromClass, mainClass } from '../syntax/classes.js'
import { countVertices, ignore, ignoreElement, NO_MOTION, type Scope } from '../syntax/context.js'
import { besideInclude, joinPath, normalizePath } from '../syntax/include.js'
import { assetName, type MjcfMesh, readMesh } from './meshes.js'

export interface MjcfField {
  readonly size: readonly [number, number, number, number]
  readonly shape: ShapeSpec
  /** a geom shows it: further ones have their own copy of its heights */
  shown: boolean
}

export interface Assets {
  readonly meshes: Map<string, MjcfMesh>
  readonly hfields: Map<string, MjcfField>
  /** rgba */
  readonly materials: Map<string, readonly number[]>
  /** files of attachable models, with the folder they are in */
  readonly models: Map<string, { readonly path: string; readonly element: XmlElement }>
}

export function createAssets(): Assets {
  return { meshes: new Map(), hfields: new Map(), materials: new Map(), models: new Map() }
}

/** Reads one `asset` section into the collection. */
export function readAssets(scope: Scope, section: XmlElement, assets: Assets, folder: string): void {
  const { shared } = scope
  const { reader } = shared
  for (const e of section.children) {
    if (!shared.known.has(e)) continue
    switch (e.name) {
      case 'mesh':
        readMesh(scope, e, assets.meshes, folder)
        break
      case 'hfield': {
        const name = assetName(scope, e, 'hfield', assets.hfields)
        const field = readField(scope, e)
        if (name && field) assets.hfields.set(name, field)
        break
      }
      case 'material': {
        const name = assetName(scope, e, 'material', assets.materials)
        const apply = (m: { rgba: number[] }, from: XmlElement): void => {
          m.rgba = readNumbers(reader, from, 'rgba', 4) ?? m.rgba
        }
        const material = fromClass(classOf(scope, e, mainClass(scope)), 'material', () => ({ rgba: [1, 1, 1, 1] }), apply)
        apply(material, e)
        if (name) assets.materials.set(name, material.rgba)
        shared.skipped.add(e)
        ignore(shared, e, 'material: all but its colour', NO_MOTION)
        break
      }
      case 'model': {
        const name = assetName(scope, e, 'model', assets.models)
        const file = readString(reader, e, 'file')
        const beside = file && besideInclude(shared.origins, e, folder, file)
        const path = beside && shared.resolve?.(beside) !== undefined ? beside : normalizePath(joinPath(folder, file ?? ''))
        if (name && file) assets.models.set(name, { path, element: e })
        else if (name) addProblem(reader, e, 'a model asset needs file="…"')
        break
      }
      default:
        ignoreElement(shared, e, e.name, NO_MOTION)
    }
  }
}

/** Elevations are scaled to 0…1 and then to the height; rows come from the far side in the file. */
function readField(scope: Scope, e: XmlElement): MjcfField | undefined {
  const { reader } = scope.shared
  const size = readNumbers(reader, e, 'size', 4)
  if (!size) {
    if (!hasAttribute(e, 'size')) addProblem(reader, e, 'an hfield needs size="…" of four numbers')
    return undefined
  }
  const [rx, ry, height, base] = size as [number, number, number, number]
  if (!(rx > 0 && ry > 0 && height > 0 && base > 0)) {
    addProblem(reader, e, `expected four positive numbers, got '${size.join(' ')}'`, 'size')
    return undefined
  }
  const rows = readInteger(reader, e, 'nrow') ?? 0
  const columns = readInteger(reader, e, 'ncol') ?? 0
  const plane: ShapeSpec = { shape: 'plane', size: [2 * rx, 2 * ry] }
  if (hasAttribute(e, 'file')) {
    readString(reader, e, 'file')
    ignore(
      scope.shared,
      e,
      'hfield file: the field is drawn and touched as a plane',
      'affects motion of what touches it; write its elevation in the file',
    )
    return { size: [rx, ry, height, base], shape: plane, shown: false }
  }
  if (!(rows >= 2 && columns >= 2 && rows * columns <= LIMITS.vertices)) {
    addProblem(reader, e, `expected at least 2 rows and 2 columns, got ${rows} × ${columns}`, 'nrow')
    return undefined
  }
  countVertices(scope.shared, e, rows * columns)
  const elevation = hasAttribute(e, 'elevation') ? readNumbers(reader, e, 'elevation', rows * columns) : undefined
  const given = elevation ?? new Array<number>(rows * columns).fill(0)
  const low = given.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const high = given.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const span = high > low ? high - low : 1
  const heights: number[] = []
  for (let r = rows - 1; r >= 0; r--) {
    for (let c = 0; c < columns; c++) heights.push((((given[r * columns + c] as number) - low) / span) * height)
  }
  return { size: [rx, ry, height, base], shape: { shape: 'heightfield', size: [2 * rx, 2 * ry], rows, columns, heights }, shown: false }
}
