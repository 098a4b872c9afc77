/**
 * COLLADA `.dae`: the triangles of every geometry that the scene shows, with node transforms and the file's unit of length.
 * `up_axis` is not applied: robots are drawn that way by the ROS tools, whose files these are; another axis than z is listed.
 * Skinned and spline geometry, lines, materials, lights and cameras are not taken over.
 */
import { cos, hypot, sin } from '../../math/own.js'
import { grouped, LIMITS } from '../../model/limits.js'
import { parseXml, type XmlElement } from '../xml.js'
import { emptyMesh, type MeshData, meshError, textOf } from './mesh-data.js'
import { CUTTING, triangulate } from './triangulate.js'

/** 3 × 4, row-major */
type Affine = readonly number[]

interface Reading {
  readonly file: string
  readonly ids: ReadonlyMap<string, XmlElement>
  readonly mesh: MeshData
  readonly parsed: Map<XmlElement, { positions: number[]; polygons: number[][] }>
  readonly listed: Set<string>
  readonly lists: Map<XmlElement, number[]>
  /** nodes, transforms and geometries that were placed: instances can multiply what a small file holds */
  placed: number
  readonly budget: { steps: number }
}

export function parseCollada(data: Uint8Array | string, file: string): MeshData {
  const root = parseXml(textOf(data), file)
  if (root.name !== 'COLLADA') throw meshError(file, `expected <COLLADA>, got <${root.name}>`, root.place.line, root.place.column)
  const ids = new Map<string, XmlElement>()
  collectIds(root, ids)
  const reading: Reading = {
    file,
    ids,
    mesh: emptyMesh(),
    parsed: new Map(),
    listed: new Set(),
    lists: new Map(),
    placed: 0,
    budget: { steps: CUTTING },
  }

  const asset = childOf(root, 'asset')
  const meter = Number((asset && childOf(asset, 'unit')?.attributes['meter']) ?? 1)
  const unit = Number.isFinite(meter) && meter > 0 ? meter : 1
  const up = (asset && childOf(asset, 'up_axis')?.text.trim()) || 'Y_UP'
  if (up !== 'Z_UP')
    list(reading, asset ?? root, `up_axis ${up}`, 'not applied, as the ROS tools do; turn the mesh with the origin of its visual')

  const scaled: Affine = [unit, 0, 0, 0, 0, unit, 0, 0, 0, 0, unit, 0]
  const scene = findScene(reading, root)
  if (scene) for (const node of scene.children) if (node.name === 'node') addNode(reading, node, scaled, 0)

  // without a scene the geometries stand as they are
  if (!scene) {
    for (const library of root.children) {
      if (library.name === 'library_geometries') for (const geometry of library.children) addGeometry(reading, geometry, scaled)
    }
  }
  if (reading.mesh.faces.length === 0) throw meshError(file, 'expected triangles or polygons, got none; export the mesh as STL or OBJ')
  return reading.mesh
}

function collectIds(element: XmlElement, ids: Map<string, XmlElement>): void {
  const id = element.attributes['id']
  if (id !== undefined && !ids.has(id)) ids.set(id, element)
  for (const child of element.children) collectIds(child, ids)
}

function findScene(reading: Reading, root: XmlElement): XmlElement | undefined {
  const instance = childOf(childOf(root, 'scene'), 'instance_visual_scene')
  const named = instance && target(reading, instance, 'url')
  if (named) return named
  for (const library of root.children) {
    const first = library.name === 'library_visual_scenes' ? childOf(library, 'visual_scene') : undefined
    if (first) return first
  }
  return undefined
}

function addNode(reading: Reading, node: XmlElement, outer: Affine, depth: number): void {
  if (depth > 100) throw fail(reading, node, 'nodes refer to each other in a circle, or are nested too deeply')
  reading.placed += 1 + node.children.length
  if (reading.placed > LIMITS.objects)
    throw fail(reading, node, `more than ${grouped(LIMITS.objects)} nodes, transforms and instances in all: simplify the scene`)
  let here = outer
  for (const child of node.children) {
    if (['matrix', 'translate', 'rotate', 'scale', 'lookat', 'skew'].includes(child.name))
      here = multiply(here, transformOf(reading, child))
  }
  for (const child of node.children) {
    if (child.name === 'node') addNode(reading, child, here, depth + 1)
    else if (child.name === 'instance_node') {
      const other = target(reading, child, 'url')
      if (other) addNode(reading, other, here, depth + 1)
    } else if (child.name === 'instance_geometry') {
      const geometry = target(reading, child, 'url')
      if (geometry) addGeometry(reading, geometry, here)
    } else if (child.name === 'instance_controller') list(reading, child, 'skinned geometry', 'only rigid meshes are read')
  }
}

