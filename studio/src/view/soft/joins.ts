/**
 * Joins without a gap: where a domain is fixed to an interface of another, vertices of both that coincide at rest are drawn at the mean of
 * where the two put them, and their neighbours follow by half [Barbic, section on rendering]. The frame of an interface fits its vertices
 * only on the whole, so that without this a seam opens when an interface is bent.
 *
 * There are few such vertices: the processor finds their corrections for each picture, and the graphics card adds them.
 */
import type { BodySpec, Skin, Spec } from 'limber'
import * as THREE from 'three'
import { createTable, type Table } from './tables.js'

/** vertices closer than this part of the size of a skin coincide */
const SAME = 1e-4

/** An instance of a skin: its batch, its place there, its body. */
export interface Instance {
  readonly batch: Joined
  readonly place: number
  readonly body: number
  readonly scale: number
}

/** What joins need of a batch, and give to it. */
export interface Joined {
  readonly skin: Skin
  /** how many instances it has */
  readonly places: number
  /** in the size of the mesh, 3 numbers: vertex v of an instance */
  vertexAt(out: THREE.Vector3, place: number, v: number): THREE.Vector3
  /** from the frame and size of the mesh to the world */
  matrixAt(out: THREE.Matrix4, place: number): THREE.Matrix4
}

export interface Fixes {
  /** slot of each vertex of the skin, −1 for those that never need one */
  readonly slots: Float32Array
  readonly count: number
  /** corrections of all instances */
  readonly table: Table
}

interface Pair {
  readonly upper: Instance
  readonly lower: Instance
  /** vertices of parent and child */
  readonly i: number
  readonly j: number
  /** one over the pairs that each vertex is in: crease copies, and several bodies that meet there */
  upperShare: number
  lowerShare: number
}

export interface Joins {
  fixesOf(batch: Joined): Fixes | undefined
  update(): void
}

export function createJoins({ bodies }: Spec, instances: ReadonlyMap<string, readonly Instance[]>): Joins {
  const pairs = bodies.flatMap((body) => pairsOf(body, instances))
  const uppers = countBy(pairs, ({ upper, i }) => [upper, i])
  const lowers = countBy(pairs, ({ lower, j }) => [lower, j])
  for (const pair of pairs) {
    pair.upperShare = 1 / uppers(pair)
    pair.lowerShare = 1 / lowers(pair)
  }
  const batches = new Set(pairs.flatMap(({ upper, lower }) => [upper.batch, lower.batch]))
  const made = new Map([...batches].map((batch) => [batch, createFixes(batch, pairs)]))

  const [a, b, gap] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()]
  const [up, down, back] = [new THREE.Matrix4(), new THREE.Matrix4(), new THREE.Matrix4()]
  const add = ({ batch, place }: Instance, vertex: number, matrix: THREE.Matrix4, share: number) => {
    const fixes = made.get(batch)
    if (!fixes) return
    const o = 4 * (place * fixes.count + fixes.slots[vertex])
    back.copy(matrix).invert()
    const e = back.elements
    const { data } = fixes.table
    for (let r = 0; r < 3; r++) data[o + r] += share * (e[r] * gap.x + e[4 + r] * gap.y + e[8 + r] * gap.z)
  }
  return {
    fixesOf: (batch) => made.get(batch),
    update() {
      for (const { table } of made.values()) table.data.fill(0)
      for (const { upper, lower, i, j, upperShare, lowerShare } of pairs) {
        upper.batch.vertexAt(a, upper.place, i).applyMatrix4(upper.batch.matrixAt(up, upper.place))
        lower.batch.vertexAt(b, lower.place, j).applyMatrix4(lower.batch.matrixAt(down, lower.place))
        gap.subVectors(b, a)
        add(upper, i, up, 0.5 * upperShare)
        add(lower, j, down, -0.5 * lowerShare)
      }
      for (const { follow } of made.values()) follow()
    },
  }
}

/** How many pairs have the same instance and vertex at one end. */
function countBy(pairs: readonly Pair[], end: (pair: Pair) => readonly [Instance, number]): (pair: Pair) => number {
  const counts = new Map<Instance, Map<number, number>>()
  for (const pair of pairs) {
    const [instance, vertex] = end(pair)
    const own = counts.get(instance) ?? new Map<number, number>()
    counts.set(instance, own.set(vertex, (own.get(vertex) ?? 0) + 1))
  }
  return (pair) => {
    const [instance, vertex] = end(pair)
    return counts.get(instance)?.get(vertex) ?? 1
  }
}

