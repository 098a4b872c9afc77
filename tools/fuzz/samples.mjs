/**
 * What the fuzzer starts from: good files of every format, and what reads them. A reader may refuse by a ModelError; whatever else it throws is a fault.
 */
import { readdirSync, readFileSync } from 'node:fs'
import * as limber from 'limber'

const folder = new URL('../../engine/test/oracles/models/', import.meta.url)
const text = (path) => readFileSync(new URL(path, folder), 'utf8')
const bytesOf = (data) => (typeof data === 'string' ? new TextEncoder().encode(data) : data)
const textOf = (bytes) => new TextDecoder('utf-8').decode(bytes)

const files = new Map()
for (const part of ['assets', 'parts'])
  for (const name of readdirSync(new URL(`${part}/`, folder))) files.set(name, text(`${part}/${name}`))
const resolve = (path) => files.get(path.slice(path.lastIndexOf('/') + 1))
const names = readdirSync(folder).sort()
const mjcf = names.filter((name) => name.endsWith('.xml')).map(text)
const urdf = names.filter((name) => name.endsWith('.urdf')).map(text)

const OBJ = 'o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 1\nf 1 3 2\nf 1/1/1 2//2 4\ng b\nf -5 -2 -3 -1 -4\nf 2 3 4 \\\n 5\n'
const TETRAHEDRON = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'
const STL = 'solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid x\n'
const PLY =
  'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n4 0 1 2 3\n'
const DAE = `<COLLADA><asset><unit meter="0.1"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
<technique_common><accessor source="#a" stride="3"/></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist><input semantic="VERTEX" source="#v" offset="0"/><vcount>3 3</vcount><p>0 1 2 0 1 3</p></polylist></mesh></geometry></library_geometries>
<library_nodes><node id="n1"><instance_geometry url="#g"/><instance_node url="#n2"/></node><node id="n2"><scale>1 2 3</scale><instance_geometry url="#g"/></node></library_nodes>
<library_visual_scenes><visual_scene id="s"><node id="n"><rotate>0 0 1 30</rotate><instance_geometry url="#g"/><instance_node url="#n1"/></node></visual_scene></library_visual_scenes></COLLADA>`
const GMSH2 =
  '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n$Elements\n2\n1 4 2 0 1 1 2 3 4\n2 4 2 0 1 2 3 4 5\n$EndElements\n'
const GMSH4 =
  '$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n'
const VEG = '*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n*ELEMENTS\nTET\n1 4 0\n1 1 2 3 4\n*MATERIAL m\nENU, 1000, 1e6, 0.3\n'
const NODE = '4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n'
const ELE = '1 4 0\n1 1 2 3 4\n'

function binaryStl() {
  const view = new DataView(new ArrayBuffer(84 + 50 * 3))
  view.setUint32(80, 3, true)
  for (let k = 0; k < 27; k++) view.setFloat32(84 + 50 * Math.floor(k / 9) + 12 + 4 * (k % 9), ((k * 7) % 5) - 2, true)
  return new Uint8Array(view.buffer)
}

function msh() {
  const view = new DataView(new ArrayBuffer(16 + 4 * 12 + 4 * 6))
  view.setInt32(0, 4, true)
  view.setInt32(12, 2, true)
  for (let k = 0; k < 12; k++) view.setFloat32(16 + 4 * k, ((k * 7) % 5) - 2, true)
  for (let k = 0; k < 6; k++) view.setInt32(64 + 4 * k, (k * 5) % 4, true)
  return new Uint8Array(view.buffer)
}

function binaryPly() {
  const head = bytesOf(PLY.slice(0, PLY.indexOf('0 0 0')).replace('ascii', 'binary_little_endian'))
  const body = new DataView(new ArrayBuffer(48 + 13 + 17))
  for (let k = 0; k < 12; k++) body.setFloat32(4 * k, ((k * 7) % 5) - 2, true)
  body.setUint8(48, 3)
  body.setUint8(61, 4)
  for (let k = 0; k < 3; k++) body.setInt32(49 + 4 * k, k, true)
  for (let k = 0; k < 4; k++) body.setInt32(62 + 4 * k, k, true)
  return Buffer.concat([head, new Uint8Array(body.buffer)])
}

function binaryGmsh() {
  const parts = [bytesOf('$MeshFormat\n2.2 1 8\n'), Buffer.from(Int32Array.of(1).buffer), bytesOf('\n$EndMeshFormat\n$Nodes\n4\n')]
  const nodes = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
  for (let k = 0; k < 4; k++)
    parts.push(Buffer.from(Int32Array.of(k + 1).buffer), Buffer.from(Float64Array.from(nodes.slice(3 * k, 3 * k + 3)).buffer))
  parts.push(
    bytesOf('\n$EndNodes\n$Elements\n1\n'),
    Buffer.from(Int32Array.of(4, 1, 2, 1, 0, 1, 1, 2, 3, 4).buffer),
    bytesOf('\n$EndElements\n'),
  )
  return Buffer.concat(parts)
}

