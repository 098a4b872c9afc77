/**
 * MuJoCo's own binary mesh, `.msh`: four int32 counts (vertices, normals, texture coordinates, triangles), then the arrays,
 * float32 and int32, little endian. No triangles: the convex hull of the vertices is meant.
 */
import { checkFaces, emptyMesh, type MeshData, meshError } from './mesh-data.js'

export function parseMsh(data: Uint8Array | string, file: string): MeshData {
  if (typeof data === 'string') {
    const gmsh = data.trimStart().startsWith('$MeshFormat')
    throw meshError(file, gmsh ? gmshMessage : 'expected the bytes of a binary .msh file, got text')
  }
  const bytes = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (String.fromCharCode(...data.subarray(0, 11)) === '$MeshFormat') throw meshError(file, gmshMessage)
  if (bytes.byteLength < 16) throw meshError(file, `expected a header of 16 bytes, got ${bytes.byteLength}; the file is cut off`)

  const nv = bytes.getInt32(0, true)
  const nn = bytes.getInt32(4, true)
  const nt = bytes.getInt32(8, true)
  const nf = bytes.getInt32(12, true)
  if (nv < 4 || nf < 0 || (nn !== 0 && nn !== nv) || (nt !== 0 && nt !== nv)) {
    throw meshError(
      file,
      `expected counts of vertices (4 or more), normals, texture coordinates and triangles, got ${nv} ${nn} ${nt} ${nf}`,
    )
  }
  const size = 16 + 12 * nv + 12 * nn + 8 * nt + 12 * nf
  if (size !== bytes.byteLength)
    throw meshError(file, `the header asks for ${size} bytes, but the file has ${bytes.byteLength}; it is damaged`)

  const mesh = emptyMesh()
  for (let k = 0; k < 3 * nv; k++) {
    const x = bytes.getFloat32(16 + 4 * k, true)
    if (!Number.isFinite(x)) throw meshError(file, `vertex ${Math.floor(k / 3) + 1}: expected a finite coordinate, got ${x}`)
    mesh.vertices.push(x)
  }
  const offset = size - 12 * nf
  for (let k = 0; k < 3 * nf; k++) mesh.faces.push(bytes.getInt32(offset + 4 * k, true))
  checkFaces(mesh, file)
  return mesh
}

const gmshMessage = 'this is a Gmsh file, not a surface mesh of MuJoCo; export the surface as OBJ or STL'
