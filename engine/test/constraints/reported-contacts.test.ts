import { createSimulation, leftOut, parseMjcf, solvers } from 'limber'
import { describe, expect, it } from 'vitest'
import { buildModel } from '../../src/build/build-model.js'
import type { Spec } from '../../src/build/spec.js'

const box: Spec = {
  gravity: [0, 0, -10],
  world: { geoms: [{ shape: 'plane' }] },
  bodies: [{ name: 'box', position: [0, 0, 0.5], joints: [{ type: 'free' }], geoms: [{ shape: 'box', size: [1, 1, 1], mass: 3 }] }],
}

const sum = (list: readonly { readonly force: readonly number[] }[], r: number): number => list.reduce((s, { force }) => s + force[r], 0)

describe('contacts of a simulation', () => {
  it('carry the weight of a box at rest at its four corners, with redmax', () => {
    const simulation = createSimulation(buildModel(box), { solver: 'redmax', scheme: 'linear', timestep: 0.01 })
    simulation.step(50)
    const contacts = simulation.contacts()
    expect(contacts).toHaveLength(4)
    expect(sum(contacts, 2)).toBeCloseTo(30, 6)
    expect(Math.abs(sum(contacts, 0)) + Math.abs(sum(contacts, 1))).toBeLessThan(1e-6)
    for (const { bodyA, bodyB, normal, point, gap } of contacts) {
      expect([bodyA, bodyB]).toEqual([0, 1])
      expect(normal).toEqual([0, 0, 1])
      expect(Math.abs(point[0])).toBeCloseTo(0.5, 6)
      expect(Math.abs(gap)).toBeLessThan(1e-6)
    }
  })

  it('show the friction that holds a box on a slope', () => {
    const tilt = 0.3
    const slope: Spec = { ...box, gravity: [10 * Math.sin(tilt), 0, -10 * Math.cos(tilt)] }
    const simulation = createSimulation(buildModel(slope), { solver: 'redmax', scheme: 'linear', timestep: 0.01 })
    simulation.step(50)
    expect(sum(simulation.contacts(), 0)).toBeCloseTo(-30 * Math.sin(tilt), 4)
    expect(sum(simulation.contacts(), 2)).toBeCloseTo(30 * Math.cos(tilt), 4)
  })

  it('follow the penalty of the spec with solvers that have no other contact', () => {
    const spec: Spec = { ...box, contact: { stiffness: 1000 }, bodies: [{ ...box.bodies[0], position: [0, 0, 0.49] }] }
    const simulation = createSimulation(buildModel(spec), { solver: 'ode' })
    const contacts = simulation.contacts()
    expect(contacts).toHaveLength(4)
    for (const { force, gap, point } of contacts) {
      expect(gap).toBeCloseTo(-0.01, 12)
      expect(force[2]).toBeCloseTo(10, 10)
      expect(point[2]).toBeCloseTo(-0.005, 10)
    }
  })

  it('are none where nothing touches', () => {
    const simulation = createSimulation(buildModel({ bodies: box.bodies }), { solver: 'redmax' })
    simulation.step()
    expect(simulation.contacts()).toEqual([])
  })
})

it('a model says which shapes ask for contact and do not get it', () => {
  const plate = { name: 'm', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], faces: [0, 1, 2, 1, 3, 2] }
  const geoms = [
    { shape: 'mesh', mesh: 'm' },
    { shape: 'mesh', mesh: 'm' },
    { shape: 'cylinder', radius: 0.1, length: 1, mass: 1 },
  ] as const
  const { notes } = buildModel({ ...box, meshes: [plate], bodies: [...box.bodies, { name: 'odd', joints: [{ type: 'free' }], geoms }] })
  expect(notes.join('\n')).toMatch(
    /contact of mesh 1 of body 'odd' and 1 more: the mesh has no convex hull, all points lie in a plane; add a shape with some volume/,
  )
  expect(buildModel(box).notes).toEqual([])
})

it('notes and warnings name shapes with the line of the file, and no path into a spec', () => {
  const text = `<mujoco>
  <worldbody>
    <body name="crate">
      <freejoint/>
      <geom type="box" size=".1 .1 .1"/>
    </body>
    <body name="can" pos="0 0 1">
      <freejoint/>
      <geom type="sphere" size=".1" contype="0" conaffinity="0"/>
      <geom type="mesh" mesh="plate" mass="0"/>
    </body>
  </worldbody>
  <asset><mesh name="plate" vertex="0 0 0 1 0 0 0 1 0 1 1 0" face="0 1 2 1 3 2" inertia="shell"/></asset>
</mujoco>`
  const model = buildModel(parseMjcf(text))
  const told = [...model.notes, ...leftOut(model, solvers.redmax)].join('\n')
  expect(told).toContain("contact of mesh 1 of body 'can' (line 10):")
  expect(told.match(/body 'can'/g)).toHaveLength(1)
  expect(told).not.toContain('geoms/')
})
