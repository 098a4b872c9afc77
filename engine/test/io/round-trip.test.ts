/** Spec → file → Spec: the same mechanism, and from then on the same Spec. */
import { describe, expect, it } from 'vitest'
import { buildModel } from '../../src/build/build-model.js'
import type { Spec } from '../../src/build/spec.js'
import { energy, forwardDynamics } from '../../src/forces/dynamics.js'
import { parseMjcf } from '../../src/io/mjcf/parse-mjcf.js'
import { parseScene } from '../../src/io/scene/parse-scene.js'
import { writeScene } from '../../src/io/scene/write-scene.js'
import { parseUrdf } from '../../src/io/urdf/parse-urdf.js'
import { writeMjcf } from '../../src/io/write/mjcf/write-mjcf.js'
import { createSpecTree } from '../../src/io/write/spec-tree.js'
import { writeUrdf } from '../../src/io/write/urdf/write-urdf.js'
import { createData } from '../../src/model/data.js'
import { createState } from '../../src/model/state.js'
import { createRandom } from '../random.js'
import { FULL_SPEC, randomSpec } from './sample-specs.js'

/** tensors go through principal axes, angles through roll, pitch, yaw */
const TOLERANCE = 1e-9

interface Dynamics {
  readonly a: number[]
  readonly kinetic: number
  readonly potential: number
}

/** Accelerations and energies at coordinates and velocities given depth first. */
function dynamics(spec: Spec, q: readonly number[], v: readonly number[]): Dynamics {
  const model = buildModel(spec)
  const tree = createSpecTree(spec)
  expect([model.nq, model.nv]).toEqual([q.length, v.length])
  const state = createState(model)
  const data = createData(model)
  const joints = tree.bodies.flatMap((body) => body.joints)
  let iq = 0
  let iv = 0
  for (const joint of joints) {
    for (let k = 0; k < joint.nq; k++) state.q[joint.iq + k] = q[iq++]
    for (let k = 0; k < joint.nv; k++) state.v[joint.iv + k] = v[iv++]
  }
  forwardDynamics(model, data, state)
  const a = joints.flatMap((joint) => Array.from(data.a.subarray(joint.iv, joint.iv + joint.nv)))
  return { a, ...energy(model, data, state) }
}

/** Random coordinates and velocities, depth first, quaternions of unit length. */
function randomState(spec: Spec, seed: number): { q: number[]; v: number[] } {
  const random = createRandom(seed).unit
  const q: number[] = []
  const v: number[] = []
  for (const { parts, nq, nv } of createSpecTree(spec).bodies.flatMap((body) => body.joints)) {
    const own = Array.from({ length: nq }, () => 2 * random() - 1)
    const whole = parts[0]?.kind === 'ball' ? 0 : parts[0]?.kind === 'free' ? 3 : nq
    const n = Math.hypot(...own.slice(whole))
    q.push(...own.map((x, k) => (k >= whole ? x / n : x)))
    for (let k = 0; k < nv; k++) v.push(2 * random() - 1)
  }
  return { q, v }
}

function expectClose(found: Dynamics, expected: Dynamics): void {
  const scale = Math.max(1, ...expected.a.map(Math.abs))
  for (const [k, x] of expected.a.entries()) expect(Math.abs(found.a[k] - x), `a[${k}]`).toBeLessThan(TOLERANCE * scale)
  expect(Math.abs(found.kinetic - expected.kinetic)).toBeLessThan(TOLERANCE * Math.max(1, expected.kinetic))
  expect(Math.abs(found.potential - expected.potential)).toBeLessThan(TOLERANCE * Math.max(1, Math.abs(expected.potential)))
}

function plain(spec: Spec): Spec {
  const { places: _, ignored: __, ...rest } = spec
  return rest
}

/** Equal but for rounding in the last places. */
function expectNear(found: unknown, expected: unknown, path: string): void {
  if (typeof expected === 'number' && typeof found === 'number') {
    expect(Math.abs(found - expected), `${path}: ${found}, expected ${expected}`).toBeLessThan(1e-13 * Math.max(1, Math.abs(expected)))
    return
  }
  if (typeof expected !== 'object' || expected === null || typeof found !== 'object' || found === null) {
    expect(found, path).toEqual(expected)
    return
  }
  expect(Object.keys(found).sort(), path).toEqual(Object.keys(expected).sort())
  for (const [key, value] of Object.entries(expected)) expectNear((found as Record<string, unknown>)[key], value, `${path}/${key}`)
}

/** Nothing that a writer must leave out or approximate. */
function expressible(spec: Spec): Spec {
  const { loads: _, solver: __, ...rest } = spec
  const bodies = spec.bodies.filter((body) => body.name !== 'nut').map(({ damping: ___, ...body }) => body)
  return { ...rest, bodies, constraints: spec.constraints?.filter(({ type }) => type !== 'weld') ?? [] }
}

describe('mjcf', () => {
  it.each(Array.from({ length: 30 }, (_, seed) => seed))('keeps the dynamics of random mechanisms, seed %i', (seed) => {
    const spec = randomSpec(seed)
    const { q, v } = randomState(spec, seed)
    expectClose(dynamics(parseMjcf(writeMjcf(spec).text), q, v), dynamics(spec, q, v))
  })

  it('keeps the dynamics of a mechanism with every feature', () => {
    const spec = expressible(FULL_SPEC)
    const { q, v } = randomState(spec, 1)
    expectClose(dynamics(parseMjcf(writeMjcf(spec).text), q, v), dynamics(spec, q, v))
  })

  it.each([FULL_SPEC, ...Array.from({ length: 10 }, (_, seed) => randomSpec(seed))])(
    'is stable from the first reading on: $name',
    (spec) => {
      const once = parseMjcf(writeMjcf(spec).text)
      const { text, ignored } = writeMjcf(once)
      expect(ignored).toEqual([])
      expectNear(plain(parseMjcf(text)), plain(once), '')
    },
  )
})

describe('scene', () => {
  it.each(Array.from({ length: 5 }, (_, seed) => seed))('keeps what was read from MJCF, seed %i', (seed) => {
    const { places: _, ...spec } = parseMjcf(writeMjcf(seed === 0 ? FULL_SPEC : randomSpec(seed)).text)
    const { places: __, ...back } = parseScene(writeScene(spec))
    expect(back).toEqual(spec)
  })
})

describe('urdf', () => {
  it.each(Array.from({ length: 30 }, (_, seed) => seed))('keeps the dynamics of random mechanisms, seed %i', (seed) => {
    const { gravity: _, ...random } = randomSpec(seed)
    // what URDF cannot hold
    const spec: Spec = {
      ...random,
      bodies: random.bodies.map((body) => ({
        ...body,
        // one joint a body: random ones in sequence may leave it without inertia in some direction
        joints: (body.joints ?? []).slice(0, 1).map(({ stiffness: _s, armature: _a, rest: _r, ...joint }) => joint),
      })),
    }
    const { q, v } = randomState(spec, seed)
    expectClose(dynamics(parseUrdf(writeUrdf(spec).text), q, v), dynamics(spec, q, v))
  })
})
