/**
 * Shapes on a height field: flat ones against a plane, rough ones against all triangles by brute force.
 */
import { buildModel, createSimulation, parseMjcf } from 'limber'
import { describe, expect, it } from 'vitest'
import type { ShapeSpec } from '../../src/build/spec.js'
import { compileMjcf, mujoco } from '../io/mujoco.js'
import {
  contactsOf,
  createRandom,
  leastGap,
  moved,
  multiply,
  type Numbers,
  type Pose,
  pointVelocity,
  pose,
  type Random,
  randomShape,
  type SolidShape,
  transformBy,
} from './bodies.js'

const SOLIDS: readonly SolidShape[] = ['sphere', 'capsule', 'box', 'cylinder', 'ellipsoid']

interface Field {
  readonly shape: 'heightfield'
  readonly size: readonly [number, number]
  readonly rows: number
  readonly columns: number
  readonly heights: readonly number[]
}

type Triangle = readonly [Numbers, Numbers, Numbers]

function field(rows: number, columns: number, height: (x: number, y: number) => number, size: readonly [number, number] = [4, 3]): Field {
  const heights = Array.from({ length: rows * columns }, (_, k) => {
    const x = size[0] * ((k % columns) / (columns - 1) - 0.5)
    const y = size[1] * (Math.floor(k / columns) / (rows - 1) - 0.5)
    return height(x, y)
  })
  return { shape: 'heightfield', size, rows, columns, heights }
}

const rough = (random: Random): Field => field(6, 7, () => random.between(-0.3, 0.3))

/** Two triangles a cell, split as the engine documents it. */
function trianglesOf(f: Field): Triangle[] {
  const at = (i: number, j: number): Numbers => [
    f.size[0] * (i / (f.columns - 1) - 0.5),
    f.size[1] * (j / (f.rows - 1) - 0.5),
    f.heights[j * f.columns + i],
  ]
  const list: Triangle[] = []
  for (let j = 0; j < f.rows - 1; j++) {
    for (let i = 0; i < f.columns - 1; i++) {
      list.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)])
    }
  }
  return list
}

const minus = (a: Numbers, b: Numbers): number[] => a.map((x, k) => x - b[k])
const dot = (a: Numbers, b: Numbers): number => a.reduce((sum, x, k) => sum + x * b[k], 0)

function distanceToSegment(p: Numbers, a: Numbers, b: Numbers): number {
  const d = minus(b, a)
  const t = Math.min(1, Math.max(0, dot(minus(p, a), d) / dot(d, d)))
  return Math.hypot(...minus(p, a).map((x, k) => x - t * d[k]))
}

function distanceToTriangle(p: Numbers, [a, b, c]: Triangle): number {
  const u = minus(b, a)
  const v = minus(c, a)
  const w = minus(p, a)
  const det = dot(u, u) * dot(v, v) - dot(u, v) ** 2
  const s = (dot(v, v) * dot(w, u) - dot(u, v) * dot(w, v)) / det
  const t = (dot(u, u) * dot(w, v) - dot(u, v) * dot(w, u)) / det
  if (s >= 0 && t >= 0 && s + t <= 1) return Math.hypot(...w.map((x, k) => x - s * u[k] - t * v[k]))
  return Math.min(distanceToSegment(p, a, b), distanceToSegment(p, b, c), distanceToSegment(p, c, a))
}

function heightAt(f: Field, x: number, y: number): number {
  const u = (x / f.size[0] + 0.5) * (f.columns - 1)
  const v = (y / f.size[1] + 0.5) * (f.rows - 1)
  if (!(u >= 0 && v >= 0 && u <= f.columns - 1 && v <= f.rows - 1)) return Number.NEGATIVE_INFINITY
  const i = Math.min(Math.floor(u), f.columns - 2)
  const j = Math.min(Math.floor(v), f.rows - 2)
  const [s, t] = [u - i, v - j]
  const at = (p: number, q: number): number => f.heights[(j + q) * f.columns + i + p]
  if (s >= t) return at(0, 0) + s * (at(1, 0) - at(0, 0)) + t * (at(1, 1) - at(1, 0))
  return at(0, 0) + t * (at(0, 1) - at(0, 0)) + s * (at(1, 1) - at(0, 1))
}

