/** Updates of constraint rows, their reduction and projection. */
import { buildModel } from '../../../src/build/build-model.js'
import type { Spec } from '../../../src/build/spec.js'
import { createProjection, projectPose, projectVelocity, updateProjection } from '../../../src/constraints/assembly/projection.js'
import { createConstrainedDynamics } from '../../../src/constraints/loops/dynamics.js'
import { createLimitRows, updateLimitRows } from '../../../src/constraints/rows/limits.js'
import { createReducedRows, reduceRows } from '../../../src/constraints/rows/reduce.js'
import { createRows, rowVelocities, updateRows } from '../../../src/constraints/rows/rows.js'
import { createData } from '../../../src/model/data.js'
import { createState } from '../../../src/model/state.js'
import { forwardKinematics } from '../../../src/tree/kinematics.js'
import { randomSpec } from '../../conformance/random-tree.js'
import { createRandom } from '../../random.js'
import { type AllocationCase, callsByName } from '../allocation-case.js'

const TIMES = 500

const inertia = { mass: 1, tensor: [0.1, 0.1, 0.1, 0, 0, 0] as const }
const hinge = (name: string, parent: string) => ({
  name,
  parent,
  position: [0.2, 0, 0] as const,
  inertia,
  joints: [{ name, type: 'revolute' as const, limits: [-1, 1] as const }],
})
const p = (body: string) => ({ body, point: [0.1, 0.2, -0.1] as const })
export function constraintCases(): AllocationCase[] {
  const random = createRandom(3)
  const plain = randomSpec({ seed: 3, bodies: 6 }, random)
  const spec: Spec = {
    ...plain,
    bodies: [
      ...plain.bodies,
      hinge('h0', 'b3'),
      hinge('h1', 'h0'),
      { name: 'ball', inertia, joints: [{ type: 'spherical' as const, limits: [0, 1], initial: [1, 0.3, 0, 0] }] },
    ],
    tendons: [
      { name: 'rope', path: [{ body: 'world' }, p('b3'), { pulley: 2 }, p('b4'), p('h0')], limits: [0.1, 5] },
      {
        name: 'sum',
        joints: [
          { joint: 'h0', coefficient: 2 },
          { joint: 'h1', coefficient: -1 },
        ],
      },
    ],
    constraints: [
      { type: 'point', a: p('b1'), b: p('b5') },
      { type: 'hinge', a: p('b2'), b: p('b4') },
      { type: 'planar' as const, a: p('b0'), b: p('b3') },
      { type: 'weld', a: 'b1', b: 'b4' },
      { type: 'distance', a: p('b2'), b: p('world') },
      { type: 'coupling', joint: 'h0', of: 'h1', polynomial: [0, 2, 1] },
      { type: 'tendon-coupling', tendon: 'rope', of: 'sum', polynomial: [0, 1, 0.5] },
      { type: 'motion', joint: 'h1', amplitude: 1, frequency: 2 },
      { type: 'motion', body: 'b2', direction: [1, 0, 0], rise: { size: 1, duration: 3 } },
      { type: 'motion', body: 'b1', axis: [0, 1, 0], speed: 1 },
    ],
  }
  const model = buildModel(spec)
  const data = createData(model)
  const q = model.q0
  const v = random.array(model.nv, 1)
  const t = Float64Array.of(0.3)
  const rows = createRows(model)
  const limits = createLimitRows(model)
  const reduced = createReducedRows(model, rows.count + limits.g.length)
  const projection = createProjection(model)
  const rates = new Float64Array(rows.count)
  forwardKinematics(model, data, q, v)
  updateProjection(projection, model, data, q, t)

  // a loop that is open by a little
  const bar = { mass: 1, com: [0.5, 0, 0] as const, tensor: [0.01, 0.1, 0.1, 0, 0, 0] as const }
  const turn = (name: string, initial: number) => [{ name, type: 'revolute' as const, axis: [0, 1, 0] as const, initial }]
  const held = buildModel({
    bodies: [
      { name: 'crank', inertia: bar, joints: turn('crank', 0.3) },
      { name: 'rod', parent: 'crank', position: [1, 0, 0], inertia: bar, joints: turn('rod', -0.3) },
      { name: 'rocker', parent: 'rod', position: [1, 0, 0], inertia: bar, joints: turn('rocker', Math.PI + 0.3) },
    ],
    constraints: [{ type: 'point', a: { body: 'rocker', point: [1, 0, 0] }, b: { body: 'world', point: [1, 0, 0] } }],
  })
  const heldData = createData(held)
  const closing = createProjection(held)
  const pose = held.q0.slice()

  // forces of loops in the passes, of every kind but tendons
  const closed = buildModel({ ...spec, constraints: (spec.constraints ?? []).filter(({ type }) => type !== 'tendon-coupling') })
  const dynamics = createConstrainedDynamics(closed, createData(closed))
  const state = createState(closed)
  state.v.set(v)

  const calls = {
    constrainedDynamics: () => dynamics(state),
    updateRows: () => {
      t[0] += 0.01
      updateRows(rows, model, data, q, t)
    },
    rowVelocities: () => rowVelocities(rows, data, v, rates, 0),
    updateLimitRows: () => {
      limits.reach[1] += 1e-6
      updateLimitRows(limits, model, data, q, v)
    },
    reduceRows: () => {
      reduced.count = 0
      reduceRows(reduced, rows, model, data)
      reduceRows(reduced, limits, model, data)
    },
    updateProjection: () => updateProjection(projection, model, data, q, t),
    projectVelocity: () => projectVelocity(projection, model, data, v),
    projectPose: () => {
      for (let k = 0; k < held.nq; k++) pose[k] = held.q0[k] + 1e-4
      projectPose(closing, held, heldData, pose, t)
    },
  }
  return callsByName(calls, TIMES)
}