const model = limber.buildModel(limber.parseMjcf(text('ball-free-springs.xml'), { resolve }))
const simulation = limber.createSimulation(model, { solver: 'ode' })
simulation.step(3)
const snapshot = simulation.snapshot()
const recorded = limber.recordedModel(model)
const recording = {
  model: recorded,
  times: Float64Array.of(0, 0.1),
  q: Float64Array.from({ length: 2 * model.nq }, (_, k) => k / 7),
  v: Float64Array.from({ length: 2 * model.nv }, (_, k) => k / 3),
  energy: Float64Array.of(1, 2, 3, 4),
}
const mcap = await limber.writeMcap(recording)
const { mesh } = limber.parseVolumeMesh(TETRAHEDRON, 'a.obj', { voxels: 3 })
const reduced = limber.writeReduced(limber.reduce(mesh, { modes: 2, material: { density: 1000, young: 1e6, poisson: 0.3 } }))
const scenes = [...mjcf, ...urdf].flatMap((file) => {
  try {
    return [limber.writeScene(file.includes('<robot') ? limber.parseUrdf(file, { resolve }) : limber.parseMjcf(file, { resolve }))]
  } catch {
    return []
  }
})

/** A model that the builder takes must be one that can be evaluated; it is given back to be stepped. */
function use(spec) {
  const built = limber.buildModel(spec)
  limber.forwardDynamics(built, limber.createData(built), limber.createState(built))
  return { built }
}

const mesh3 = (name) => (bytes) => limber.parseMesh(bytes, name)
const volume = (name, options) => (bytes) => limber.parseVolumeMesh(bytes, name, options)

/** puts a true checksum on damaged bytes, so that what lies behind it is met too */
function sealReduced(bytes) {
  if (bytes.length < 24) return bytes
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  view.setUint32(12, bytes.length, true)
  let hash = 0x811c9dc5
  for (const byte of bytes.subarray(20)) hash = Math.imul(hash ^ byte, 0x01000193)
  view.setUint32(16, hash >>> 0, true)
  return bytes
}

function sealSnapshot(bytes) {
  if (bytes.length < 32) return bytes
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  view.setUint32(8, bytes.length, true)
  let c = ~0
  for (const byte of bytes.subarray(16)) {
    c ^= byte
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  }
  view.setUint32(12, ~c >>> 0, true)
  return bytes
}

/** `weight`: how many inputs of a hundred are of this format, about */
export const formats = [
  { name: 'MJCF', weight: 22, samples: mjcf, read: (bytes) => use(limber.parseMjcf(textOf(bytes), { file: 'a.xml', resolve })) },
  { name: 'URDF', weight: 16, samples: urdf, read: (bytes) => use(limber.parseUrdf(textOf(bytes), { file: 'a.urdf', resolve })) },
  {
    name: 'scene',
    weight: 16,
    samples: scenes,
    read: (bytes) => use(limber.parseScene(textOf(bytes), { file: 'a.json', resolve: () => reduced })),
  },
  {
    name: 'state',
    weight: 4,
    samples: [JSON.stringify({ t: 0, q: [...model.q0], v: [...model.q0].slice(0, model.nv), tau: new Array(model.nv).fill(0) })],
    read: (bytes) => limber.parseState(textOf(bytes), model, { file: 'state.json' }),
  },
  { name: 'OBJ', weight: 4, samples: [OBJ, TETRAHEDRON], read: mesh3('a.obj') },
  { name: 'STL', weight: 5, samples: [STL, binaryStl()], read: mesh3('a.stl') },
  { name: 'MSH', weight: 3, samples: [msh()], read: mesh3('a.msh') },
  { name: 'PLY', weight: 5, samples: [PLY, binaryPly()], read: mesh3('a.ply') },
  { name: 'Collada', weight: 5, samples: [DAE], read: mesh3('a.dae') },
  { name: 'Gmsh', weight: 4, samples: [GMSH2, GMSH4, binaryGmsh()], read: volume('a.msh') },
  { name: 'Vega', weight: 2, samples: [VEG], read: volume('a.veg') },
  { name: 'TetGen', weight: 2, samples: [NODE], read: volume('a.node', { resolve: () => ELE }) },
  { name: 'reduced', weight: 3, samples: [reduced], seal: sealReduced, read: (bytes) => limber.readReduced(bytes, 'a.reduced') },
  { name: 'snapshot', weight: 3, samples: [snapshot], seal: sealSnapshot, read: (bytes) => simulation.restore(bytes) },
  {
    name: 'trajectory JSON',
    weight: 2,
    samples: [limber.writeTrajectoryJson(recording)],
    read: (bytes) => limber.readTrajectoryJson(textOf(bytes)),
  },
  { name: 'CSV', weight: 2, samples: [limber.writeCsv(recording)], read: (bytes) => limber.readCsv(textOf(bytes)) },
  { name: 'NumPy', weight: 1, samples: [limber.writeNpy(recording)], read: (bytes) => limber.readNpy(bytes, recorded) },
  { name: 'MCAP', weight: 1, samples: [mcap], read: (bytes) => limber.readMcap(bytes) },
].map((format) => ({ ...format, samples: format.samples.map(bytesOf) }))
