import { buildModel, createData, createState, energy, forwardDynamics, ModelError, parseScene, writeScene } from 'limber'
import { describe, expect, it } from 'vitest'
import { findScene, scenes } from './index.js'

const build = (name: string, values: Record<string, number | string> = {}) => {
  const scene = findScene(name)
  if (!scene) throw new Error(`no scene ${name}`)
  return scene.build(values)
}

describe.each(scenes.map((scene) => [scene.name, scene] as const))('scene %s', (name, scene) => {
  const spec = scene.build({})

  it('states its gravity, step and solver', () => {
    expect(spec.gravity).toHaveLength(3)
    expect(spec.timestep).toBeGreaterThan(0)
    expect(spec.solver?.name).toBeTruthy()
  })

  it('builds a model that starts to move', () => {
    const model = buildModel(spec)
    const data = createData(model)
    forwardDynamics(model, data, createState(model))
    expect(data.a.every(Number.isFinite)).toBe(true)
    expect(Math.hypot(...data.a)).toBeGreaterThan(1e-3)
  })

  it('survives a round trip through scene JSON', () => {
    const { places: _, ...read } = parseScene(writeScene(spec))
    const again = buildModel(read)
    const first = buildModel(spec)
    expect([again.nq, again.nv, again.nbody]).toEqual([first.nq, first.nv, first.nbody])
    expect(energy(again, createData(again), createState(again)).potential).toBeCloseTo(
      energy(first, createData(first), createState(first)).potential,
      9,
    )
  })

  it('has the size that it states, if it states one', () => {
    const { nbody, nv } = buildModel(spec)
    const size = { bodies: nbody - 1, dof: nv }
    expect(scene.size ?? size).toEqual(size)
  })

  it('has a title, a description and described parameters within their own bounds', () => {
    expect(scene.title && scene.description && name).toBeTruthy()
    for (const parameter of Object.values(scene.parameters)) expect(parameter.description).toBeTruthy()
  })
})

describe('chain', () => {
  it.each([
    ['revolute', 7, 7],
    ['universal', 14, 14],
    ['spherical', 28, 21],
  ])('with %s joints has the expected coordinates', (joint, nq, nv) => {
    const model = buildModel(build('chain', { links: 7, joint }))
    expect([model.nq, model.nv]).toEqual([nq, nv])
  })

  it('starts in the same picture for every kind of joint', () => {
    const heights = ['revolute', 'universal', 'spherical'].map((joint) => {
      const model = buildModel(build('chain', { links: 3, joint }))
      return energy(model, createData(model), createState(model)).potential
    })
    expect(heights[1]).toBeCloseTo(heights[0] ?? 0, 9)
    expect(heights[2]).toBeCloseTo(heights[0] ?? 0, 9)
  })

  it('weighs links times mass', () => {
    const model = buildModel(build('chain', { links: 4, mass: 2.5 }))
    let total = 0
    for (let i = 1; i < model.nbody; i++) total += model.inertia[10 * i] ?? 0
    expect(total).toBeCloseTo(10, 12)
  })
})

describe('humanoid', () => {
  it('has a free root and 21 hinges', () => {
    const model = buildModel(build('humanoid', { support: 'none' }))
    expect([model.nq, model.nv]).toEqual([28, 27])
  })
})

describe('hinge-tree', () => {
  it.each([
    [5, 31],
    [7, 127],
  ])('of %i levels has %i hinges', (levels, nv) => {
    expect(buildModel(build('hinge-tree', { levels })).nv).toBe(nv)
  })
})

describe('parameters', () => {
  it('are refused all at once when unknown, out of range or of the wrong type', () => {
    const bad = () => build('chain', { links: 0, joint: 'rubber', mass: 'heavy', legnth: 1 })
    expect(bad).toThrow(ModelError)
    try {
      bad()
    } catch (error) {
      expect((error as ModelError).problems.map((problem) => problem.path).toSorted()).toEqual([
        'chain/joint',
        'chain/legnth',
        'chain/links',
        'chain/mass',
      ])
    }
  })

  it('take numbers written as text', () => {
    expect(build('chain', { links: '3' }).bodies).toHaveLength(3)
  })
})
