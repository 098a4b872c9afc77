import loadMujoco, { type MainModule } from '@mujoco/mujoco'
import { beforeAll, expect, test } from 'vitest'
import { buildModel } from '../src/build/build-model.js'
import { createContacts } from '../src/contact/contacts.js'
import { findContacts } from '../src/contact/find-contacts.js'
import { parseMjcf } from '../src/io/mjcf/parse-mjcf.js'
import { createRandom } from './contact/bodies.js'

let mj: MainModule
beforeAll(async () => {
  mj = (await loadMujoco()) as MainModule
}, 120000)
const rnd0 = createRandom(3)
const verts = Array.from({ length: 20 }, () => rnd0.vec3(1))
  .flat()
  .join(' ')
const kinds: Record<string, string> = {
  sphere: 'type="sphere" size=".5"',
  capsule: 'type="capsule" size=".3 .6"',
  ellipsoid: 'type="ellipsoid" size=".3 .5 .8"',
  cylinder: 'type="cylinder" size=".4 .6"',
  box: 'type="box" size=".3 .5 .7"',
  mesh: 'type="mesh" mesh="m"',
}
const names = Object.keys(kinds)
const pairs = names.flatMap((a, i) => names.slice(i).map((b) => [a, b] as const))
test.each(pairs)('%s %s', (a, b) => {
  const xml = `<mujoco><option ccd_tolerance="1e-12" ccd_iterations="500"/><asset><mesh name="m" vertex="${verts}" inertia="convex"/></asset><worldbody><body><freejoint/><geom ${kinds[a]}/></body><body><freejoint/><geom ${kinds[b]}/></body></worldbody></mujoco>`
  const m = mj.MjModel.from_xml_string(xml)
  const d = new mj.MjData(m)
  const model = buildModel(parseMjcf(xml))
  const g = model.shapes
  const c = createContacts(g)
  const rnd = createRandom(7)
  let worst = 0,
    worstSep = 0,
    worstPen = 0,
    worse: unknown,
    seps = 0,
    pens = 0,
    bad = 0,
    deeper = 0,
    shallower = 0
  const fromto = new Float64Array(6)
  let t = 0
  for (let k = 0; k < 1000; k++) {
    const q = [...rnd.vec3(0.5), ...rnd.vec3(1), rnd.vec3(1)[0], ...rnd.vec3(1).map((x) => 1.2 * x), ...rnd.vec3(1), rnd.vec3(1)[0]]
    for (const o of [3, 10]) {
      const n = Math.hypot(...q.slice(o, o + 4))
      for (let r = o; r < o + 4; r++) q[r] /= n
    }
    d.qpos.set(q)
    mj.mj_kinematics(m, d)
    mj.mj_comPos(m, d)
    const X = new Float64Array(36)
    X.set([1, 0, 0, 0, 1, 0, 0, 0, 1])
    for (let i = 1; i < 3; i++) {
      X.set(d.xmat.subarray(9 * i, 9 * i + 9), 12 * i)
      X.set(d.xpos.subarray(3 * i, 3 * i + 3), 12 * i + 9)
    }
    const ft = mj.mj_geomDistance(m, d, 0, 1, 10, fromto)
    const t0 = performance.now()
    findContacts(c, g, X, 10)
    t += performance.now() - t0
    let least = 1e9
    for (let i = 0; i < c.count; i++) least = Math.min(least, c.gap[i])
    const err = Math.abs(least - ft)
    if (!(err < 1e-6)) {
      bad++
      if (least < ft) deeper++
      else shallower++
    }
    if (ft > 0) {
      seps++
      worstSep = Math.max(worstSep, err)
    } else {
      pens++
      worstPen = Math.max(worstPen, err)
      if (!(err <= worst)) {
        worst = err
        worse = [k, least, ft]
      }
    }
  }
  console.log(
    a,
    b,
    'sep',
    seps,
    worstSep.toExponential(1),
    'pen',
    pens,
    worstPen.toExponential(1),
    'bad',
    bad,
    'ours deeper',
    deeper,
    'ours shallower',
    shallower,
    JSON.stringify(worse),
    'us',
    t.toFixed(2),
  )
})
