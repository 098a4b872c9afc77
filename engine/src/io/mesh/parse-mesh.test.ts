import { describe, expect, test } from 'vitest'
import { ModelError } from '../../model/model-error.js'
import { parseMesh } from './parse-mesh.js'

const cubeVertices = ['0 0 0', '1 0 0', '1 1 0', '0 1 0', '0 0 1', '1 0 1', '1 1 1', '0 1 1']
const cubeQuads = ['4 3 2 1', '5 6 7 8', '1 2 6 5', '2 3 7 6', '3 4 8 7', '4 1 5 8']
const cubeObj = [...cubeVertices.map((v) => `v ${v}`), ...cubeQuads.map((f) => `f ${f}`)].join('\n')

function binaryStl(mesh: { vertices: readonly number[]; faces: readonly number[] }, title = ''): Uint8Array {
  const n = mesh.faces.length / 3
  const bytes = new DataView(new ArrayBuffer(84 + 50 * n))
  for (let k = 0; k < title.length; k++) bytes.setUint8(k, title.charCodeAt(k))
  bytes.setUint32(80, n, true)
  mesh.faces.forEach((v, k) => {
    const o = 84 + 50 * Math.floor(k / 3) + 12 * ((k % 3) + 1)
    for (let c = 0; c < 3; c++) bytes.setFloat32(o + 4 * c, mesh.vertices[3 * v + c] as number, true)
  })
  return new Uint8Array(bytes.buffer)
}

function textStl(mesh: { vertices: readonly number[]; faces: readonly number[] }): string {
  const out = ['solid test']
  for (let i = 0; i < mesh.faces.length; i += 3) {
    out.push('facet normal 0 0 0', ' outer loop')
    for (let j = 0; j < 3; j++) {
      const v = 3 * (mesh.faces[i + j] as number)
      out.push(`  vertex ${mesh.vertices.slice(v, v + 3).join(' ')}`)
    }
    out.push(' endloop', 'endfacet')
  }
  return [...out, 'endsolid test', ''].join('\n')
}

function msh(mesh: { vertices: readonly number[]; faces: readonly number[] }): Uint8Array {
  const { vertices, faces } = mesh
  const bytes = new DataView(new ArrayBuffer(16 + 4 * vertices.length + 4 * faces.length))
  bytes.setInt32(0, vertices.length / 3, true)
  bytes.setInt32(12, faces.length / 3, true)
  vertices.forEach((x, k) => bytes.setFloat32(16 + 4 * k, x, true))
  faces.forEach((i, k) => bytes.setInt32(16 + 4 * vertices.length + 4 * k, i, true))
  return new Uint8Array(bytes.buffer)
}

/** Signed volume, which any reading of a closed surface must keep. */
function volume(mesh: { vertices: readonly number[]; faces: readonly number[] }): number {
  let sum = 0
  for (let i = 0; i < mesh.faces.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((j) => mesh.vertices.slice(3 * (mesh.faces[i + j] as number), 3 * (mesh.faces[i + j] as number) + 3))
    const [x, y, z] = [a, b, c] as [number[], number[], number[]] as unknown as [
      [number, number, number],
      [number, number, number],
      [number, number, number],
    ]
    sum += x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2]) + x[2] * (y[0] * z[1] - y[1] * z[0])
  }
  return sum / 6
}

