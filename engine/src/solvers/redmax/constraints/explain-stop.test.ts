/** What a step that was given up says: every name at its root, and what to do. */
import { describe, expect, it } from 'vitest'
import { buildModel } from '../../../build/build-model.js'
import type { BodySpec, ConstraintSpec, SpringSpec } from '../../../build/spec.js'
import { createData } from '../../../model/data.js'
import { createState } from '../../../model/state.js'
import { forwardKinematics } from '../../../tree/kinematics.js'
import { explainMatrix, explainStop, type Pull } from './explain-stop.js'

const link = (k: number, mass: number): BodySpec => ({
  name: `l${k}`,
  parent: k === 0 ? 'world' : `l${k - 1}`,
  position: [k === 0 ? 0 : 1, 0, 0],
  inertia: { mass, com: [0.5, 0, 0], tensor: [0.01 * mass, 0.1 * mass, 0.1 * mass, 0, 0, 0] },
  joints: [{ name: `j${k}`, type: 'revolute', axis: [0, 1, 0] }],
})

function explain(
  masses: readonly number[],
  more: { springs?: SpringSpec[]; constraints?: ConstraintSpec[] },
  x: number[],
  pulls: Pull[] = [],
  pose: number[] = [],
): string {
  const m = buildModel({ bodies: masses.map((mass, k) => link(k, mass)), ...more })
  const d = createData(m)
  const { q, v } = createState(m)
  q.set(pose)
  forwardKinematics(m, d, q, v)
  return explainStop(m, d, Float64Array.from(x), pulls, q, 0.25, 1e-6)
}

describe('a step that did not converge', () => {
  it('says when, in how short parts, and at which joint and body most is left', () => {
    const text = explain([1, 1, 1], {}, [0, 0, 2])
    expect(text).toMatch(/at t = 0\.250000 s did not converge, not even in parts of 0\.0000010 s/)
    expect(text).toMatch(/joint 'j2' of body 'l2' strays most/)
    expect(text).toMatch(/take a smaller timestep$/)
  })

  it('takes the body with most energy, not the fastest', () => {
    expect(explain([1000, 1, 1], {}, [1, -1, 3])).toMatch(/joint 'j0' of body 'l0'/)
  })

  it('names what pulls, with its force and remedy', () => {
    const pulls = [
      { name: "constraint 'tie'", force: 2e5, remedy: "check what constraint 'tie' pulls at" },
      { name: "the upper limit of joint 'j1'", force: 10, remedy: "widen the upper limit of joint 'j1'" },
    ]
    const text = explain([1, 1], {}, [1, 1], pulls)
    expect(text).toMatch(/constraint 'tie' \(2\.0e\+5 N or N m\) and the upper limit of joint 'j1' \(10 N or N m\) pull hardest/)
    expect(text).toMatch(/check what constraint 'tie' pulls at, widen the upper limit of joint 'j1', or take a smaller timestep/)
  })

  it('names the stiffest spring there, and masses far apart', () => {
    const spring = (name: string, body: string, stiffness: number): SpringSpec => ({
      name,
      a: { body, point: [0.5, 0, 0] },
      b: { body: 'world', point: [0, 0, 1] },
      stiffness,
    })
    const springs = [spring('soft', 'l1', 10), spring('hard', 'l1', 1e7), spring('elsewhere', 'l0', 1e9)]
    const text = explain([1e-3, 1e3], { springs }, [0, 1])
    expect(text).toMatch(/spring 'hard' has 1\.00e\+7 N\/m/)
    expect(text).toMatch(/masses reach from 0\.0010 kg \('l0'\) to 1\.0e\+3 kg \('l1'\)/)
    expect(text).toMatch(/soften or damp spring 'hard', bring the masses of 'l0' and 'l1' nearer, or take/)
    expect(text).not.toMatch(/elsewhere/)
  })

  it('names loops at the end of their reach', () => {
    const tie: ConstraintSpec = { name: 'tie', type: 'point', a: { body: 'l1', point: [1, 0, 0] }, b: { body: 'world', point: [2, 0, 0] } }
    expect(explain([1, 1], { constraints: [tie] }, [1, 1])).toMatch(/constraint 'tie' is nearly at full stretch/)
    // bent at the knee it is far from that
    expect(explain([1, 1], { constraints: [tie] }, [1, 1], [], [0, 1])).not.toMatch(/stretch/)
  })

  it('leaves to others what is not a number', () => {
    expect(explain([1], {}, [Number.NaN])).toBe('')
  })
})

it('a matrix that cannot be factored is explained by what is extreme in the model', () => {
  const m = buildModel({ bodies: [link(0, 1e-4), link(1, 1e4)] })
  expect(explainMatrix(m, 'no')).toMatch(/^no: masses reach from .*'l0'.* to .*'l1'.*bring the masses/)
  expect(explainMatrix(buildModel({ bodies: [link(0, 1)] }), 'no')).toBe('no')
})
