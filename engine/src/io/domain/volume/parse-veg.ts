/**
 * `.veg`, the text format of Vega FEM: sections that begin with a star, of which `*VERTICES` and `*ELEMENTS` (TET or CUBIC) are the mesh. Materials and
 * sets are listed as ignored: a domain has one material, given with its reduction.
 */
import { countOf, createTableReader, readElements, readVertices } from './table-reader.js'
import { emptyVolume, type VolumeMesh, volumeMesh } from './volume-data.js'

export function parseVeg(data: Uint8Array | string, file: string): VolumeMesh {
  const out = emptyVolume()
  const reader = createTableReader(data, file)
  let first = 1
  for (;;) {
    if (!reader.peek()) break
    const { words, line } = reader.take('a section')
    const section = words[0].toUpperCase()
    if (section === '*VERTICES') {
      const head = reader.numbers('the number of vertices and their dimension', 2)
      if (head.values[1] !== 3) reader.fail(`expected vertices in 3 dimensions, got ${head.values[1]}`, head.line)
      first = readVertices(reader, countOf(reader, head.values[0], head.line, 'vertices'), out.vertices)
    } else if (section === '*ELEMENTS') {
      const kind = reader.take('TET or CUBIC')
      const name = kind.words[0].toUpperCase()
      if (name !== 'TET' && name !== 'TETS' && name !== 'CUBIC')
        reader.fail(`expected elements of kind TET or CUBIC, got ${kind.words[0]}`, kind.line)
      const corners = name === 'CUBIC' ? 8 : 4
      const head = reader.numbers('the number of elements and of their vertices', 2)
      if (head.values[1] !== corners) reader.fail(`expected ${corners} vertices an element, got ${head.values[1]}`, head.line)
      const count = countOf(reader, head.values[0], head.line, 'elements')
      readElements(reader, count, corners, first, out.vertices.length / 3, corners === 8 ? out.hexahedra : out.tetrahedra)
    } else if (section === '*INCLUDE') {
      reader.fail(`expected the mesh in one file, got *INCLUDE ${words[1] ?? ''}; put its text in its place`, line)
    } else if (section.startsWith('*')) {
      out.ignored.push({ path: `line ${line}`, what: words.join(' '), why: 'a domain has one material, which is given with its reduction' })
      while (reader.peek() && !reader.peek()?.words[0].startsWith('*')) reader.take('a line')
    } else {
      reader.fail(`expected a section such as *VERTICES, got '${words.join(' ')}'`, line)
    }
  }
  return volumeMesh(out, file)
}