describe('OBJ', () => {
  test('a cube of quads becomes twelve outward triangles', () => {
    const mesh = parseMesh(cubeObj, 'cube.obj')
    expect(mesh.vertices).toHaveLength(24)
    expect(mesh.faces).toHaveLength(36)
    expect(volume(mesh)).toBeCloseTo(1, 12)
    expect(mesh.ignored).toEqual([])
  })

  test('a quad is cut along its shorter diagonal, along the second when they are equal', () => {
    const flat = (points: string[]) => parseMesh([...points.map((p) => `v ${p}`), 'f 1 2 3 4'].join('\n'), 'q.obj').faces
    expect(flat(['0 0 0', '1 0 0', '1 1 0', '0 1 0'])).toEqual([0, 1, 3, 1, 2, 3])
    expect(flat(['0 0 0', '2 -1 0', '1 0 0', '2 1 0'])).toEqual([0, 1, 2, 0, 2, 3])
  })

  test('corners with texture and normal numbers, negative numbers, comments and continued lines are read', () => {
    const text = 'v 0 0 0 # origin\nv 1 0 0\r\nv 0 1 0\nvn 0 0 1\nvt 0 0\nf 1/1/1 2//1 \\\n 3/1\nf -3 -2 -1\nf 3 2 1\n'
    expect(parseMesh(text, 'a.OBJ').faces).toEqual([0, 1, 2, 0, 1, 2, 2, 1, 0])
  })

  test('a concave pentagon keeps its area', () => {
    const text = 'v 1 1 0\nv 5 1 0\nv 5 5 0\nv 3 2 0\nv 1 5 0\nf 1 2 3 4 5\n'
    const { vertices: v, faces } = parseMesh(text, 'p.obj')
    let area = 0
    for (let i = 0; i < faces.length; i += 3) {
      const [a, b, c] = faces.slice(i, i + 3).map((k) => 3 * k) as [number, number, number]
      const at = (k: number) => v[k] as number
      area += ((at(b) - at(a)) * (at(c + 1) - at(a + 1)) - (at(c) - at(a)) * (at(b + 1) - at(a + 1))) / 2
    }
    expect(area).toBeCloseTo(10, 12)
  })

  test('faces of further objects are listed as ignored, or joined when asked for', () => {
    const two = `o a\n${cubeObj}\no b\n${cubeObj.replace(/^f (.*)$/gm, (_, f: string) => `f ${f.replace(/\d+/g, (d) => String(Number(d) + 8))}`)}`
    const first = parseMesh(two, 'two.obj')
    expect(first.vertices).toHaveLength(48)
    expect(first.faces).toHaveLength(36)
    expect(first.ignored).toHaveLength(1)
    expect(first.ignored[0]?.what).toContain('6 faces')
    const all = parseMesh(two, 'two.obj', { objects: 'all' })
    expect(all.faces).toHaveLength(72)
    expect(all.ignored).toEqual([])
  })

  test('coordinates are rounded to float32', () => {
    expect(parseMesh('v 0.1 0.2 0.3\nv 0 0 1\nv 1 0 0\nf 1 2 3', 'r.obj').vertices.slice(0, 3)).toEqual([0.1, 0.2, 0.3].map(Math.fround))
  })

  test.each([
    ['v 1 2\n', 1],
    ['v 0 0 0\nv a 0 0\n', 2],
    ['v 0 0 0\nf 0 1 1\n', 2],
    ['v 0 0 0\n\nf 1 1 9\n', 3],
    ['v 0 0 0\nf 1 x 1\n', 2],
    ['v 0 0 0\nf -2 -1 -1\n', 2],
  ])('bad line in %j is reported with file and line', (text, line) => {
    const error = catchError(() => parseMesh(text, 'bad.obj'))
    expect(error.problems[0]?.place).toEqual({ file: 'bad.obj', line, column: 1 })
  })
})

describe('STL', () => {
  const cube = parseMesh(cubeObj, 'cube.obj')

  test('binary corners are welded to eight vertices', () => {
    const mesh = parseMesh(binaryStl(cube), 'cube.stl')
    expect(mesh.vertices).toHaveLength(24)
    expect(volume(mesh)).toBeCloseTo(1, 12)
  })

  test('a binary file that begins with "solid" is read as binary', () => {
    expect(parseMesh(binaryStl(cube, 'solid but binary'), 'cube.stl').faces).toHaveLength(36)
  })

  test('text STL gives the same mesh, from bytes and from a string', () => {
    const text = textStl(cube)
    const binary = parseMesh(binaryStl(cube), 'cube.stl')
    expect(parseMesh(text, 'cube.stl')).toEqual(binary)
    expect(parseMesh(new TextEncoder().encode(text), 'cube.stl')).toEqual(binary)
  })

  test('bytes at an odd offset of a larger buffer are read', () => {
    const whole = new Uint8Array(1000)
    const bytes = binaryStl(cube)
    whole.set(bytes, 7)
    expect(parseMesh(whole.subarray(7, 7 + bytes.length), 'cube.stl').faces).toHaveLength(36)
  })

  test('many distinct vertices stay distinct and equal ones meet', () => {
    const n = 3000
    const vertices = Array.from({ length: 3 * n }, (_, k) => Math.fround(Math.sin(k * 12.9898) * 43758.5453))
    const faces = Array.from({ length: 6 * n }, (_, k) => (k * 7919) % n)
    const mesh = parseMesh(binaryStl({ vertices, faces }), 'many.stl')
    expect(mesh.vertices).toHaveLength(3 * n)
    mesh.faces.forEach((v, k) => expect(mesh.vertices[3 * v]).toBe(vertices[3 * (faces[k] as number)]))
  })

  test('a wrong triangle count is named, and allocates nothing', () => {
    const bytes = binaryStl(cube)
    new DataView(bytes.buffer).setUint32(80, 0xffffffff, true)
    expect(catchError(() => parseMesh(bytes, 'cube.stl')).message).toContain('4294967295 triangles')
  })

  test('a text file cut inside a facet is reported with its line', () => {
    const lines = textStl(cube).split('\n').slice(0, 5)
    expect(catchError(() => parseMesh(lines.join('\n'), 'c.stl')).problems[0]?.place?.line).toBe(5)
  })
})

