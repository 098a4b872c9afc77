/**
 * Robots as public URDF files have them: arms whose covers overlap, of cylinders and of meshes, and a quadruped on a floor. They are read, hold a pose
 * and move.
 */
import { fileURLToPath } from 'node:url'
import { buildModel, createSimulation, type Simulation } from 'limber'
import { loadSpec } from 'limber/node'
import { describe, expect, it } from 'vitest'

const fileOf = (name: string) => fileURLToPath(new URL(`urdf/${name}.urdf`, import.meta.url))

/** Runs for so many seconds; returns the largest number of contacts between moving bodies. */
function run(simulation: Simulation, seconds: number): number {
  let most = 0
  const end = simulation.state.t + seconds - 1e-9
  while (simulation.state.t < end) {
    expect(simulation.step().status).toBe('ok')
    most = Math.max(most, simulation.contacts().filter(({ force: [x, y, z] }) => x * x + y * y + z * z > 0).length)
  }
  return most
}

describe.each(['cylinder-arm', 'mesh-arm'])('%s', (name) => {
  const spec = loadSpec(fileOf(name), { actuators: 'position' })

  it('has no contact of links that overlap at the start, and lists them', () => {
    const pairs = spec.exclude?.map((pair) => pair.join(' ')) ?? []
    for (let k = 1; k < 6; k++) expect(pairs).toContain(`link${k} link${k + 2}`)
    expect(spec.ignored.map(({ what }) => what)).toContainEqual(expect.stringContaining('contact of links'))
    // links farther apart stay solid
    expect(pairs).not.toContain('link1 link4')
  })

  it('holds its pose, and moves its joints to their targets with no link in the way', () => {
    const simulation = createSimulation(buildModel(spec))
    expect(simulation.warnings()).toEqual([])
    expect(run(simulation, 0.5)).toBe(0)
    for (const q of simulation.state.q) expect(Math.abs(q)).toBeLessThan(1e-3)

    simulation.actuator('joint1').setTarget(0.5)
    simulation.actuator('joint4').setTarget(-0.8)
    expect(run(simulation, 2)).toBe(0)
    expect(simulation.joint('joint1').position).toBeCloseTo(0.5, 2)
    // gravity pulls at the servo: kp is 137 N m/rad
    expect(simulation.joint('joint4').position).toBeCloseTo(-0.85, 1)
    expect(Math.abs(simulation.actuator('joint1').force)).toBeLessThan(1)
    expect(Math.max(...simulation.state.v.map(Math.abs))).toBeLessThan(0.05)
  })

  it('folds onto a link that was far at the start, which stops it', () => {
    const simulation = createSimulation(buildModel(spec))
    for (const [joint, target] of [
      ['joint2', 2],
      ['joint4', 2],
      ['joint6', 2],
    ] as const)
      simulation.actuator(joint).setTarget(target)
    expect(run(simulation, 3)).toBeGreaterThan(0)
  })
})

describe('quadruped', () => {
  const legs = ['fl', 'fr', 'bl', 'br']
  const stand = (simulation: Simulation, hip: number, knee: number): void => {
    for (const leg of legs) {
      simulation.actuator(`${leg}_pitch`).setTarget(hip)
      simulation.actuator(`${leg}_knee`).setTarget(knee)
    }
  }

  it('stands on the floor with a free base, crouches and rises again', () => {
    const spec = loadSpec(fileOf('quadruped'), { base: 'free', floor: true, actuators: 'position' })
    const simulation = createSimulation(buildModel(spec))
    const trunk = simulation.body('trunk')
    const height = () => trunk.position()[2] ?? Number.NaN
    expect(simulation.warnings()).toEqual([])
    stand(simulation, 0.7, -1.4)
    run(simulation, 2)
    // two links of 0.2 m and a foot of 22 mm; the servos give a little under the weight
    const standing = 0.4 * Math.cos(0.7) + 0.022
    expect(Math.abs(height() - standing)).toBeLessThan(0.03)
    stand(simulation, 1.1, -2.2)
    run(simulation, 1.5)
    const crouched = 0.4 * Math.cos(1.1) + 0.022
    expect(Math.abs(height() - crouched)).toBeLessThan(0.03)
    stand(simulation, 0.7, -1.4)
    run(simulation, 1.5)
    expect(Math.abs(height() - standing)).toBeLessThan(0.03)
    // upright
    expect(trunk.quaternion()[0]).toBeGreaterThan(0.99)
    expect(new Set(simulation.contacts().map(({ shapeA, shapeB }) => [shapeA, shapeB].find((shape) => shape !== 'floor'))).size).toBe(4)
  })

  it('falls without a floor, and says so before the first step', () => {
    const simulation = createSimulation(buildModel(loadSpec(fileOf('quadruped'), { base: 'free' })))
    expect(simulation.warnings().join('\n')).toMatch(/fall/)
    run(simulation, 0.5)
    expect(simulation.body('base').position()[2]).toBeLessThan(-1)
  })

  it('has a visual mesh that is not published, which is listed', () => {
    const { ignored } = loadSpec(fileOf('quadruped'))
    expect(ignored).toContainEqual(expect.objectContaining({ what: "visual mesh of link 'trunk'" }))
  })
})
