/**
 * Volume meshes as files of each format, for the tests of their readers.
 */
import type { Mesh } from 'limber'

type Numbers = readonly number[]

/** Corners of a voxel in the order that files go around it. */
const around = [0, 1, 3, 2, 4, 5, 7, 6]

interface Parts {
  readonly vertices: readonly Numbers[]
  /** from 0 on */
  readonly elements: readonly Numbers[]
  readonly type: number
}

function partsOf({ vertices, corners, elements }: Mesh): Parts {
  const rows = (list: ArrayLike<number>, n: number): number[][] =>
    Array.from({ length: list.length / n }, (_, k) => Array.from({ length: n }, (_, c) => list[n * k + c]))
  const found = rows(elements, corners)
  return {
    vertices: rows(vertices, 3),
    elements: corners === 4 ? found : found.map((e) => around.map((c) => e[c])),
    type: corners === 4 ? 4 : 5,
  }
}

const format = (version: string, binary: boolean): string => `$MeshFormat\n${version} ${binary ? 1 : 0} 8\n`

/** Nodes are numbered 10, 20, … and a point and a triangle stand among the elements. */
export function gmshText(mesh: Mesh, version: '2.2' | '4' | '4.1'): string {
  const { vertices, elements, type } = partsOf(mesh)
  const tag = (v: number): number => 10 * v + 10
  const lines = [`${format(version, false)}$EndMeshFormat`, '$PhysicalNames', '1', '3 1 "body"', '$EndPhysicalNames', '$Nodes']
  const tetrahedra = elements.map((e, k) => [k + 3, ...e.map(tag)])
  const extra = [
    [15, [tag(0)]],
    [2, [tag(0), tag(1), tag(2)]],
  ] as const
  if (version === '2.2') {
    lines.push(
      String(vertices.length),
      ...vertices.map((x, k) => `${tag(k)} ${x.join(' ')}`),
      '$EndNodes',
      '$Elements',
      String(elements.length + 2),
    )
    extra.forEach(([kind, nodes], k) => lines.push(`${k + 1} ${kind} 2 1 1 ${nodes.join(' ')}`))
    lines.push(...tetrahedra.map(([n, ...nodes]) => `${n} ${type} 2 1 1 ${nodes.join(' ')}`))
  } else if (version === '4') {
    // the first block has coordinates on its entity
    lines.push(`2 ${vertices.length}`, '7 1 1 1', `${tag(0)} ${vertices[0].join(' ')} 0.5`, `9 3 0 ${vertices.length - 1}`)
    lines.push(...vertices.slice(1).map((x, k) => `${tag(k + 1)} ${x.join(' ')}`), '$EndNodes', '$Elements', `3 ${elements.length + 2}`)
    extra.forEach(([kind, nodes], k) => lines.push(`1 ${k} ${kind} 1`, `${k + 1} ${nodes.join(' ')}`))
    lines.push(`9 3 ${type} ${elements.length}`, ...tetrahedra.map((row) => row.join(' ')))
  } else {
    lines.push(`2 ${vertices.length} 10 ${tag(vertices.length - 1)}`, '1 7 1 1', String(tag(0)), `${vertices[0].join(' ')} 0.5`)
    lines.push(`3 9 0 ${vertices.length - 1}`, ...vertices.slice(1).map((_, k) => String(tag(k + 1))))
    lines.push(...vertices.slice(1).map((x) => x.join(' ')), '$EndNodes', '$Elements', `3 ${elements.length + 2} 1 ${elements.length + 2}`)
    extra.forEach(([kind, nodes], k) => lines.push(`${k} 1 ${kind} 1`, `${k + 1} ${nodes.join(' ')}`))
    lines.push(`3 9 ${type} ${elements.length}`, ...tetrahedra.map((row) => row.join(' ')))
  }
  return `${lines.join('\n')}\n$EndElements\n`
}

