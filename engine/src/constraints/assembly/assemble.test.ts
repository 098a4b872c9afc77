import { describe, expect, it } from 'vitest'
import { bennett, fourBar, parallelogram, sliderCrank, stewart } from '../../../test/constraints/linkages.js'
import { createRandom } from '../../../test/random.js'
import { buildModel } from '../../build/build-model.js'
import type { ConstraintSpec, Spec } from '../../build/spec.js'
import { integrate } from '../../joints/index.js'
import { createData } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { forwardKinematics } from '../../tree/kinematics.js'
import { createRows, rowVelocities, updateRows } from '../rows/rows.js'
import { type Assembly, assemble } from './assemble.js'

/** rounding of poses of order one */
const CLOSED = 1e-12
const time = Float64Array.of(0)

function worst({ residuals }: Assembly): number {
  return Math.max(...residuals.map(({ residual }) => residual))
}

function perturbed(model: Model, seed: number, size: number): Float64Array {
  const q = model.q0.slice()
  integrate(model, q, createRandom(seed).array(model.nv, size), 1)
  return q
}

const more = (spec: Spec, ...constraints: ConstraintSpec[]): Spec => ({
  ...spec,
  constraints: [...(spec.constraints ?? []), ...constraints],
})

const closed: Record<string, Spec> = {
  'four-bar': fourBar([1, 2.5, 1.8], 2.2, [-1.2, 1, 1.5]),
  'four-bar closed by a hinge': fourBar([1, 2.5, 1.8], 2.2, [-1.2, 1, 1.5], 'hinge'),
  'slider-crank': sliderCrank(-0.8, 1, 1.8),
  parallelogram: parallelogram(-1),
  'stewart platform': stewart(),
  'bennett loop': bennett([0.7, -1.5, 0.7]),
}

describe('assembly', () => {
  describe.each(Object.entries(closed))('of a %s', (_, spec) => {
    const model = buildModel(spec)

    it.each([1, 2, 3, 4])('closes a perturbed pose to rounding, seed %i', (seed) => {
      const q = perturbed(model, seed, 0.1)
      const found = assemble(model, q)
      expect(found.message).toBe('')
      expect(found.before).toBeGreaterThan(1e-3)
      expect(worst(found)).toBeLessThan(CLOSED)

      // what it claims is so
      const data = createData(model)
      const rows = createRows(model)
      forwardKinematics(model, data, q, new Float64Array(model.nv))
      updateRows(rows, model, data, q, time)
      expect(Math.max(...rows.g.map(Math.abs))).toBe(worst(found))
    })

    it('projects velocities onto the constraints, and leaves those that are there already', () => {
      const q = perturbed(model, 5, 0.1)
      const v = createRandom(6).array(model.nv, 1)
      expect(assemble(model, q, { v }).status).toBe('assembled')
      const data = createData(model)
      const rows = createRows(model)
      const rate = new Float64Array(rows.count)
      forwardKinematics(model, data, q, v)
      updateRows(rows, model, data, q, time)
      rowVelocities(rows, data, v, rate, 0)
      expect(Math.max(...rate.map(Math.abs))).toBeLessThan(1e-10)
      expect(Math.max(...v.map(Math.abs))).toBeGreaterThan(1e-3)
      const again = v.slice()
      assemble(model, q.slice(), { v: again })
      again.forEach((x, k) => {
        expect(x).toBeCloseTo(v[k], 10)
      })
    })
  })

  it('leaves a pose that is closed already as it is, bit for bit', () => {
    const model = buildModel(parallelogram(-1))
    const q = model.q0.slice()
    expect(assemble(model, q).status).toBe('assembled')
    expect(q).toEqual(model.q0)
  })

  it('moves light bodies rather than heavy ones', () => {
    const slide = (name: string, mass: number) => ({
      name,
      inertia: { mass },
      joints: [{ name, type: 'prismatic' as const, axis: [1, 0, 0] as const }],
    })
    const model = buildModel({
      bodies: [slide('light', 1), slide('heavy', 99)],
      constraints: [{ type: 'coupling', joint: 'light', of: 'heavy', polynomial: [1, 1] }],
    })
    const q = Float64Array.of(0, 0)
    assemble(model, q)
    expect(q[0]).toBeCloseTo(0.99, 12)
    expect(q[1]).toBeCloseTo(-0.01, 12)
  })

  it('leaves a loop stretched to a line, where first derivatives say nothing', () => {
    // all links along x, the closure a little too near
    const model = buildModel(fourBar([1, 1, 1], 2.9, [0, 0, 0]))
    const q = model.q0.slice()
    const found = assemble(model, q)
    expect(found.message).toBe('')
    expect(worst(found)).toBeLessThan(CLOSED)
  })

  it('follows prescribed motion at the time it is asked for, in rate too', () => {
    const spec = more(sliderCrank(-0.8, 1, 1.8), {
      name: 'drive',
      type: 'motion',
      joint: 'crank',
      offset: -0.8,
      speed: 2,
      amplitude: 0.1,
      frequency: 1,
    })
    const model = buildModel(spec)
    const q = model.q0.slice()
    const v = new Float64Array(model.nv)
    expect(assemble(model, q, { v, t: 0.125 }).status).toBe('assembled')
    expect(q[0]).toBeCloseTo(-0.8 + 0.25 + 0.1 * Math.SQRT1_2, 12)
    expect(v[0]).toBeCloseTo(2 + 0.1 * 2 * Math.PI * Math.SQRT1_2, 10)
  })
})