function transformOf(reading: Reading, element: XmlElement): Affine {
  const v = numbers(reading, element)
  const need = (n: number): void => {
    if (v.length !== n) throw fail(reading, element, `expected ${n} numbers in ${element.name}, got ${v.length}`)
  }
  const [a = 0, b = 0, c = 0, d = 0] = v
  switch (element.name) {
    case 'matrix':
      need(16)
      return v.slice(0, 12)
    case 'translate':
      need(3)
      return [1, 0, 0, a, 0, 1, 0, b, 0, 0, 1, c]
    case 'scale':
      need(3)
      return [a, 0, 0, 0, 0, b, 0, 0, 0, 0, c, 0]
    case 'rotate': {
      need(4)
      const n = hypot(a, b, c) || 1
      const [x, y, z] = [a / n, b / n, c / n]
      const angle = (d * Math.PI) / 180
      const [co, si] = [cos(angle), sin(angle)]
      const t = 1 - co
      return [
        ...[t * x * x + co, t * x * y - si * z, t * x * z + si * y, 0],
        ...[t * x * y + si * z, t * y * y + co, t * y * z - si * x, 0],
        ...[t * x * z - si * y, t * y * z + si * x, t * z * z + co, 0],
      ]
    }
    default:
      list(reading, element, element.name, 'this kind of transform is not read')
      return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
  }
}

function multiply(a: Affine, b: Affine): Affine {
  const out: number[] = []
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 4; j++) {
      let sum = j === 3 ? (a[4 * i + 3] as number) : 0
      for (let k = 0; k < 3; k++) sum += (a[4 * i + k] as number) * (b[4 * k + j] as number)
      out.push(sum)
    }
  }
  return out
}

function addGeometry(reading: Reading, geometry: XmlElement, pose: Affine): void {
  const { mesh, parsed } = reading
  const part = parsed.get(geometry) ?? readGeometry(reading, geometry)
  parsed.set(geometry, part)
  const { positions, polygons } = part
  const first = mesh.vertices.length / 3
  const tooMany = first + positions.length / 3 > LIMITS.vertices || mesh.faces.length + 3 * polygons.length > 3 * LIMITS.vertices
  if (tooMany) throw fail(reading, geometry, `more than ${grouped(LIMITS.vertices)} vertices or triangles in all: simplify the mesh`)
  const at = (k: number): number => pose[k] as number
  const [a = 1, b = 0, c = 0, d = 0, e = 0, f = 1, g = 0, h = 0, k = 0, l = 0, m = 1, n = 0] = pose
  for (let p = 0; p < positions.length; p += 3) {
    const x = positions[p] as number
    const y = positions[p + 1] as number
    const z = positions[p + 2] as number
    mesh.vertices.push(
      Math.fround(a * x + b * y + c * z + d),
      Math.fround(e * x + f * y + g * z + h),
      Math.fround(k * x + l * y + m * z + n),
    )
  }

  // a mirroring transform turns faces over
  const det = at(0) * (at(5) * at(10) - at(6) * at(9)) - at(1) * (at(4) * at(10) - at(6) * at(8)) + at(2) * (at(4) * at(9) - at(5) * at(8))
  for (const polygon of polygons) {
    const corners = polygon.map((v) => v + first)
    triangulate(mesh.faces, det < 0 ? corners.reverse() : corners, mesh.vertices, reading.budget)
  }
}

const primitives = new Set(['triangles', 'polylist', 'polygons', 'tristrips', 'trifans'])

function readGeometry(reading: Reading, geometry: XmlElement): { positions: number[]; polygons: number[][] } {
  const mesh = childOf(geometry, 'mesh')
  const out = { positions: [] as number[], polygons: [] as number[][] }
  if (!mesh) {
    list(reading, geometry, 'geometry without mesh', 'only polygon meshes are read')
    return out
  }
  const vertices = childOf(mesh, 'vertices')
  const input = vertices?.children.find((child) => child.name === 'input' && child.attributes['semantic'] === 'POSITION')
  const source = input && target(reading, input, 'source')
  if (!source) throw fail(reading, mesh, 'expected vertices with an input POSITION')
  out.positions = readPositions(reading, source)
  const count = out.positions.length / 3

  for (const primitive of mesh.children) {
    if (primitive.name === 'lines' || primitive.name === 'linestrips') list(reading, primitive, primitive.name, 'lines have no surface')
    if (!primitives.has(primitive.name)) continue
    const inputs = primitive.children.filter((child) => child.name === 'input')
    const offsets = inputs.map((child) => Number(child.attributes['offset'] ?? 0))
    const stride = offsets.reduce((a, b) => Math.max(a, b), 0) + 1
    const offset = Number(inputs.find((child) => child.attributes['semantic'] === 'VERTEX')?.attributes['offset'] ?? 0)
    if (!Number.isInteger(stride) || stride > 64 || !(Number.isInteger(offset) && offset >= 0 && offset < stride))
      throw fail(reading, primitive, 'expected inputs with small whole offsets')
    for (const polygon of polygonsOf(reading, primitive, stride, offset)) {
      if (polygon.some((v) => !Number.isInteger(v) || v < 0 || v >= count)) {
        throw fail(reading, primitive, `expected vertex numbers from 0 to ${count - 1}, got ${polygon.slice(0, 6).join(' ')}`)
      }
      out.polygons.push(polygon)
    }
  }
  return out
}

