import { describe, expect, it } from 'vitest'
import type { Spec } from '../../../build/spec.js'
import { parseMjcf } from '../parse-mjcf.js'

const ball = '<geom size="0.1"/>'
const bodies = `<body name="s">${ball}<site name="p"/><body><joint/>${ball}<body gravcomp="0.5">${ball}</body></body></body>`
const read = (fusestatic: boolean, after = ''): Spec =>
  parseMjcf(`<mujoco><compiler settotalmass="6" fusestatic="${fusestatic}"/><worldbody>${bodies}</worldbody>${after}</mujoco>`)
const masses = (spec: Spec): number[] => spec.bodies.map((body) => Number((body.inertia?.mass ?? 0).toFixed(12)))

describe('fusestatic', () => {
  it('gives masses to the body that carries them, and leaves out what becomes part of the ground', () => {
    expect(masses(read(false))).toEqual([2, 2, 2])
    expect(masses(read(true))).toEqual([0, 6, 0])
    expect(masses(read(true, '<sensor><gyro site="p"/></sensor>'))).toEqual([0, 6, 0])
  })

  it('leaves a body alone that the file names, or measures the force on', () => {
    for (const after of [
      '<contact><exclude body1="s" body2="world"/></contact>',
      '<worldbody><light mode="targetbody" target="s"/></worldbody>',
      '<sensor><framepos objtype="body" objname="s"/></sensor>',
      '<sensor><force site="p"/></sensor>',
    ]) {
      expect(masses(read(true, after))).toEqual([2, 4, 0])
    }
  })

  it('forgets the gravity compensation of a body that becomes part of another', () => {
    expect(read(false).bodies[2]).toHaveProperty('gravityCompensation', 0.5)
    for (const body of read(true).bodies) expect(body).not.toHaveProperty('gravityCompensation')
  })

  it('and discardvisual name the drag of ellipsoids that would then be another', () => {
    const lacks = (compiler: string): string => {
      const hand = '<body><geom type="ellipsoid" size="0.1 0.2 0.3" contype="0" conaffinity="0" fluidshape="ellipsoid"/></body>'
      const xml = `<compiler ${compiler}/><option density="2"/><worldbody><body><joint/>${ball}${hand}</body></worldbody>`
      return (parseMjcf(`<mujoco>${xml}</mujoco>`).ignored ?? []).map(({ why }) => why).join()
    }
    expect(lacks('')).not.toMatch(/affects motion/)
    for (const compiler of ['fusestatic="true"', 'discardvisual="true"']) expect(lacks(compiler)).toMatch(/affects motion: /)
  })
})
