/**
 * TetGen's `.node` and `.ele`: vertices `number x y z …` and tetrahedra `number a b c d …`, of which those of second order have six more vertices
 * that do not count here. Each file begins with its counts.
 */

import { countOf, createTableReader, readElements, readVertices } from './table-reader.js'
import { emptyVolume, type VolumeMesh, volumeMesh } from './volume-data.js'

export interface TetgenFile {
  readonly name: string
  readonly data: Uint8Array | string
}

export function parseTetgen(node: TetgenFile, ele: TetgenFile): VolumeMesh {
  const out = emptyVolume()
  const nodes = createTableReader(node.data, node.name)
  const head = nodes.numbers('the number of vertices and their dimension', 2)
  if (head.values[1] !== 3) nodes.fail(`expected vertices in 3 dimensions, got ${head.values[1]}`, head.line)
  const first = readVertices(nodes, countOf(nodes, head.values[0], head.line, 'vertices'), out.vertices)

  const elements = createTableReader(ele.data, ele.name)
  const { values, line } = elements.numbers('the number of tetrahedra and of their vertices', 2)
  if (values[1] !== 4 && values[1] !== 10) elements.fail(`expected tetrahedra of 4 or 10 vertices, got ${values[1]}`, line)
  readElements(elements, countOf(elements, values[0], line, 'tetrahedra'), 4, first, out.vertices.length / 3, out.tetrahedra)
  return volumeMesh(out, ele.name)
}