/** How far a point is inside of a shape, at most; negative outside. */
function depthIn(b: ShapeSpec, X: Pose, p: Numbers): number {
  const d = minus(p, [X[9], X[10], X[11]])
  const x = [0, 1, 2].map((k) => X[k] * d[0] + X[3 + k] * d[1] + X[6 + k] * d[2])
  if (b.shape === 'box') return Math.min(...b.size.map((edge, k) => edge / 2 - Math.abs(x[k])))
  if (b.shape === 'cylinder') return Math.min(b.length / 2 - Math.abs(x[2]), b.radius - Math.hypot(x[0], x[1]))
  if (b.shape === 'ellipsoid') return Math.min(...b.radii) * (1 - Math.hypot(...b.radii.map((r, k) => x[k] / r)))
  throw new Error(`no depth in a ${b.shape}`)
}

/** Points all over the surface of a shape, in the world. */
function surfaceOf(b: ShapeSpec, X: Pose): number[][] {
  const steps = Array.from({ length: 25 }, (_, k) => k / 12 - 1)
  const points: number[][] = []
  for (const u of steps) {
    for (const v of steps) {
      if (b.shape === 'box') {
        for (let k = 0; k < 3; k++) {
          for (const side of [-1, 1]) {
            const unit = [0, 1, 2].map((r) => (r === k ? side : r === (k + 1) % 3 ? u : v))
            points.push(unit.map((x, r) => (x * b.size[r]) / 2))
          }
        }
      } else if (b.shape === 'cylinder') {
        const [c, s] = [Math.cos(Math.PI * u), Math.sin(Math.PI * u)]
        points.push([b.radius * c, b.radius * s, (v * b.length) / 2])
        for (const side of [-1, 1]) points.push([b.radius * c * Math.abs(v), b.radius * s * Math.abs(v), (side * b.length) / 2])
      } else if (b.shape === 'ellipsoid') {
        const r = Math.sqrt(1 - v * v)
        points.push([b.radii[0] * r * Math.cos(Math.PI * u), b.radii[1] * r * Math.sin(Math.PI * u), b.radii[2] * v])
      }
    }
  }
  return points.map((x) => transformBy(X, x))
}