describe('redundant rows', () => {
  const redundant = (spec: Spec): readonly string[] => {
    const model = buildModel(spec)
    const found = assemble(model, perturbed(model, 1, 0.02))
    expect(found.message).toBe('')
    return found.redundant
  }

  it('are found in a planar loop closed with rows in space, also where its plane is skew', () => {
    expect(redundant(fourBar([1, 2.5, 1.8], 2.2, [-1.2, 1, 1.5], 'hinge'))).toEqual(['loop'])
    const plane = fourBar([1, 2.5, 1.8], 2.2, [-1.2, 1, 1.5])
    const base = { name: 'base', quaternion: [0.9, 0.3, -0.2, 0.5] as const, inertia: { mass: 1 } }
    const skew: Spec = {
      bodies: [base, ...plane.bodies.map((body) => (body.parent === 'world' ? { ...body, parent: 'base' } : body))],
      constraints: [{ name: 'loop', type: 'point', a: { body: 'rocker', point: [1.8, 0, 0] }, b: { body: 'base', point: [2.2, 0, 0] } }],
    }
    expect(redundant(skew)).toEqual(['loop'])
  })

  it('are not found in a loop closed in its plane', () => {
    const plane = fourBar([1, 2.5, 1.8], 2.2, [-1.2, 1, 1.5])
    const [loop] = plane.constraints ?? []
    const axes = [
      [1, 0, 0],
      [0, 0, 1],
    ] as const
    if (loop.type !== 'point') throw new Error('expected a point')
    expect(redundant({ ...plane, constraints: [{ ...loop, axes }] })).toEqual([])
    expect(redundant(stewart())).toEqual([])
  })

  it('are named after the later of two constraints that say the same', () => {
    const spec = fourBar([1, 2.5, 1.8], 2.2, [-1.2, 1, 1.5])
    const same: ConstraintSpec = {
      name: 'again',
      type: 'distance',
      a: { body: 'coupler', point: [2.5, 0, 0] },
      b: { body: 'world', point: [2.2, 0, 0] },
      distance: 1.8,
    }
    expect(redundant(more(spec, same))).toEqual(['loop', 'again'])
  })

  it('are the three rows by which the Bennett loop moves', () => {
    const model = buildModel(bennett([0.7, -1.5, 0.7]))
    const q = perturbed(model, 1, 0.02)
    const v = Float64Array.of(1, 0.3, -0.4)
    expect(assemble(model, q, { v }).redundant).toEqual(['bennett'])
    // a motion is left
    expect(Math.hypot(...v)).toBeGreaterThan(0.1)
  })
})

describe('constraints that cannot hold', () => {
  it('are refused by name, with what is missing: a loop that is too long', () => {
    const model = buildModel(fourBar([1, 1, 1], 4, [-0.5, 0.3, 0.2]))
    const found = assemble(model, model.q0.slice())
    expect(found.status).toBe('refused')
    expect(found.contradictory).toEqual(['loop'])
    expect(found.residuals[0].residual).toBeCloseTo(1, 4)
    expect(found.message).toMatch(/'loop' cannot be met: 1\.00 m/)
  })

  it('are refused by name, and only those: two couplings that disagree beside a loop that closes', () => {
    const spec = more(
      sliderCrank(-0.8, 1, 1.8),
      { name: 'open', type: 'coupling', joint: 'crank', polynomial: [-0.5] },
      { name: 'shut', type: 'coupling', joint: 'crank', polynomial: [-0.9] },
    )
    const model = buildModel(spec)
    const found = assemble(model, model.q0.slice())
    expect(found.status).toBe('refused')
    expect(found.contradictory).toEqual(['open', 'shut'])
    expect(found.message).toMatch(/contradict.*'open' by 0\.200/)
  })

  it('are refused where only their rates disagree, and the velocities left alone', () => {
    const drive = { type: 'motion', joint: 'crank', offset: -0.8 } as const
    const model = buildModel(more(sliderCrank(-0.8, 1, 1.8), { ...drive, name: 'slow', speed: 1 }, { ...drive, name: 'fast', speed: 2 }))
    const v = Float64Array.of(0.1, 0.2, 0.3)
    const found = assemble(model, model.q0.slice(), { v })
    expect(found.status).toBe('refused')
    expect(found.contradictory).toEqual(['fast'])
    expect(Array.from(v)).toEqual([0.1, 0.2, 0.3])
  })

  it('do not make numbers of what is none', () => {
    const model = buildModel(parallelogram(-1))
    const q = model.q0.slice().fill(Number.NaN)
    const found = assemble(model, q)
    expect(found.status).toBe('refused')
    expect(found.residuals[0].residual).toBe(Number.POSITIVE_INFINITY)
  })
})
