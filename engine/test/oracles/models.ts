/** The models of this folder, with the files they name. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Files } from './mujoco.js'

export interface OracleModel {
  /** file name without suffix */
  readonly name: string
  readonly format: 'mjcf' | 'urdf'
  readonly text: string
  /** by the path from the folder of the models, as both readers ask for them */
  readonly files: Files
}

const FOLDER = new URL('./models/', import.meta.url)

/** Every model file at the top of the folder; parts and assets are at hand for each. */
export function loadModels(): readonly OracleModel[] {
  const files = loadFiles()
  const models: OracleModel[] = []
  for (const file of readdirSync(FOLDER).sort()) {
    const match = /^(.+)\.(xml|urdf)$/.exec(file)
    if (!match) continue
    const format = match[2] === 'urdf' ? 'urdf' : 'mjcf'
    models.push({ name: match[1], format, text: readFileSync(new URL(file, FOLDER), 'utf8'), files })
  }
  return models
}

function loadFiles(): Files {
  const files: Record<string, string | Uint8Array> = {}
  for (const folder of ['assets', 'parts']) {
    for (const file of readdirSync(new URL(`${folder}/`, FOLDER))) {
      files[`${folder}/${file}`] = readFileSync(new URL(`${folder}/${file}`, FOLDER), 'utf8')
    }
  }
  // MuJoCo takes one file for one mesh, whatever its refpos and refquat
  files['assets/wedge-copy.obj'] = files['assets/wedge.obj']
  // text STL is kept in the repository, MuJoCo reads the binary kind only
  files['assets/tetra-binary.stl'] = toBinaryStl(files['assets/tetra.stl'] as string)
  return files
}

/** 80 bytes of header, the count, then 50 bytes a triangle: normal, three corners, two bytes unused. */
export function toBinaryStl(text: string): Uint8Array {
  const corners = [...text.matchAll(/vertex\s+(\S+)\s+(\S+)\s+(\S+)/g)].map((match) => match.slice(1, 4).map(Number))
  const count = corners.length / 3
  const bytes = new Uint8Array(84 + 50 * count)
  const view = new DataView(bytes.buffer)
  view.setUint32(80, count, true)
  for (const [i, corner] of corners.entries()) {
    const start = 84 + 50 * Math.floor(i / 3) + 12 + 12 * (i % 3)
    for (const [k, x] of corner.entries()) view.setFloat32(start + 4 * k, x, true)
  }
  return bytes
}
