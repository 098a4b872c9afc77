/** Grasps by servos and by tendons: lifted, shaken, and nothing but friction and the wrap of the fingers to hold what is in them. */
import { buildModel, createData, createSimulation, forwardKinematics, type Simulation } from 'limber'
import { describe, expect, it } from 'vitest'
import { findScene } from '../index.js'

interface Play {
  readonly simulation: Simulation
  /** With the drive of the scene, or with commands of one's own. */
  run(until: number, command?: (t: number, control: Float64Array) => void): void
  /** Of the origin of a body in the world. */
  place(body: string): number[]
  /** Of a body in the frame of another: 3 numbers. */
  seen(body: string, from: string): number[]
}

function play(name: string, values: Record<string, number | string> = {}): Play {
  const scene = findScene(name)
  if (!scene) throw new Error(`no scene ${name}`)
  const model = buildModel(scene.build(values))
  const simulation = createSimulation(model)
  const { state } = simulation
  const drive = scene.drive?.(model)
  const data = createData(model)
  const poses = (): Float64Array => {
    forwardKinematics(model, data, state.q, state.v)
    return data.X_WB
  }
  const number = (body: string): number => model.bodies.findIndex((one) => one.name === body)
  const place = (body: string): number[] => {
    const i = 12 * number(body) + 9
    return [...poses().subarray(i, i + 3)]
  }
  return {
    simulation,
    run(until, command) {
      while (state.t < until - 1e-9) {
        if (command) command(state.t, state.control)
        else drive?.(state)
        const { status, message } = simulation.step()
        if (status !== 'ok') expect.fail(`t = ${state.t}: ${message || status}`)
      }
    },
    place,
    seen(body, from) {
      const X = poses()
      const o = 12 * number(from)
      const d = place(body).map((x, r) => x - X[o + 9 + r])
      return [0, 1, 2].map((c) => X[o + c] * d[0] + X[o + 3 + c] * d[1] + X[o + 6 + c] * d[2])
    },
  }
}

const distance = (a: readonly number[], b: readonly number[]): number => Math.hypot(...a.map((x, r) => x - b[r]))

describe('two fingers', () => {
  it.each([0.1, 0.4, 1])('hold a block of %s kg while it is shaken up and down', (mass) => {
    // 25 N a finger with μ = 1 hold 5 kg; shaking at 3 Hz and 10 mm needs 3.6 m/s² more
    const { run, place, seen, simulation } = play('gripper', { mass })
    run(4)
    expect(place('block')[2]).toBeGreaterThan(0.25)
    const before = seen('block', 'lift')
    const lift = simulation.model.actuators.names.indexOf('lift')
    run(8, (t, control) => {
      control[lift] = 0.01 * Math.sin(6 * Math.PI * (t - 4))
    })
    // the fingers give way by what their servos do under the changing load; it does not slip
    expect(distance(seen('block', 'lift'), before)).toBeLessThan(1e-3)
  })

  it('let a block slip that is heavier than friction carries', () => {
    const { run, place } = play('gripper', { mass: 8 })
    run(4)
    expect(place('block')[2]).toBeLessThan(0.1)
  })
})

describe('three fingers', () => {
  it.each(['ball', 'box'])('lift a %s, keep it while they shake, and set it down', (object) => {
    const { run, place, seen } = play('three-finger', { object, friction: 1.2 })
    run(3.3)
    expect(place('object')[2]).toBeGreaterThan(0.15)
    const before = seen('object', 'palm')
    run(5.5)
    expect(place('object')[2]).toBeGreaterThan(0.15)
    // 30 mm at 3 Hz and 15 mm at 4 Hz: more than 1 g; servos of 8 N m/rad give way, and hold on
    expect(distance(seen('object', 'palm'), before)).toBeLessThan(0.01)
    run(8)
    expect(place('object')[2]).toBeLessThan(0.045)
  })

  it('leave a ball behind that is too heavy for them', () => {
    const { run, place } = play('three-finger', { mass: 5, grip: 0.3 })
    run(4)
    expect(place('object')[2]).toBeLessThan(0.1)
  })
})

describe('a hand with tendons', () => {
  it('closes round a ball, lifts it, turns it over and shakes it', () => {
    const { run, place, seen, simulation } = play('hand')
    run(3.2)
    expect(place('ball')[2]).toBeGreaterThan(0.25)
    const before = seen('ball', 'palm')
    run(5.6)
    expect(distance(seen('ball', 'palm'), before)).toBeLessThan(0.015)
    // all four fingers are on it
    const on = new Set(
      simulation.contacts({ touching: true }).map(({ bodyA, bodyB }) => simulation.model.bodies[Math.min(bodyA, bodyB)].name.split(' ')[0]),
    )
    for (const finger of ['index', 'middle', 'ring', 'thumb']) expect(on).toContain(finger)
    run(9)
    expect(place('ball')[2]).toBeLessThan(0.05)
  })

  it('does not lift it with slack tendons', () => {
    const { run, place } = play('hand', { tension: 1 })
    run(3.2)
    expect(place('ball')[2]).toBeLessThan(0.05)
  })
})

describe('a heap of mixed shapes', () => {
  it('stays in its box, above the floor, and comes to rest', () => {
    const { run, place, simulation } = play('mixed-heap', { count: 21 })
    run(6)
    for (const { name } of simulation.model.bodies.slice(1)) {
      const [x, y, z] = place(name)
      expect(z, name).toBeGreaterThan(0.02)
      expect(Math.max(Math.abs(x), Math.abs(y)), name).toBeLessThan(0.32)
    }
    // balls roll on for a while, since nothing resists rolling
    const { v } = simulation.state
    for (let k = 0; k < v.length; k += 6) expect(Math.hypot(...v.subarray(k + 3, k + 6))).toBeLessThan(0.3)
  })
})
