import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildModel, parseMjcf } from 'limber'
import { describe, expect, it } from 'vitest'
import { loadMujoco } from '../rival.js'
import { contactCases, findCases, groundCases } from './cases.js'
import { type ContactRow, judgeContact, judgeModels } from './contact.js'
import { readCase } from './own-models.js'

const figures = { mean: 1, worst: 1, first: 1, contacts: 4, height: 1, kinetic: 0 }
const row = (more: Partial<ContactRow>): ContactRow => ({
  ...{ name: 'robot', bars: { mean: 1, worst: 2, first: 4 }, steps: 100, limber: figures, mujoco: figures },
  ...more,
})

describe('judgeContact', () => {
  it('holds mean, slowest and first steps against the bars of the case', () => {
    const verdicts = judgeContact([
      row({ ratio: { mean: 0.9, worst: 2.5, first: 4 } }),
      row({ bars: { mean: 1.5, first: 4 }, ratio: { mean: 1.6, worst: 9, first: 3 } }),
    ])
    expect(verdicts.map(({ measured, limit, holds }) => [measured, limit, holds])).toEqual([
      [0.9, 1, true],
      [2.5, 2, false],
      [4, 4, true],
      [1.6, 1.5, false],
      [3, 4, true],
    ])
  })

  it('fails a case that stopped, however fast it was before, and one that is left out', () => {
    const fast = { mean: 0.1, worst: 0.1, first: 0.1 }
    expect(judgeContact([row({ ratio: fast, stopped: 'a joint came apart' })]).some(({ holds }) => holds)).toBe(false)
    expect(judgeContact([row({ stopped: 'meshes do not touch', notYet: true })]).some(({ holds }) => holds)).toBe(false)
  })

  it('says nothing without a rival', () => {
    expect(judgeContact([row({})])).toEqual([])
  })
})

describe('judgeModels', () => {
  it('holds the median of models, one that stopped being slower than any', () => {
    const model = (mean: number, more: Partial<ContactRow> = {}): ContactRow =>
      row({ bars: { mean: 10 }, ratio: { mean, worst: 1, first: 1 }, ...more })
    const [median, ...each] = judgeModels([model(1), model(2), model(0.1, { stopped: 'apart' })])
    expect([median.measured, median.holds]).toEqual([2, false])
    expect(each.map(({ holds }) => holds)).toEqual([true, true, false])
    expect(judgeModels([model(1), model(1.8)])[0].measured).toBeCloseTo(1.4, 12)
  })
})

describe('readCase', () => {
  it('brings along what lies in the folder of a model, and beside it where it is named', () => {
    const folder = mkdtempSync(join(tmpdir(), 'limber-bench-'))
    try {
      for (const name of ['robot', 'meshes']) mkdirSync(join(folder, name))
      const tetrahedron = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'
      writeFileSync(join(folder, 'meshes/part.obj'), tetrahedron)
      writeFileSync(join(folder, 'robot/skin.png'), 'a picture')
      writeFileSync(join(folder, 'robot/notes.txt'), 'not a part')
      const text = `<mujoco><asset><mesh name="part" file="../meshes/part.obj"/></asset>
        <worldbody><body><freejoint/><geom type="mesh" mesh="part"/></body></worldbody></mujoco>`
      writeFileSync(join(folder, 'robot/robot.xml'), text)
      const { mjcf, files = {} } = readCase(join(folder, 'robot/robot.xml'))
      expect(mjcf).toBe(text)
      expect(Object.keys(files).sort()).toEqual(['../meshes/part.obj', 'robot.xml', 'skin.png'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('contactCases', () => {
  it.each(contactCases.map((one) => [one.name, one] as const))(
    '%s is the same mechanism at the same start in both engines',
    async (_, one) => {
      const mujoco = await loadMujoco()
      if (!mujoco) throw new Error('@mujoco/mujoco is not installed')
      const files = one.files ?? {}
      const ours = buildModel(parseMjcf(one.mjcf, { resolve: (path) => files[path] }))
      const assets = new mujoco.MjVFS()
      for (const [name, text] of Object.entries(files)) assets.addBuffer(name, new TextEncoder().encode(String(text)))
      const theirs = mujoco.MjModel.from_xml_string(one.mjcf, assets)
      expect([ours.nq, ours.nv, ours.actuators.names.length]).toEqual([theirs.nq, theirs.nv, theirs.nu])
      expect(ours.timestep).toBe(theirs.opt.timestep)
      const start = ours.keyframes.length > 0 ? ours.keyframes[0].q : ours.q0
      const key = theirs.nkey > 0 ? theirs.key_qpos : theirs.qpos0
      start.forEach((x, k) => expect(x).toBeCloseTo(key[k], 12))
      // masses agree body by body: shapes, densities and hulls mean the same
      for (let i = 1; i < ours.nbody; i++) expect(ours.inertia[10 * i] / theirs.body_mass[i]).toBeCloseTo(1, 9)
      theirs.delete()
    },
  )

  it('are found by words of their names', () => {
    expect(findCases('humanoid').map(({ name }) => name)).toEqual(['humanoid lying', 'humanoid standing'])
    expect(findCases('boxes heap').map(({ name }) => name)).toEqual(['heap of 30 boxes'])
    expect(findCases(undefined)).toEqual([...contactCases, ...groundCases])
    expect(findCases('octopus')).toEqual([])
  })
})