export function gmshBytes(mesh: Mesh, version: '2.2' | '4.1', little: boolean): Uint8Array {
  const { vertices, elements, type } = partsOf(mesh)
  const bytes: number[] = []
  const text = (s: string): void => void bytes.push(...new TextEncoder().encode(s))
  const view = new DataView(new ArrayBuffer(8))
  const put = (length: number): void => {
    for (let k = 0; k < length; k++) bytes.push(view.getUint8(k))
  }
  const int = (x: number): void => {
    view.setInt32(0, x, little)
    put(4)
  }
  const size = (x: number): void => {
    view.setBigUint64(0, BigInt(x), little)
    put(8)
  }
  const double = (x: number): void => {
    view.setFloat64(0, x, little)
    put(8)
  }
  text(format(version, true))
  int(1)
  text('\n$EndMeshFormat\n$Nodes\n')
  if (version === '2.2') {
    text(`${vertices.length}\n`)
    vertices.forEach((x, k) => {
      int(k + 1)
      x.forEach(double)
    })
    text(`\n$EndNodes\n$Elements\n${elements.length}\n`)
    for (const x of [type, elements.length, 2]) int(x)
    elements.forEach((e, k) => {
      for (const x of [k + 1, 1, 1, ...e.map((v) => v + 1)]) int(x)
    })
  } else {
    for (const x of [1, vertices.length, 1, vertices.length]) size(x)
    for (const x of [3, 1, 0]) int(x)
    size(vertices.length)
    vertices.forEach((_, k) => {
      size(k + 1)
    })
    for (const x of vertices.flat()) double(x)
    text('\n$EndNodes\n$Elements\n')
    for (const x of [1, elements.length, 1, elements.length]) size(x)
    for (const x of [3, 1, type]) int(x)
    size(elements.length)
    elements.forEach((e, k) => {
      for (const x of [k + 1, ...e.map((v) => v + 1)]) size(x)
    })
  }
  text('\n$EndElements\n')
  return Uint8Array.from(bytes)
}

export function vegText(mesh: Mesh): string {
  const { vertices, elements } = partsOf(mesh)
  const lines = ['# a mesh', '*VERTICES', `${vertices.length} 3 0 0`, ...vertices.map((x, k) => `${k + 1} ${x.join(' ')}`), '', '*ELEMENTS']
  lines.push(mesh.corners === 4 ? 'TET' : 'CUBIC', `${elements.length} ${mesh.corners} 0`)
  lines.push(
    ...elements.map((e, k) => `${k + 1} ${e.map((v) => v + 1).join(' ')}`),
    '*MATERIAL BODY',
    'ENU, 1000, 1E6, 0.4 # soft',
    '*REGION',
    'all, BODY',
  )
  return lines.join('\n')
}

export function tetgenTexts(mesh: Mesh, first: 0 | 1): { node: string; ele: string } {
  const { vertices, elements } = partsOf(mesh)
  return {
    node: ['# nodes', `${vertices.length}  3  0  0`, ...vertices.map((x, k) => `  ${k + first}  ${x.join('  ')}`)].join('\n'),
    ele: [`${elements.length}  4  0`, ...elements.map((e, k) => ` ${k + first} ${e.map((v) => v + first).join(' ')}`), '# end'].join('\n'),
  }
}

/** The surface of a box, as OBJ. */
export function boxObj(low: Numbers, high: Numbers, before = 0): string {
  const lines: string[] = []
  for (let c = 0; c < 8; c++) lines.push(`v ${[0, 1, 2].map((a) => ((c >> a) & 1 ? high : low)[a]).join(' ')}`)
  const faces = ['0 4 6 2', '1 3 7 5', '0 1 5 4', '2 6 7 3', '0 2 3 1', '4 5 7 6']
  for (const face of faces)
    lines.push(
      `f ${face
        .split(' ')
        .map((v) => Number(v) + 1 + before)
        .join(' ')}`,
    )
  return lines.join('\n')
}