describe('MSH', () => {
  const cube = parseMesh(cubeObj, 'cube.obj')

  test('vertices and triangles come back', () => {
    expect(parseMesh(msh(cube), 'cube.msh')).toEqual(cube)
  })

  test('huge counts, bad sizes and bad numbers are problems', () => {
    for (const [offset, value] of [
      [0, 0x7fffffff],
      [12, 0x7fffffff],
      [4, 5],
      [0, 3],
      [12, -1],
      [16 + 96, 99],
    ] as const) {
      const bytes = msh(cube)
      new DataView(bytes.buffer).setInt32(offset, value, true)
      expect(catchError(() => parseMesh(bytes, 'cube.msh')).problems[0]?.path).toBe('cube.msh')
    }
  })
})

describe('PLY', () => {
  const header = (format: string) =>
    `ply\nformat ${format} 1.0\ncomment x\nelement vertex 4\nproperty float x\nproperty float y\nproperty double z\nproperty uchar red\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n`
  const points = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0.5]
  const lists = [
    [0, 1, 2],
    [0, 2, 3],
  ]

  test('text', () => {
    const rows = [0, 1, 2, 3].map((i) => `${points.slice(3 * i, 3 * i + 3).join(' ')} 255`)
    const mesh = parseMesh([header('ascii') + rows.join('\n'), ...lists.map((l) => `${l.length} ${l.join(' ')}`), ''].join('\n'), 'a.ply')
    expect(mesh).toEqual({ vertices: points, faces: lists.flat(), ignored: [] })
  })

  test.each([true, false])('binary (little endian %s)', (little) => {
    const head = new TextEncoder().encode(header(little ? 'binary_little_endian' : 'binary_big_endian'))
    const bytes = new Uint8Array(head.length + 4 * 17 + 2 * 13)
    bytes.set(head)
    const view = new DataView(bytes.buffer)
    let o = head.length
    for (let i = 0; i < 4; i++, o += 17) {
      view.setFloat32(o, points[3 * i] as number, little)
      view.setFloat32(o + 4, points[3 * i + 1] as number, little)
      view.setFloat64(o + 8, points[3 * i + 2] as number, little)
    }
    for (const corners of lists) {
      view.setUint8(o, 3)
      corners.forEach((v, k) => view.setInt32(o + 1 + 4 * k, v, little))
      o += 13
    }
    expect(parseMesh(bytes, 'a.ply')).toEqual({ vertices: points, faces: lists.flat(), ignored: [] })
    expect(catchError(() => parseMesh(bytes.subarray(0, bytes.length - 5), 'a.ply')).message).toContain('cut off')
  })

  test('a count far beyond the file ends at once', () => {
    const text = header('ascii').replace('vertex 4', 'vertex 999999999999')
    expect(catchError(() => parseMesh(`${text}0 0 0 1\n`, 'a.ply')).problems[0]?.place?.line).toBe(13)
    expect(catchError(() => parseMesh(`${text.replace(/property (float|double|uchar) .*\n/g, '')}0\n`, 'a.ply')).message).toContain(
      'face 2 of 2',
    )
  })
})

