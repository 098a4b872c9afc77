/**
 * Contacts of each shape with planes, as in MuJoCo: depth at rest, landing, sliding, tipping, spinning and rolling, for both cones and all
 * values of condim. Every course of single bodies is compared step by step.
 */
import type { MainModule } from '@mujoco/mujoco'
import { beforeAll, describe, expect, it } from 'vitest'
import { mujoco } from '../io/mujoco.js'
import { agree, bodyOnPlane, inLimber } from './twins.js'

let module: MainModule
beforeAll(async () => {
  module = await mujoco()
})

/** a corner of a hull that lies flat is one of three in MuJoCo, so that this one has three */
const MESHES = `<asset><mesh name="tetrahedron" vertex="0.1 0 -0.1 -0.05 0.0866 -0.1 -0.05 -0.0866 -0.1 0 0 0.1"/>
  <mesh name="cube" vertex="-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1" scale="0.1 0.1 0.1"/></asset>`
const DOWN = 'euler="1.5707963267948966 0 0"'
const SHAPES = [
  ['sphere', 'type="sphere" size="0.1" mass="1"'],
  ['capsule', `type="capsule" size="0.1 0.2" mass="1" ${DOWN}`],
  ['box', 'type="box" size="0.1 0.1 0.1" mass="1"'],
  ['cylinder', 'type="cylinder" size="0.1 0.1" mass="1"'],
  ['cylinder on its side', `type="cylinder" size="0.1 0.1" mass="1" ${DOWN}`],
  ['ellipsoid', 'type="ellipsoid" size="0.1 0.15 0.1" mass="1"'],
  ['tetrahedron', 'type="mesh" mesh="tetrahedron" mass="1"'],
  ['cube as a mesh', 'type="mesh" mesh="cube" mass="1"'],
] as const
const CONES = ['cone="elliptic"', 'cone="pyramidal"']
const CASES = SHAPES.flatMap(([name, geom]) => CONES.map((option) => [name, option, geom] as const))

/** all of them are 0.1 m high above their lowest points; a contact that begins at 0 would begin or not by rounding */
const LYING = '0 0 0.0997 1 0 0 0'
const ABOVE = '0 0 0.25 0.9 0.3 0.2 0.25'
const PUSHED = '1 0.5 0 0 0 0'
const THROWN = '1 0.5 0 1 2 3'

describe.each(CASES)('a %s on a plane, with %s,', (_, option, geom) => {
  const scene = { option, geom, more: MESHES }

  it('rests as deep', () => {
    const end = agree(module, bodyOnPlane({ ...scene, q: LYING }), { seconds: 0.5 }).at(-1)
    const depth = 0.1 - (end?.[2] ?? 0)
    expect(depth).toBeGreaterThan(5e-5)
    expect(depth).toBeLessThan(5e-4)
  })

  it('lands as hard', () => {
    agree(module, bodyOnPlane({ ...scene, q: '0 0 0.15 1 0 0 0' }), { seconds: 0.3 })
  })

  it('slides and rolls as far', () => {
    const end = agree(module, bodyOnPlane({ ...scene, q: LYING, v: PUSHED }), { seconds: 0.5 }).at(-1)
    expect(end?.[0]).toBeGreaterThan(0.02)
  })

  it('tumbles as far', () => {
    agree(module, bodyOnPlane({ ...scene, q: ABOVE, v: THROWN }), { seconds: 0.5 })
  })

  it.each([1, 4, 6])('spins, slides and rolls as far with condim %i', (condim) => {
    const own = `${geom} condim="${condim}" friction="0.6 0.02 0.01" priority="1"`
    agree(module, bodyOnPlane({ ...scene, geom: own, q: LYING, v: '1 0.5 0 0 1 5' }), { seconds: 0.5 })
  })

  it('tumbles as far on a tilted plane that is not at the origin', () => {
    const plane = 'euler="0.3 0.9 0.5" pos="0.1 0.1 0.1"'
    agree(module, bodyOnPlane({ ...scene, plane, q: '0 0 0.3 0.9 0.3 0.2 0.25', v: THROWN }), { seconds: 0.5 })
  })

  it('bounces as far between a floor and two walls of other friction', () => {
    const world = `<geom type="plane" size="0 0 1" pos="0.3 0 0" zaxis="-1 0 0.1" condim="4"/>
      <body pos="0 0.4 0"><geom type="plane" size="0 0 1" zaxis="0.1 -1 0.1" friction="2"/></body>`
    agree(module, bodyOnPlane({ ...scene, world, q: '0 0 0.3 0.9 0.3 0.2 0.25', v: '1.5 2 0 1 2 3' }), { seconds: 0.5 })
  })
})

describe('a ball', () => {
  const ball = 'type="sphere" size="0.1" mass="1"'

  it('that rolls at 1 m/s lies no deeper than one that rests', () => {
    const q = '0 0 0.0997 1 0 0 0'
    const [still, rolling] = ['0 0 0 0 0 0', '1 0 0 0 10 0'].map((v) =>
      inLimber(bodyOnPlane({ geom: ball, q, v }), { seconds: 0.5 }).at(-1),
    )
    expect(Math.abs((rolling?.[2] ?? 0) - (still?.[2] ?? 1))).toBeLessThan(1e-6)
  })

  it('without friction is not held back where it leaves the plane', () => {
    const geom = `${ball} condim="1" solref="-20000 -20"`
    const course = agree(module, bodyOnPlane({ option: 'cone="elliptic"', geom, q: '0 0 0.2 1 0 0 0' }), { seconds: 0.5 })
    // it bounces
    expect(Math.max(...course.slice(80).map((q) => q[2]))).toBeGreaterThan(0.11)
  })

  it('that spins at 20 rad/s flies on as fast', () => {
    const end = inLimber(bodyOnPlane({ option: 'gravity="0 0 0"', geom: ball, q: '0 0 1 1 0 0 0', v: '1 0 0 0 0 20' }), { seconds: 1 }).at(
      -1,
    )
    expect(end?.[0]).toBeCloseTo(1, 9)
    expect(end?.[1]).toBeCloseTo(0, 9)
  })
})