describe.each(SOLIDS)('%s on a field', (kind) => {
  it('touches a flat field as it touches a plane', () => {
    const random = createRandom(1)
    const flat = field(5, 6, () => 0.2)
    let tested = 0
    for (let n = 0; n < 100; n++) {
      const b = randomShape(kind, random)
      const frame = random.pose(1)
      const X = multiply(frame, pose([random.between(-0.4, 0.4), random.between(-0.3, 0.3), random.between(0.2, 0.9)], random.vec3(2)))
      const onField = contactsOf([flat, b], [frame, X], 0.2)
      const onPlane = contactsOf([{ shape: 'plane' }, b], [multiply(frame, pose([0, 0, 0.2])), X], 0.2)
      if (onPlane.length === 0) expect(onField).toEqual([])
      else {
        tested++
        expect(leastGap(onField)).toBeCloseTo(leastGap(onPlane), 10)
        for (const contact of onField) onPlane[0].normal.forEach((x, k) => expect(contact.normal[k]).toBeCloseTo(x, 9))
      }
    }
    expect(tested).toBeGreaterThan(20)
  })

  it('lies flat on it at several points, none of them twice', () => {
    const flat = field(9, 9, () => 0)
    const size = 0.7
    const shapes: Record<SolidShape, readonly [ShapeSpec, Numbers, number]> = {
      sphere: [{ shape: 'sphere', radius: size }, [0, 0, 0], 1],
      ellipsoid: [{ shape: 'ellipsoid', radii: [0.3, 0.5, size] }, [0, 0, 0], 1],
      capsule: [{ shape: 'capsule', radius: size, length: 1 }, [Math.PI / 2, 0, 0], 2],
      cylinder: [{ shape: 'cylinder', radius: 0.5, length: 2 * size }, [0, 0, 0], 4],
      box: [{ shape: 'box', size: [0.9, 0.8, 2 * size] }, [0, 0, 0], 4],
    }
    const [b, rotation, least] = shapes[kind]
    for (const [x, y] of [
      [0, 0],
      [0.5, 0],
      [0.25, 0.1875],
      [0.3, 0.17],
    ]) {
      const contacts = contactsOf([flat, b], [pose([0, 0, 0]), pose([x, y, size], rotation)], 0.01)
      expect(contacts.length).toBeGreaterThanOrEqual(least)
      if (kind === 'sphere' || kind === 'ellipsoid') expect(contacts.length).toBe(1)
      for (const contact of contacts) {
        expect(contact.gap).toBeCloseTo(0, 10)
        expect(contact.normal[2]).toBeCloseTo(1, 9)
      }
      expect(new Set(contacts.map((k) => k.key)).size).toBe(contacts.length)
    }
  })

  it('never reports a number that is not one', () => {
    const random = createRandom(4)
    for (let n = 0; n < 300; n++) {
      const f = random.below(2) === 0 ? rough(random) : field(3, 3, () => (random.below(3) - 1) * 0.5)
      const X = random.below(3) === 0 ? pose([random.below(3) - 1, random.below(3) - 1, random.below(3) * 0.5]) : random.pose(1.5)
      for (const contact of contactsOf([f, randomShape(kind, random)], [pose([0, 0, 0]), X], 0.1)) {
        for (const x of [...contact.point, ...contact.normal, contact.gap]) expect(Number.isFinite(x)).toBe(true)
        expect(Math.hypot(...contact.normal)).toBeCloseTo(1, 9)
        expect(contact.gap).toBeLessThanOrEqual(0.1)
      }
    }
  })

  it('changes its gap at the rate of the points along the normal', () => {
    const random = createRandom(3)
    const h = 1e-6
    let tested = 0
    for (let n = 0; n < 150; n++) {
      const f = rough(random)
      const b = randomShape(kind, random)
      const [Xa, Xb] = [
        pose([0, 0, 0]),
        pose([random.between(-0.8, 0.8), random.between(-0.5, 0.5), random.between(0.3, 1)], random.vec3(2)),
      ]
      const [ta, tb] = [random.twist(1), random.twist(1)]
      const [middle, before, after] = [0, -h, h].map((s) => contactsOf([f, b], [moved(Xa, ta, s), moved(Xb, tb, s)], 0.05))
      if (middle.length === 0) continue
      const deepest = middle.reduce((p, q) => (q.gap < p.gap ? q : p))
      // points of the rim that are not its deepest one are not fixed to the cylinder
      if (kind === 'cylinder' && deepest.feature % 16 !== 3 && deepest.feature % 16 !== 7) continue
      // edges and peaks against an ellipsoid: of second order in the gap, so its rate is of first order
      if (kind === 'ellipsoid' && ((deepest.feature - 64) >> 4) % 8 < 4) continue
      const [p, q] = [before, after].map((list) => list.find((k) => k.feature === deepest.feature))
      if (!p || !q) continue
      tested++
      const relative = minus(pointVelocity(Xb, tb, deepest.point), pointVelocity(Xa, ta, deepest.point))
      expect(Math.abs((q.gap - p.gap) / (2 * h) - dot(deepest.normal, relative))).toBeLessThan(1e-4)
    }
    expect(tested).toBeGreaterThan(20)
  })
})

describe.each(['sphere', 'capsule'] as const)('%s above a rough field', (kind) => {
  it('keeps its distance to the nearest triangle', () => {
    const random = createRandom(2)
    let tested = 0
    for (let n = 0; n < 100; n++) {
      const f = rough(random)
      const triangles = trianglesOf(f)
      const b = randomShape(kind, random)
      const X = pose([random.between(-0.8, 0.8), random.between(-0.5, 0.5), random.between(0.3, 1.5)], random.vec3(2))
      const expected = Math.min(...triangles.map((t) => distanceFromShape(b, X, t)))
      // overlapping shapes have no distance
      if (!(expected > 0 && expected < 0.3)) continue
      tested++
      expect(Math.abs(leastGap(contactsOf([f, b], [pose([0, 0, 0]), X], 0.3)) - expected), `case ${n}`).toBeLessThan(1e-7)
    }
    expect(tested).toBeGreaterThan(20)
  })
})