describe('COLLADA', () => {
  const dae = (
    body: string,
    scene: string,
  ) => `<?xml version="1.0"?><COLLADA version="1.4.1"><asset><unit meter="0.01"/><up_axis>Z_UP</up_axis></asset>
    <library_geometries><geometry id="g"><mesh>
      <source id="p"><float_array id="a" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array>
        <technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
      <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>${body}</mesh></geometry></library_geometries>
    <library_visual_scenes><visual_scene id="s">${scene}</visual_scene></library_visual_scenes>
    <scene><instance_visual_scene url="#s"/></scene></COLLADA>`
  const triangles =
    '<triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/><p>0 0 1 0 2 0 0 1 2 1 3 1</p></triangles>'
  const show = '<instance_geometry url="#g"/>'

  test('triangles are placed by nested nodes, in metres', () => {
    const scene = `<node><translate>100 0 0</translate><node><rotate>0 0 1 90</rotate><scale>2 2 2</scale>${show}</node></node>`
    const { vertices, faces, ignored } = parseMesh(dae(triangles, scene), 'a.dae')
    expect(faces).toEqual([0, 1, 2, 0, 2, 3])
    const expected = [1, 0, 0, 1, 0.02, 0, 0.98, 0.02, 0, 0.98, 0, 0]
    vertices.forEach((x, k) => expect(x).toBeCloseTo(expected[k] as number, 6))
    expect(ignored).toEqual([])
  })

  test('polygon lists, fans and strips give the same surface', () => {
    const input = '<input semantic="VERTEX" source="#v" offset="0"/>'
    const area = (body: string) => {
      const { vertices: v, faces } = parseMesh(dae(body, `<node>${show}</node>`), 'a.dae')
      let sum = 0
      for (let k = 0; k < faces.length; k += 3) {
        const [a, b, c] = faces.slice(k, k + 3).map((i) => 3 * i) as [number, number, number]
        const at = (i: number) => v[i] as number
        sum += ((at(b) - at(a)) * (at(c + 1) - at(a + 1)) - (at(c) - at(a)) * (at(b + 1) - at(a + 1))) / 2
      }
      return sum
    }
    for (const body of [
      `<polylist count="1">${input}<vcount>4</vcount><p>0 1 2 3</p></polylist>`,
      `<polygons count="1">${input}<p>0 1 2 3</p></polygons>`,
      `<trifans count="1">${input}<p>0 1 2 3</p></trifans>`,
      `<tristrips count="1">${input}<p>0 1 3 2</p></tristrips>`,
    ]) {
      expect(area(body)).toBeCloseTo(1e-4, 9)
    }
  })

  test('a mirrored node turns its faces over', () => {
    const scene = `<node><matrix>-1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>${show}</node>`
    expect(parseMesh(dae(triangles, scene), 'a.dae').faces).toEqual([2, 1, 0, 3, 2, 0])
  })

  test('circles of nodes, bad numbers and bad references are problems with their place', () => {
    const circle = dae(triangles, '<node id="n"><instance_node url="#n"/></node>')
    expect(catchError(() => parseMesh(circle, 'a.dae')).problems[0]?.place?.line).toBe(6)
    expect(() => parseMesh(dae(triangles.replace('0 0 1', '0 0 x'), `<node>${show}</node>`), 'a.dae')).toThrow("got 'x'")
    expect(() => parseMesh(dae(triangles.replace('0 0 1', '9 0 1'), `<node>${show}</node>`), 'a.dae')).toThrow('from 0 to 3')
    expect(() => parseMesh(dae(triangles, '<node><instance_geometry url="#no"/></node>'), 'a.dae')).toThrow('got none')
  })

  test('another up axis is listed', () => {
    const text = dae(triangles, `<node>${show}</node>`).replace('Z_UP', 'Y_UP')
    expect(parseMesh(text, 'a.dae').ignored[0]?.what).toBe('up_axis Y_UP')
  })
})

test('an unknown suffix is decided by content', () => {
  const cube = parseMesh(cubeObj, 'cube.obj')
  expect(parseMesh(cubeObj, 'cube').faces).toEqual(cube.faces)
  expect(parseMesh(binaryStl(cube), 'cube').faces).toHaveLength(36)
  expect(() => parseMesh('hello', 'cube.xyz')).toThrow(ModelError)
  expect(() => parseMesh('', 'cube.obj')).toThrow('empty')
})

function catchError(run: () => unknown): ModelError {
  try {
    run()
  } catch (error) {
    if (error instanceof ModelError) return error
    throw error
  }
  throw new Error('expected a ModelError')
}
