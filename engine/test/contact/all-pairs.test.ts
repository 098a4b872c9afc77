/**
 * Every convex shape against every other: distance and normal on random poses, against MuJoCo and against brute force.
 *
 * For two convex shapes the signed distance is the largest over unit n of gap(n) = min n·b − max n·a. So an answer is right when its own normal
 * attains its gap, and no direction does better: neither MuJoCo's nor any that brute force finds; and when they are apart, as soon as there are
 * points of both that far from each other, which the contact names. This is how ours are judged where MuJoCo's search on curved shapes stops early,
 * at times by 1e-3.
 */
import type { MainModule } from '@mujoco/mujoco'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildModel } from '../../src/build/build-model.js'
import { placeGeom } from '../../src/build/geometry/segment.js'
import type { Spec } from '../../src/build/spec.js'
import { createContacts } from '../../src/contact/contacts.js'
import { findContacts } from '../../src/contact/find-contacts.js'
import { parseMjcf } from '../../src/io/mjcf/parse-mjcf.js'
import { mujoco } from '../io/mujoco.js'
import { createRandom, listContacts, type Numbers, type Pose } from './bodies.js'
import { bruteForceOf, outside, supportOf } from './support.js'

let module: MainModule
beforeAll(async () => {
  module = await mujoco()
}, 120_000)

const CORNERS = Array.from({ length: 24 }, createRandom(3).vec3.bind(undefined, 0.8)).flat()
const GEOMS: Record<string, string> = {
  sphere: 'type="sphere" size=".5"',
  capsule: 'type="capsule" size=".3 .6"',
  ellipsoid: 'type="ellipsoid" size=".3 .5 .8"',
  cylinder: 'type="cylinder" size=".4 .6"',
  box: 'type="box" size=".3 .5 .7"',
  mesh: 'type="mesh" mesh="rock"',
}
const NAMES = Object.keys(GEOMS)
const PAIRS = NAMES.flatMap((a, i) => NAMES.slice(i).map((b) => [a, b] as const))
const POSES = 1000
/** poses on which brute force looks as well: it takes a hundred times as long */
const SEARCHED = 60
const RIGHT = 1e-6
const ROUNDING = 1e-9

const sceneOf = (a: string, b: string): string => `<mujoco><option ccd_tolerance="1e-10" ccd_iterations="300"/>
  <asset><mesh name="rock" vertex="${CORNERS.join(' ')}" inertia="convex"/></asset><worldbody>
  <body><freejoint/><geom ${GEOMS[a]}/></body><body><freejoint/><geom ${GEOMS[b]}/></body></worldbody></mujoco>`

/** What MuJoCo's compiler made of the geoms: meshes are moved to their centre of mass. */
function placeGeoms(m: InstanceType<MainModule['MjModel']>, d: InstanceType<MainModule['MjData']>): Float64Array {
  module.mj_kinematics(m, d)
  const X = new Float64Array(12 * (m.nbody as number))
  for (let i = 0; i < (m.nbody as number); i++) {
    X.set(d.xmat.subarray(9 * i, 9 * i + 9), 12 * i)
    X.set(d.xpos.subarray(3 * i, 3 * i + 3), 12 * i + 9)
  }
  return X
}

describe.each(PAIRS)('%s and %s', (a, b) => {
  it(`have the distance and the normal of ${POSES} random poses`, () => {
    const text = sceneOf(a, b)
    const m = module.MjModel.from_xml_string(text)
    const d = new module.MjData(m)
    const spec: Spec = parseMjcf(text)
    const { shapes } = buildModel(spec)
    const c = createContacts(shapes)
    const [p, q] = spec.bodies.map(({ geoms = [] }) => placeGeom(geoms[0]))
    const random = createRandom(7)
    const ends = new Float64Array(6)
    const counts = { apart: 0, overlapping: 0, same: 0 }
    for (let k = 0; k < POSES; k++) {
      const turn = (): number[] => {
        const x = [random.between(-1, 1), ...random.vec3(1)]
        return x.map((t) => t / Math.hypot(...x))
      }
      d.qpos.set([...random.vec3(0.5), ...turn(), ...random.vec3(1.2), ...turn()])
      const X = placeGeoms(m, d)
      const [Xp, Xq]: Pose[] = [X.slice(12, 24), X.slice(24, 36)]
      const gapAlong = (n: Numbers): number =>
        -supportOf(
          q,
          Xq,
          n.map((x) => -x),
          spec.meshes,
        ) - supportOf(p, Xp, n, spec.meshes)
      findContacts(c, shapes, X, 10)
      const contacts = listContacts(c)
      const deepest = contacts.reduce((x, y) => (y.gap < x.gap ? y : x))
      // from the first to the second, as MuJoCo has it
      const normal = deepest.bodyA === 1 ? deepest.normal : deepest.normal.map((x) => -x)
      const { gap } = deepest
      expect(Math.abs(gapAlong(normal) - gap), `pose ${k}: its own normal`).toBeLessThan(ROUNDING)
      expect(contacts.every((contact) => contact.gap >= gap - ROUNDING)).toBe(true)

      const theirs = module.mj_geomDistance(m, d, 0, 1, 10, ends)
      const way = [0, 1, 2].map((r) => (theirs < 0 ? -1 : 1) * (ends[3 + r] - ends[r]))
      const length = Math.hypot(...way)
      const other = length > 1e-9 ? gapAlong(way.map((x) => x / length)) : Number.NEGATIVE_INFINITY
      expect(other - gap, `pose ${k}: MuJoCo's normal is better, ${theirs} for ${gap}`).toBeLessThan(RIGHT)
      if (gap > 0) {
        // points of both shapes that are no farther apart
        const end = (s: number): number[] => deepest.point.map((x, r) => x + s * 0.5 * gap * normal[r])
        expect(outside(p, Xp, end(-1), spec.meshes), `pose ${k}: point of the first`).toBeLessThan(RIGHT)
        expect(outside(q, Xq, end(1), spec.meshes), `pose ${k}: point of the second`).toBeLessThan(RIGHT)
      }
      if (k < SEARCHED) expect(bruteForceOf(gapAlong, [Xp, Xq]).gap - gap, `pose ${k}: brute force is better`).toBeLessThan(RIGHT)
      if (Math.abs(theirs - gap) < RIGHT) counts.same++
      if (gap > 0) counts.apart++
      else counts.overlapping++
    }
    expect(counts.apart).toBeGreaterThan(POSES / 20)
    expect(counts.overlapping).toBeGreaterThan(POSES / 20)
    m.delete()
    d.delete()
  }, 120_000)
})
