import { buildModel, parseMjcf } from 'limber'
import { describe, expect, it } from 'vitest'
import { loadMujoco } from '../rival.js'
import { contactCases, findCases } from './cases.js'
import { type ContactRow, judgeContact } from './contact.js'

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

describe('contactCases', () => {
  it.each(contactCases.map((one) => [one.name, one] as const))(
    '%s is the same mechanism at the same start in both engines',
    async (_, one) => {
      const mujoco = await loadMujoco()
      if (!mujoco) throw new Error('@mujoco/mujoco is not installed')
      const files = one.files ?? {}
      const ours = buildModel(parseMjcf(one.mjcf, { resolve: (path) => files[path] }))
      const assets = new mujoco.MjVFS()
      for (const [name, text] of Object.entries(files)) assets.addBuffer(name, new TextEncoder().encode(text))
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
    expect(findCases(undefined)).toEqual(contactCases)
    expect(findCases('octopus')).toEqual([])
  })
})