function readPositions(reading: Reading, source: XmlElement): number[] {
  const accessor = childOf(childOf(source, 'technique_common'), 'accessor')
  const array = (accessor && target(reading, accessor, 'source')) ?? childOf(source, 'float_array')
  const all = array ? numbers(reading, array) : []
  const stride = Number(accessor?.attributes['stride'] ?? 3)
  const offset = Number(accessor?.attributes['offset'] ?? 0)
  if (!Number.isInteger(stride) || stride < 3 || stride > 64 || !(Number.isInteger(offset) && offset >= 0))
    throw fail(reading, source, 'expected an accessor with a stride of 3 or more and a whole offset')
  const out: number[] = []
  for (let k = offset; k + 2 < all.length; k += stride) out.push(all[k] as number, all[k + 1] as number, all[k + 2] as number)
  return out
}

/** Polygons as lists of vertex numbers. */
function polygonsOf(reading: Reading, primitive: XmlElement, stride: number, offset: number): number[][] {
  const out: number[][] = []
  const vcount = childOf(primitive, 'vcount')
  // of one list of indices
  let counts = vcount && numbers(reading, vcount)
  for (const p of primitive.children) {
    const loop = p.name === 'ph' ? childOf(p, 'p') : p.name === 'p' ? p : undefined
    if (!loop) continue
    if (p.name === 'ph') list(reading, p, 'holes in polygons', 'drawn filled')
    const values = numbers(reading, loop)
    const corners: number[] = []
    for (let k = offset; k < values.length; k += stride) corners.push(values[k] as number)
    if (primitive.name === 'polygons') out.push(corners)
    else if (primitive.name === 'tristrips') {
      for (let k = 0; k + 2 < corners.length; k++) {
        const [a, b, c] = corners.slice(k, k + 3) as [number, number, number]
        out.push(k % 2 === 0 ? [a, b, c] : [b, a, c])
      }
    } else if (primitive.name === 'trifans') {
      for (let k = 1; k + 1 < corners.length; k++) out.push([corners[0] as number, corners[k] as number, corners[k + 1] as number])
    } else if (primitive.name === 'polylist' && counts) {
      let k = 0
      for (const n of counts) {
        if (!(Number.isInteger(n) && n >= 0) || k + n > corners.length)
          throw fail(reading, primitive, `expected vcount to fit ${corners.length} corners`)
        out.push(corners.slice(k, k + n))
        k += n
      }
      counts = []
    } else for (let k = 0; k + 2 < corners.length; k += 3) out.push(corners.slice(k, k + 3))
  }
  return out
}

function numbers(reading: Reading, element: XmlElement): readonly number[] {
  const known = reading.lists.get(element)
  if (known) return known
  const words = element.text.split(/\s+/)
  const out: number[] = []
  for (const word of words) {
    if (word === '') continue
    const x = Number(word)
    if (!Number.isFinite(x)) throw fail(reading, element, `expected numbers in ${element.name}, got '${word.slice(0, 30)}'`)
    out.push(x)
  }
  reading.lists.set(element, out)
  return out
}

/** The element that a `#reference` names. */
function target(reading: Reading, element: XmlElement, attribute: string): XmlElement | undefined {
  const reference = element.attributes[attribute] ?? ''
  const found = reference.startsWith('#') ? reading.ids.get(reference.slice(1)) : undefined
  if (!found) list(reading, element, `reference '${reference.slice(0, 60)}'`, 'it names nothing in this file')
  return found
}

function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name)
}

function list(reading: Reading, element: XmlElement, what: string, why: string): void {
  if (reading.listed.has(what)) return
  reading.listed.add(what)
  reading.mesh.ignored.push({ path: `${reading.file} (${element.place.line}:${element.place.column})`, what, why })
}

function fail(reading: Reading, element: XmlElement, message: string): Error {
  return meshError(reading.file, message, element.place.line, element.place.column)
}
