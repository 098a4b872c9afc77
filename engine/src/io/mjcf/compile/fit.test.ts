import { describe, expect, it } from 'vitest'
import { ModelError } from '../../../model/model-error.js'
import { parseMjcf } from '../parse-mjcf.js'

describe('a shape fitted to a mesh', () => {
  it('that cannot be weighed is one problem, that of the mesh', () => {
    const mesh = '<mesh name="sheet" vertex="0 0 0 1 0 0 1 1 0 0 1 0" face="0 1 2 0 2 3"/>'
    const xml = `<mujoco><asset>${mesh}</asset><worldbody><body><joint/><geom type="capsule" mesh="sheet"/></body></worldbody></mujoco>`
    let problems: readonly string[] = []
    try {
      parseMjcf(xml)
    } catch (error) {
      if (error instanceof ModelError) problems = error.problems.map(({ message }) => message)
    }
    expect(problems).toEqual([expect.stringMatching(/^mesh 'sheet': mesh volume is too small/)])
  })
})
