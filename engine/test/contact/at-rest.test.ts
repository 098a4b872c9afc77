/**
 * What rests beside something that moves: it stays where it is to the bit, with its weight on its contacts, and is awake when it is touched or pushed.
 */
import { describe, expect, it } from 'vitest'
import { buildModel, createSimulation, parseMjcf, type Simulation } from '../../src/index.js'

const G = 9.81
const SIDE = 0.2

/** Boxes of 1 kg, one on the other, in columns that stand 0.5 m apart along y from x = 2 on, and a ball of 1 kg at the origin. */
const scene = (columns: number, high: number, ball = ''): string => {
  const boxes = Array.from({ length: columns * high }, (_, k) => {
    const [column, level] = [Math.floor(k / high), k % high]
    return `<body name="box${k}" pos="2 ${0.5 * column} ${SIDE * (level + 0.5)}"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>`
  })
  return `<mujoco><option timestep="0.005"/><worldbody><geom name="floor" type="plane" size="0 0 .1"/>${boxes.join('')}
    <body name="ball" pos="0 0 .1"><freejoint/><geom type="sphere" size=".1" mass="1" ${ball}/></body></worldbody></mujoco>`
}

const start = (xml: string): Simulation => createSimulation(buildModel(parseMjcf(xml)))

/** Rolls the ball to and fro along y, beside the boxes. */
function roll(sim: Simulation, steps: number): void {
  for (let k = 0; k < steps; k++) {
    sim.state.tau[sim.model.nv - 6] = 0.5 * Math.sin(k / 50)
    sim.step()
  }
}

const boxVelocities = ({ state, model }: Simulation): number[] => [...state.v.subarray(0, model.nv - 6)]
const boxPlaces = ({ state, model }: Simulation): number[] => [...state.q.subarray(0, model.nq - 7)]

describe('what rests beside a ball that rolls', () => {
  it('does not move at all', () => {
    const sim = start(scene(4, 3))
    roll(sim, 400)
    expect(boxVelocities(sim).every((v) => v === 0)).toBe(true)
    const places = boxPlaces(sim)
    roll(sim, 1000)
    expect(boxPlaces(sim)).toEqual(places)
    expect(Math.abs(sim.state.v[sim.model.nv - 5])).toBeLessThan(1e-9)
    expect(Math.abs(sim.state.v[sim.model.nv - 6])).toBeGreaterThan(0.1)
  })

  it('has its weight on its contacts, each listed once, in the step in which it comes to rest too', () => {
    const sim = start(scene(1, 3))
    // contacts of MJCF are soft: by then they have settled
    roll(sim, 80)
    expect(boxVelocities(sim).every((v) => v === 0)).toBe(false)
    for (let k = 0; k < 300; k++) {
      roll(sim, 1)
      const onFloor = sim.contacts().filter(({ shapeA, bodyB }) => shapeA === 'floor' && bodyB !== sim.model.nbody - 1)
      expect(onFloor.length).toBe(4)
      expect(onFloor.reduce((sum, { force }) => sum + force[2], 0)).toBeCloseTo(3 * G, 4)
      expect(sim.contacts().length).toBe(4 + 8 + 1)
    }
    expect(boxVelocities(sim).every((v) => v === 0)).toBe(true)
  })

  it('goes on with the same bits from a snapshot, also where the ball hits it later', () => {
    const xml = scene(2, 2)
    const sim = start(xml)
    roll(sim, 300)
    expect(boxVelocities(sim).every((v) => v === 0)).toBe(true)
    const other = start(xml)
    other.restore(sim.snapshot())
    for (const one of [sim, other]) {
      roll(one, 100)
      // from behind, along x
      one.state.q[one.model.nq - 7] = 1.5
      one.state.q[one.model.nq - 6] = 0
      one.state.v.set([0, 30, 0, 3, 0, 0], one.model.nv - 6)
    }
    const bits = sim.snapshot()
    expect(other.snapshot()).toEqual(bits)
    for (let k = 0; k < 300; k++) {
      sim.step()
      if (k === 20) other.restore(sim.snapshot())
      if (k > 20) other.step()
    }
    expect(other.snapshot()).toEqual(sim.snapshot())
    expect(sim.state.q[0]).toBeGreaterThan(2.01)
  })
})

describe('what rests is awake', () => {
  /** A ball that rolls along x into a stack, without a word from outside. */
  const shot = (wait: number): Simulation => {
    const sim = start(scene(3, 2))
    sim.step(wait)
    return sim
  }

  it('where something comes near: the hit is the same as before it rested', () => {
    // a ball on its way, far off, so that the boxes rest before it arrives, or near, so that they do not
    const ends = [100, 400].map((wait) => {
      const sim = start(scene(1, 1, 'friction="1 0 0"').replace('pos="0 0 .1"', `pos="${1.7 - 0.005 * wait} 0 .1"`))
      sim.reset({ v: Float64Array.from({ length: sim.model.nv }, (_, k) => (k === 9 ? 1 : k === 7 ? 10 : 0)) })
      sim.step(wait)
      const rested = boxVelocities(sim).every((v) => v === 0)
      sim.step(40)
      return { rested, moved: sim.state.q[0] - 2 }
    })
    expect(ends.map(({ rested }) => rested)).toEqual([false, true])
    expect(ends[0].moved).toBeGreaterThan(1e-3)
    expect(ends[1].moved / ends[0].moved).toBeCloseTo(1, 2)
  })

  it('where a force is applied: it slides as fast as the force leaves', () => {
    const sim = shot(200)
    roll(sim, 100)
    const push = 10
    // the friction coefficients of MJCF are 1; the upper box of the first column slides on the lower
    sim.state.tau[6 + 3] = push + G
    const seconds = 0.1
    for (let k = 0; k < seconds / 0.005; k++) sim.step()
    expect(sim.state.v[6 + 3]).toBeCloseTo(push * seconds, 1)
  })

  it('where what it stands on is taken away: both fall or slide, and the others stay', () => {
    const sim = shot(200)
    roll(sim, 100)
    const others = boxPlaces(sim).slice(14)
    expect(boxVelocities(sim).every((v) => v === 0)).toBe(true)
    for (let k = 0; k < 100; k++) {
      sim.state.tau[3] = 60
      sim.step()
    }
    expect(sim.state.q[0]).toBeGreaterThan(2.5)
    // the upper one is on the floor
    expect(sim.state.q[9]).toBeLessThan(1.5 * SIDE - 0.05)
    expect(boxPlaces(sim).slice(14)).toEqual(others)
  })

  it('does not count a box at the top of its throw as one that rests', () => {
    const sim = start(scene(1, 1))
    const v = new Float64Array(sim.model.nv)
    v[5] = 1
    v[9] = 1
    sim.reset({ v })
    sim.step(Math.round(1 / (G * 0.005)))
    expect(Math.abs(sim.state.v[5])).toBeLessThan(0.05)
    sim.step(10)
    expect(sim.state.v[5]).toBeLessThan(-0.4)
  })
})