describe.each(['box', 'cylinder', 'ellipsoid'] as const)('%s on a rough field', (kind) => {
  it('touches when it overlaps the surface, and only then', () => {
    const random = createRandom(2)
    let apart = 0
    let overlapping = 0
    for (let n = 0; n < 150; n++) {
      const f = rough(random)
      const b = randomShape(kind, random)
      const X = pose([random.between(-0.8, 0.8), random.between(-0.5, 0.5), random.between(0.2, 1)], random.vec3(2))
      const least = leastGap(contactsOf([f, b], [pose([0, 0, 0]), X], 0.1))
      let deepest = Number.NEGATIVE_INFINITY
      for (let i = 0; i <= 100; i++) {
        for (let j = 0; j <= 75; j++) {
          const [x, y] = [f.size[0] * (i / 100 - 0.5), f.size[1] * (j / 75 - 0.5)]
          deepest = Math.max(deepest, depthIn(b, X, [x, y, heightAt(f, x, y)]))
        }
      }
      const clearance = Math.min(...surfaceOf(b, X).map((p) => p[2] - heightAt(f, p[0], p[1])))
      if (deepest > 0.03) {
        overlapping++
        expect(least, `case ${n}: the surface is ${deepest} inside`).toBeLessThan(0)
      }
      if (clearance > 0.03 && deepest < -0.03) {
        apart++
        expect(least, `case ${n}: clear by ${clearance}`).toBeGreaterThan(-1e-9)
      }
    }
    expect(apart).toBeGreaterThan(10)
    expect(overlapping).toBeGreaterThan(10)
  })
})

function distanceFromShape(b: ShapeSpec, X: Pose, triangle: Triangle): number {
  if (b.shape === 'sphere') return distanceToTriangle([X[9], X[10], X[11]], triangle) - b.radius
  if (b.shape === 'capsule') {
    // distance to a convex set is convex along the axis
    const at = (t: number): number => distanceToTriangle(transformBy(X, [0, 0, t]), triangle)
    let [low, high] = [-b.length / 2, b.length / 2]
    while (high - low > 1e-9) {
      const [p, q] = [low + (high - low) / 3, high - (high - low) / 3]
      if (at(p) < at(q)) high = q
      else low = p
    }
    return Math.min(at(low), at(high)) - b.radius
  }
  throw new Error(`no distance of a ${b.shape}`)
}

describe('a sphere below the surface', () => {
  it('is pushed out along the face above it', () => {
    const random = createRandom(5)
    for (let n = 0; n < 50; n++) {
      const f = rough(random)
      const [x, y] = [random.between(-1.5, 1.5), random.between(-1, 1)]
      const contacts = contactsOf([f, { shape: 'sphere', radius: 0.2 }], [pose([0, 0, 0]), pose([x, y, heightAt(f, x, y) - 0.1])], 0.1)
      expect(contacts.length).toBe(1)
      expect(contacts[0].gap).toBeLessThan(-0.2)
      expect(contacts[0].normal[2]).toBeGreaterThan(0)
    }
  })
})

describe('a cell with one raised corner', () => {
  it('is split as MuJoCo splits it: a ball comes to lie where its ball does', async () => {
    const mj = await mujoco()
    for (const elevation of ['0 0 0 1', '0 0 1 0', '0 1 0 0', '1 0 0 0']) {
      const text = `<mujoco>
        <asset><hfield name="cell" nrow="2" ncol="2" size="1 1 .3 .1" elevation="${elevation}"/></asset>
        <worldbody><geom type="hfield" hfield="cell"/>
          <body name="ball" pos=".1 .05 .4"><joint name="up" type="slide" axis="0 0 1" damping="5"/><geom size=".1" mass="1"/></body>
        </worldbody></mujoco>`
      const theirs = await compileMjcf(text)
      const data = new mj.MjData(theirs)
      const simulation = createSimulation(buildModel(parseMjcf(text)))
      try {
        while (data.time < 3) mj.mj_step(theirs, data)
        simulation.advance(3)
        // the other diagonal is 150 mm higher or lower here; the prisms of MuJoCo touch at several points, and give way less
        expect(Math.abs(simulation.joint('up').position - (data.qpos as Float64Array)[0]), elevation).toBeLessThan(2e-3)
      } finally {
        data.delete()
        theirs.delete()
      }
    }
  })
})
