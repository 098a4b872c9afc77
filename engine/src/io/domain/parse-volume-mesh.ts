/**
 * A mesh file as elements of a volume: Gmsh `.msh`, Vega `.veg`, TetGen `.node` and `.ele`; and surfaces (OBJ, STL, PLY, COLLADA) cut into voxels.
 * The suffix decides; `.msh` without Gmsh's heading is MuJoCo's surface.
 */
import { checkedResolve } from '../checked-resolve.js'
import { checkSize, guarded } from '../guarded.js'
import { type MeshData, meshError } from '../mesh/mesh-data.js'
import { parseMesh } from '../mesh/parse-mesh.js'
import type { Resolve } from '../mjcf/syntax/include.js'
import { parseGmsh } from './volume/parse-gmsh.js'
import { parseTetgen } from './volume/parse-tetgen.js'
import { parseVeg } from './volume/parse-veg.js'
import type { VolumeMesh } from './volume/volume-data.js'
import { voxelize } from './voxelize.js'

export interface VolumeMeshOptions {
  /** voxels along the longest side, for surfaces */
  readonly voxels?: number
  /** the other file of TetGen's two, by its name */
  readonly resolve?: Resolve
}

/** Reads one mesh. Throws ModelError with the file, the place where there is one, and what to do. */
export function parseVolumeMesh(data: Uint8Array | string, file: string, options: VolumeMeshOptions = {}): VolumeMesh {
  if (data.length === 0) throw meshError(file, 'expected a mesh, got an empty file')
  checkSize(file, data)
  return guarded(file, () => parseKind(data, file, options))
}

function parseKind(data: Uint8Array | string, file: string, { voxels, resolve }: VolumeMeshOptions): VolumeMesh {
  const kind = kindOf(data, file)
  if (kind === 'surface') return voxelize(surfaceOf(data, file), voxelCount(voxels, file), file)
  if (voxels !== undefined) {
    throw meshError(
      file,
      'expected a surface (.obj, .stl, .ply, .dae) to make voxels of, got a mesh of a volume; leave the number of voxels out',
    )
  }
  if (kind === 'gmsh') return parseGmsh(data, file)
  if (kind === 'veg') return parseVeg(data, file)
  const other = file.replace(/\.(node|ele)$/i, (suffix) => (/node/i.test(suffix) ? '.ele' : '.node'))
  const partner = checkedResolve(resolve)?.(other)
  if (partner === undefined) throw meshError(file, `expected the other of TetGen's two files, ${other}, beside it, got none; copy it there`)
  const [here, there] = [
    { name: file, data },
    { name: other, data: partner },
  ]
  return /\.node$/i.test(file) ? parseTetgen(here, there) : parseTetgen(there, here)
}

function kindOf(data: Uint8Array | string, file: string): 'gmsh' | 'veg' | 'tetgen' | 'surface' {
  const suffix = /\.([a-z0-9]+)$/i.exec(file)?.[1]?.toLowerCase()
  const head = typeof data === 'string' ? data.slice(0, 64) : String.fromCharCode(...data.subarray(0, 64))
  if (/^\s*\$MeshFormat/.test(head)) return 'gmsh'
  if (suffix === 'veg') return 'veg'
  return suffix === 'node' || suffix === 'ele' ? 'tetgen' : 'surface'
}

function surfaceOf(data: Uint8Array | string, file: string): MeshData {
  return parseMesh(data, file, { objects: 'all' })
}

function voxelCount(voxels: number | undefined, file: string): number {
  if (voxels === undefined)
    throw meshError(file, 'expected a number of voxels, for the file is a surface; say how many along its longest side (--voxels N)')
  if (!(Number.isInteger(voxels) && voxels > 0)) throw meshError(file, `expected a whole number of voxels from 1 on, got ${voxels}`)
  return voxels
}
