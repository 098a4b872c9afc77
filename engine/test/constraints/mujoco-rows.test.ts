/**
 * MuJoCo as a second opinion on what equalities and limits of a file mean: residuals and rows of its constraint solver beside ours.
 *
 * Its welds measure the turn by a quaternion, ours by the rotation vector; both vanish together, which is what is compared.
 */
import loadMujoco from '@mujoco/mujoco'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildModel } from '../../src/build/build-model.js'
import { createLimitRows, updateLimitRows } from '../../src/constraints/rows/limits.js'
import { createReducedRows, reduceRows } from '../../src/constraints/rows/reduce.js'
import { createRows, updateRows } from '../../src/constraints/rows/rows.js'
import { parseMjcf } from '../../src/io/mjcf/parse-mjcf.js'
import { integrate } from '../../src/joints/index.js'
import { createData } from '../../src/model/data.js'
import { forwardKinematics } from '../../src/tree/kinematics.js'
import { createRandom } from '../random.js'

const xml = `
<mujoco>
  <compiler angle="radian"/>
  <option jacobian="dense"><flag contact="disable"/></option>
  <worldbody>
    <site name="s0" pos="0.1 0.2 0.3"/>
    <body name="a" pos="0 0 1">
      <joint name="ja" axis="0 1 0" ref="0.2" limited="true" range="-0.1 0.1"/>
      <geom size="0.1" mass="1"/>
      <body name="b" pos="0.5 0 0" euler="0.3 0.1 0.2">
        <joint name="jb" axis="1 1 0" ref="-0.1" limited="true" range="-0.05 0.05"/>
        <geom size="0.1" mass="1"/>
        <body name="c" pos="0.4 0.1 0">
          <joint name="jc" type="ball" limited="true" range="0 0.01"/>
          <geom size="0.1" mass="1"/>
          <site name="s1" pos="0.1 0 0"/>
        </body>
      </body>
    </body>
    <body name="d" pos="0 1 0">
      <joint name="jd" type="slide" axis="1 0 0" ref="0.15"/>
      <joint name="je" type="hinge" axis="0 0 1" pos="0.1 0 0"/>
      <geom size="0.1" mass="1"/>
      <site name="s2" pos="0.1 0.1 0"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="rope" limited="true" range="0.1 0.2"><site site="s0"/><site site="s1"/><site site="s2"/></spatial>
    <fixed name="sum"><joint joint="jd" coef="2"/><joint joint="jb" coef="-0.5"/></fixed>
  </tendon>
  <equality>
    <connect body1="c" body2="d" anchor="0.1 0.2 0"/>
    <connect body1="b" anchor="0.1 0.2 0"/>
    <connect site1="s1" site2="s2"/>
    <joint joint1="ja" joint2="jb" polycoef="0.1 0.5 0.3 -0.2 0.7"/>
    <joint joint1="jd" polycoef="0.3 0 0 0 0"/>
    <tendon tendon1="rope" tendon2="sum" polycoef="0.1 0.5 0.3 0 0"/>
    <tendon tendon1="sum" polycoef="0.2 0 0 0 0"/>
    <weld body1="a" body2="d"/>
    <weld body1="c" body2="b" relpose="0.4 0.2 0.1 0.9 0.1 0.3 0.2"/>
  </equality>
</mujoco>`

/** rows before the welds */
const EXACT = 13

describe('rows of a file with equalities and limits', () => {
  let ours: ReturnType<typeof evaluate>
  let theirs: { count: number; position: Float64Array; J: Float64Array; type: Int32Array }

  const model = buildModel(parseMjcf(xml))
  const q = model.q0.slice()
  integrate(model, q, createRandom(4).array(model.nv, 0.4), 1)

  function evaluate() {
    const data = createData(model)
    const rows = createRows(model)
    const limits = createLimitRows(model)
    const reduced = createReducedRows(model, rows.count + limits.g.length)
    const v = new Float64Array(model.nv)
    forwardKinematics(model, data, q, v)
    updateRows(rows, model, data, q, v)
    limits.reach[0] = 0
    updateLimitRows(limits, model, data, q, v)
    reduceRows(reduced, rows, model, data)
    reduceRows(reduced, limits, model, data)
    return { rows, limits, G: reduced.G }
  }

  beforeAll(async () => {
    ours = evaluate()
    const mujoco = await loadMujoco()
    const m = mujoco.MjModel.from_xml_string(xml)
    const d = new mujoco.MjData(m)
    d.qpos.set(q)
    mujoco.mj_forward(m, d)
    theirs = { count: d.nefc, position: Float64Array.from(d.efc_pos), J: Float64Array.from(d.efc_J), type: Int32Array.from(d.efc_type) }
    d.delete()
    m.delete()
  }, 120_000)

  it('has the residuals and rows of MuJoCo for points, couplings and tendons', () => {
    const { rows, G } = ours
    for (let r = 0; r < EXACT; r++) {
      expect(rows.g[r], `row ${r}`).toBeCloseTo(theirs.position[r], 10)
      for (let k = 0; k < model.nv; k++) expect(G[r * model.nv + k], `row ${r}, velocity ${k}`).toBeCloseTo(theirs.J[r * model.nv + k], 10)
    }
  })

  it('has the limits of MuJoCo: gap, and −C', () => {
    const { rows, limits, G } = ours
    const first = rows.count
    expect(theirs.count).toBe(rows.count + limits.count)
    // the same rows in another order
    const rowOf = (position: number): number =>
      Array.from(theirs.position).findIndex((x, r) => r >= first && Math.abs(x - position) < 1e-10)
    expect(limits.count).toBeGreaterThan(2)
    for (let r = 0; r < limits.count; r++) {
      const other = rowOf(limits.g[r])
      expect(other).toBeGreaterThanOrEqual(first)
      for (let k = 0; k < model.nv; k++) expect(G[(first + r) * model.nv + k]).toBeCloseTo(-theirs.J[other * model.nv + k], 10)
    }
  })

  it('has the offsets of MuJoCo for welds, and turns that point the same way', () => {
    expect(ours.rows.count).toBe(EXACT + 12)
    for (const weld of [EXACT, EXACT + 6]) {
      for (let r = weld; r < weld + 3; r++) expect(ours.rows.g[r]).toBeCloseTo(theirs.position[r], 10)
      const [a, b] = [ours.rows.g, theirs.position].map((g) => g.slice(weld + 3, weld + 6))
      const turn = Math.hypot(...a)
      expect(turn).toBeGreaterThan(0.1)
      expect(Math.hypot(...b)).toBeCloseTo(Math.sin(turn / 2), 10)
    }
  })
})
