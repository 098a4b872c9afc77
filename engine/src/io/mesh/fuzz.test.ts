import { expect, test } from 'vitest'
import { cpuTime } from '../../../test/cpu-time.js'
import { createRandom } from '../../../test/random.js'
import { meshMassProperties } from '../../build/geometry/mesh-mass.js'
import { ModelError } from '../../model/model-error.js'
import { parseMesh } from './parse-mesh.js'

const obj = 'o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 1\nf 1 3 2\nf 1/1/1 2//2 4\ng b\nf -5 -2 -3 -1 -4\nf 2 3 4\n'
const text = 'solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid x\n'
const ply =
  'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n4 0 1 2 3\n'
const dae = `<COLLADA><asset><unit meter="0.1"/></asset><library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
<technique_common><accessor source="#a" stride="3"/></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist><input semantic="VERTEX" source="#v" offset="0"/><vcount>3 3</vcount><p>0 1 2 0 1 3</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><rotate>0 0 1 30</rotate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes></COLLADA>`

function binarySamples(): [string, Uint8Array][] {
  const stl = new DataView(new ArrayBuffer(84 + 50 * 3))
  stl.setUint32(80, 3, true)
  for (let k = 0; k < 27; k++) stl.setFloat32(84 + 50 * Math.floor(k / 9) + 12 + 4 * (k % 9), Math.sin(k), true)
  const msh = new DataView(new ArrayBuffer(16 + 4 * 12 + 4 * 6))
  msh.setInt32(0, 4, true)
  msh.setInt32(12, 2, true)
  for (let k = 0; k < 12; k++) msh.setFloat32(16 + 4 * k, Math.cos(k), true)
  for (let k = 0; k < 6; k++) msh.setInt32(64 + 4 * k, (k * 5) % 4, true)
  const head = new TextEncoder().encode(ply.replace('ascii', 'binary_little_endian').slice(0, ply.indexOf('0 0 0') + 15))
  const binaryPly = new Uint8Array(head.length + 48 + 26)
  binaryPly.set(head)
  return [
    ['x.stl', new Uint8Array(stl.buffer)],
    ['x.msh', new Uint8Array(msh.buffer)],
    ['x.ply', binaryPly],
  ]
}

/** Cuts, flips, copies or replaces some bytes. */
function mutate(bytes: Uint8Array, next: () => number): Uint8Array {
  const pick = (n: number): number => Math.floor(next() * n)
  let out = Uint8Array.from(bytes)
  const times = 1 + pick(4)
  for (let t = 0; t < times; t++) {
    const at = pick(out.length)
    const kind = pick(6)
    if (kind === 0) out = out.slice(0, at)
    else if (kind === 1) out[at] = pick(256)
    else if (kind === 2) out = Uint8Array.from([...out.slice(0, at), ...out.slice(pick(out.length))])
    else if (kind === 3) out.fill(255, at, at + 4)
    else if (kind === 4)
      out = Uint8Array.from([
        ...out.slice(0, at),
        ...new TextEncoder().encode(['999999999', '-1', ' ', '\n', 'NaN', '1e39', '<', '0'][pick(8)]),
        ...out.slice(at),
      ])
    else out[at] = (out[at] as number) ^ (1 << pick(8))
    if (out.length === 0) return out
  }
  return out
}

test('2,000 damaged mesh files (seed 1) give a mesh or a ModelError, soon', () => {
  const next = createRandom(1).unit
  const encode = (s: string) => new TextEncoder().encode(s)
  const samples: [string, Uint8Array][] = [
    ['x.obj', encode(obj)],
    ['x.stl', encode(text)],
    ['x.ply', encode(ply)],
    ['x.dae', encode(dae)],
    ...binarySamples(),
  ]
  for (const [name, data] of samples) expect(parseMesh(data, name).vertices.length, name).toBeGreaterThan(0)
  let read = 0
  let refused = 0
  const begin = cpuTime()
  for (let k = 0; k < 2000; k++) {
    const [name, data] = samples[k % samples.length] as [string, Uint8Array]
    const bytes = mutate(data, next)
    try {
      const mesh = parseMesh(k % 3 === 0 && !name.endsWith('msh') ? new TextDecoder().decode(bytes) : bytes, k % 5 === 0 ? 'x' : name)
      for (const v of mesh.faces) if (!(v >= 0 && v < mesh.vertices.length / 3)) throw new Error(`face of ${name} names vertex ${v}`)
      if (!mesh.vertices.every(Number.isFinite)) throw new Error(`${name} has a vertex that is not finite`)
      read++
      for (const mode of ['convex', 'exact', 'legacy', 'shell'] as const) {
        try {
          meshMassProperties(mesh, mode)
        } catch (error) {
          if (!(error instanceof ModelError)) throw error
        }
      }
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      refused++
    }
  }
  expect(cpuTime() - begin).toBeLessThan(30)
  expect(read).toBeGreaterThan(100)
  expect(refused).toBeGreaterThan(100)
})
