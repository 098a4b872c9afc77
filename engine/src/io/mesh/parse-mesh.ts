/**
 * A mesh file as vertices and triangles: OBJ, STL (binary or text), MuJoCo's binary `.msh`, PLY and COLLADA.
 * The suffix decides; without a known one the content does.
 */
import { checkSize, guarded } from '../guarded.js'
import { checkCount, type MeshData, type MeshObjects, meshError } from './mesh-data.js'
import { parseCollada } from './parse-collada.js'
import { parseMsh } from './parse-msh.js'
import { parseObj } from './parse-obj.js'
import { parsePly } from './parse-ply.js'
import { parseStl } from './parse-stl.js'

/** Reads one mesh. Throws ModelError with the file, the line where there are lines, and what to do. */
export function parseMesh(bytesOrText: Uint8Array | string, fileName: string, options: { readonly objects?: MeshObjects } = {}): MeshData {
  if (bytesOrText.length === 0) throw meshError(fileName, 'expected a mesh, got an empty file')
  checkSize(fileName, bytesOrText)
  const mesh = guarded(fileName, () => parseKind(bytesOrText, fileName, options))
  checkCount(mesh, fileName)
  return mesh
}

function parseKind(bytesOrText: Uint8Array | string, fileName: string, options: { readonly objects?: MeshObjects }): MeshData {
  switch (suffix(fileName) || guess(bytesOrText)) {
    case 'obj':
      return parseObj(bytesOrText, fileName, options.objects)
    case 'stl':
      return parseStl(bytesOrText, fileName)
    case 'msh':
      return parseMsh(bytesOrText, fileName)
    case 'ply':
      return parsePly(bytesOrText, fileName)
    case 'dae':
      return parseCollada(bytesOrText, fileName)
    default:
      throw meshError(fileName, 'expected a mesh file (.obj, .stl, .msh, .ply or .dae); convert it first')
  }
}

const known = new Set(['obj', 'stl', 'msh', 'ply', 'dae'])

function suffix(fileName: string): string {
  const found = /\.([a-z0-9]+)(?:[?#].*)?$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  return found === 'stla' || found === 'stlb' ? 'stl' : known.has(found) ? found : ''
}

function guess(data: Uint8Array | string): string {
  const head = typeof data === 'string' ? data.slice(0, 512) : String.fromCharCode(...data.subarray(0, 512))
  if (/^\s*solid\b/i.test(head)) return 'stl'
  if (/^ply\s/.test(head)) return 'ply'
  if (/<COLLADA\b/.test(head)) return 'dae'
  if (/^(?:\s*#.*)?\s*(?:v|o|g|mtllib)\s/m.test(head)) return 'obj'
  if (typeof data !== 'string' && data.length >= 84) {
    const count = new DataView(data.buffer, data.byteOffset).getUint32(80, true)
    if (84 + 50 * count === data.length) return 'stl'
  }
  return ''
}
