/**
 * Gmsh's `.msh`, versions 2.2 and 4.1, text or binary, and 4.0 as text: nodes, and elements of four-node tetrahedra or eight-node hexahedra. Of elements of second order
 * the corners count. Points, lines and triangles of the boundary are not needed.
 */
import { createGmshSource, type GmshSource } from './gmsh-source.js'
import { emptyVolume, type VolumeData, type VolumeMesh, volumeMesh } from './volume-data.js'

/** nodes of an element by its type; further types are refused */
const nodesOf: Readonly<Record<number, number>> = {
  ...{ 1: 2, 2: 3, 3: 4, 4: 4, 5: 8, 6: 6, 7: 5, 8: 3, 9: 6, 10: 9, 11: 10, 12: 27, 13: 18, 14: 14, 15: 1, 16: 8, 17: 20 },
  ...{ 18: 15, 19: 13, 20: 9, 21: 10, 22: 12, 23: 15, 24: 15, 25: 21, 26: 4, 27: 5, 28: 6, 29: 20 },
}
const tetrahedronTypes = new Set([4, 11, 29])
const hexahedronTypes = new Set([5, 12, 17])
/** elements of the volume that are neither */
const otherVolumes: Readonly<Record<number, string>> = {
  6: 'prisms',
  7: 'pyramids',
  13: 'prisms',
  14: 'pyramids',
  18: 'prisms',
  19: 'pyramids',
}

interface Reading {
  readonly source: GmshSource
  readonly version: string
  readonly binary: boolean
  /** places of the nodes by their tags */
  readonly places: Map<number, number>
  readonly out: VolumeData
}

export function parseGmsh(data: Uint8Array | string, file: string): VolumeMesh {
  const source = createGmshSource(data, file)
  if (source.line() !== '$MeshFormat') source.fail('expected $MeshFormat at the beginning')
  const [version = '', kind] = (source.line() ?? '').split(/\s+/)
  if (version !== '2.2' && version !== '4' && version !== '4.0' && version !== '4.1') {
    source.fail(`expected version 2.2, 4.0 or 4.1 of Gmsh's format, got '${version}'; save the mesh in one of them (gmsh -format msh41)`)
  }
  if (kind === '1' && version.startsWith('4') && version !== '4.1') {
    source.fail('expected version 4.1 of a binary file, got 4.0; save the mesh as text or in version 4.1')
  }
  const reading: Reading = { source, version, binary: kind === '1', places: new Map(), out: emptyVolume() }
  source.setFormat({ version, binary: reading.binary })
  source.skipTo('$EndMeshFormat')
  for (let section = source.line(); section !== undefined; section = source.line()) {
    if (!section.startsWith('$')) source.fail(`expected a section such as $Nodes, got '${section.slice(0, 40)}'`)
    if (section === '$Nodes') readNodes(reading)
    else if (section === '$Elements') readElements(reading)
    source.skipTo(`$End${section.slice(1)}`)
  }
  return volumeMesh(reading.out, file)
}

/** A count on a line of its own, text in binary files as well (version 2.2). */
function countLine({ source }: Reading, what: string): number {
  const count = Number(source.line())
  if (!Number.isInteger(count) || count < 0) source.fail(`expected the number of ${what}`)
  return count
}

function readNodes(reading: Reading): void {
  const { source, version, out } = reading
  const add = (tag: number): void => {
    reading.places.set(tag, out.vertices.length / 3)
    for (const axis of ['x', 'y', 'z']) out.vertices.push(source.double(`${axis} of node ${tag}`))
  }
  if (version === '2.2') {
    const count = countLine(reading, 'nodes')
    for (let k = 0; k < count; k++) add(source.int('the number of a node'))
    return
  }
  const blocks = source.size('the number of blocks of nodes')
  const total = source.size('the number of nodes')
  const tagsFirst = version === '4.1'
  if (tagsFirst) for (const what of ['lowest', 'highest']) source.size(`the ${what} tag of a node`)
  for (let b = 0; b < blocks; b++) {
    const [first, second] = [source.int('an entity'), source.int('an entity')]
    const dimension = tagsFirst ? first : second
    const parametric = source.int('0 or 1 for coordinates on the entity')
    const count = source.size('the number of nodes of a block')
    if (count > total) source.fail(`expected at most ${total} nodes in a block, got ${count}`)
    const tags: number[] = []
    if (tagsFirst) for (let k = 0; k < count; k++) tags.push(source.size('the tag of a node'))
    for (let k = 0; k < count; k++) {
      add(tagsFirst ? tags[k] : source.int('the tag of a node'))
      if (parametric) for (let p = 0; p < dimension; p++) source.double('a coordinate on the entity')
    }
  }
}

function readElements(reading: Reading): void {
  const { source, version, binary } = reading
  if (version === '2.2') {
    const count = countLine(reading, 'elements')
    for (let k = 0; k < count; ) {
      // text: number, type, tags; binary: type, how many follow, how many tags, then each with its number
      const tag = binary ? 0 : source.int('the number of an element')
      const type = source.int('the type of an element')
      const follow = binary ? source.int('how many elements follow') : 1
      const tags = source.int('the number of tags')
      if (follow < 1 || follow > count - k) source.fail(`expected 1 to ${count - k} elements to follow, got ${follow}`)
      for (let f = 0; f < follow; f++) {
        const name = binary ? source.int('the number of an element') : tag
        for (let t = 0; t < tags; t++) source.int('a tag of an element')
        addElement(reading, type, name)
      }
      k += follow
    }
    return
  }
  const blocks = source.size('the number of blocks of elements')
  source.size('the number of elements')
  if (version === '4.1') for (const what of ['lowest', 'highest']) source.size(`the ${what} tag of an element`)
  for (let b = 0; b < blocks; b++) {
    source.int('an entity')
    source.int('an entity')
    const type = source.int('the type of elements')
    const count = source.size('the number of elements of a block')
    for (let k = 0; k < count; k++) addElement(reading, type, source.size('the tag of an element'))
  }
}

function addElement({ source, places, out }: Reading, type: number, tag: number): void {
  const count = nodesOf[type]
  if (count === undefined) source.fail(`element ${tag}: expected a type from 1 to 29, got ${type}`)
  if (otherVolumes[type])
    source.fail(`element ${tag}: expected tetrahedra or hexahedra, got ${otherVolumes[type]}; mesh without recombining`)
  const corners = tetrahedronTypes.has(type) ? 4 : hexahedronTypes.has(type) ? 8 : 0
  const list = corners === 8 ? out.hexahedra : out.tetrahedra
  for (let n = 0; n < count; n++) {
    const node = source.size(`a node of element ${tag}`)
    if (n >= corners) continue
    const place = places.get(node)
    if (place === undefined) source.fail(`element ${tag}: expected nodes of the section $Nodes, got ${node}`)
    list.push(place as number)
  }
}