/** Vertices of a body that coincide at rest with those of its parent, both domains, with no joint between. */
function pairsOf(
  { name, parent, joints = [], position, quaternion }: BodySpec,
  instances: ReadonlyMap<string, readonly Instance[]>,
): Pair[] {
  const uppers = parent === undefined ? undefined : instances.get(parent)
  const lowers = instances.get(name)
  if (!uppers || !lowers || joints.length > 0) return []
  const [w, x, y, z] = quaternion ?? [1, 0, 0, 0]
  const turn = new THREE.Quaternion(x, y, z, w).normalize()
  const shift = new THREE.Vector3(...(position ?? [0, 0, 0]))
  const at = new THREE.Vector3()
  return lowers.flatMap((lower) =>
    heldVertices(lower.batch.skin).flatMap((j) => {
      const X = lower.batch.skin.positions
      at.set(X[3 * j], X[3 * j + 1], X[3 * j + 2])
        .multiplyScalar(lower.scale)
        .applyQuaternion(turn)
        .add(shift)
      return uppers.flatMap((upper) =>
        coinciding(upper, at.clone().divideScalar(upper.scale)).map((i): Pair => ({ upper, lower, i, j, upperShare: 1, lowerShare: 1 })),
      )
    }),
  )
}

const held = new WeakMap<Skin, number[]>()

/** Vertices that no mode moves: those of the interface to the parent. */
function heldVertices(skin: Skin): number[] {
  const known = held.get(skin)
  if (known) return known
  const { positions, shapes, modes } = skin
  const size = positions.length
  const still = (v: number) => {
    for (let l = 0; l < modes; l++) for (let a = 0; a < 3; a++) if (shapes[l * size + 3 * v + a] !== 0) return false
    return true
  }
  const found = Array.from({ length: size / 3 }, (_, v) => v).filter(still)
  held.set(skin, found)
  return found
}

function coinciding({ batch: { skin } }: Instance, at: THREE.Vector3): number[] {
  const X = skin.positions
  const near = SAME * sizeOf(skin)
  const found: number[] = []
  for (let v = 0; v < X.length; v += 3) {
    if (Math.abs(X[v] - at.x) < near && Math.abs(X[v + 1] - at.y) < near && Math.abs(X[v + 2] - at.z) < near) found.push(v / 3)
  }
  return found
}

const measured = new WeakMap<Skin, number>()

function sizeOf(skin: Skin): number {
  const known = measured.get(skin) ?? Math.max(...new THREE.Box3().setFromArray(skin.positions).getSize(new THREE.Vector3()).toArray())
  measured.set(skin, known)
  return known
}

/** Slots for the vertices of pairs and for their neighbours, which `follow`. */
function createFixes(batch: Joined, pairs: readonly Pair[]): Fixes & { follow(): void } {
  const { skin, places } = batch
  const count = skin.positions.length / 3
  const paired = new Set(
    pairs.flatMap(({ upper, lower, i, j }) => [...(upper.batch === batch ? [i] : []), ...(lower.batch === batch ? [j] : [])]),
  )
  const around = neighbours(skin)
  const slots = new Float32Array(count).fill(-1)
  let next = 0
  for (const v of paired) slots[v] = next++
  const rings = Array.from({ length: count }, (_, v) => v).flatMap((v) => {
    const of = paired.has(v) ? [] : [...(around[v] ?? [])].filter((other) => paired.has(other))
    if (of.length === 0) return []
    slots[v] = next++
    return [{ slot: slots[v], of: of.map((other) => slots[other]) }]
  })
  const table = createTable(places * next)
  return {
    slots,
    count: next,
    table,
    follow() {
      const { data } = table
      for (let place = 0; place < places; place++) {
        const first = place * next
        for (const { slot, of } of rings) {
          for (let a = 0; a < 3; a++) {
            let sum = 0
            for (const other of of) sum += data[4 * (first + other) + a]
            data[4 * (first + slot) + a] = (0.5 * sum) / of.length
          }
        }
      }
    },
  }
}

/** Vertices that share an edge with each; those that stand at one place, on either side of a crease, have the same neighbours. */
function neighbours({ positions: X, triangles }: Skin): ReadonlySet<number>[] {
  const count = X.length / 3
  const copies = new Map<string, number[]>()
  const keys = Array.from({ length: count }, (_, v) => `${X[3 * v]} ${X[3 * v + 1]} ${X[3 * v + 2]}`)
  keys.forEach((key, v) => copies.set(key, [...(copies.get(key) ?? []), v]))
  const sets = Array.from({ length: count }, () => new Set<number>())
  for (let f = 0; f < triangles.length; f += 3) {
    for (const [a, b] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ]) {
      const [from, to] = [copies.get(keys[triangles[f + a]]) ?? [], copies.get(keys[triangles[f + b]]) ?? []]
      for (const v of from) for (const w of to) sets[v].add(w)
      for (const v of from) for (const w of to) sets[w].add(v)
    }
  }
  return sets
}
