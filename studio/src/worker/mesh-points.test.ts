import { buildModel, createData, createState, forwardKinematics } from 'limber'
import { describe, expect, it } from 'vitest'
import { beam, beams } from '../../test/beams.js'
import type { Feed } from '../view/view-protocol.js'
import { applyHands, locate } from './grips.js'
import { type BodyPoint, modesAt, type Reply } from './protocol.js'
import { createSession } from './session.js'
import { fetchSolvers } from './solvers.js'

/** products of numbers of the order of 1 */
const ROUNDING = 1e-12

/** between three vertices at the far end */
const tip = [...beam.interfaces[1].vertices].slice(0, 3)
const at: BodyPoint = { body: 2, point: [0.3, 0, 0], mesh: { vertices: tip, weights: [0.5, 0.3, 0.2] } }

/** A state with modes of a few centimetres, and velocities. */
function bent() {
  const model = buildModel(beams)
  const state = createState(model)
  state.q.forEach((_, k) => {
    state.q[k] = 0.02 * Math.sin(3 * k + 1)
    state.v[k] = 0.3 * Math.cos(5 * k)
  })
  const data = createData(model)
  forwardKinematics(model, data, state.q, state.v)
  return { model, state, data }
}

describe('points of bodies that deform', () => {
  it('are where weights, shapes and pose put them', () => {
    const { model, state, data } = bent()
    const X = data.X_WB.subarray(24, 36)
    const local = [0, 1, 2].map((a) =>
      tip.reduce((sum, v, k) => {
        let x = beam.vertices[3 * v + a]
        for (let l = 0; l < 6; l++) x += state.q[6 + l] * beam.shapes[l * beam.vertices.length + 3 * v + a]
        return sum + (at.mesh?.weights[k] ?? 0) * x
      }, 0),
    )
    const expected = [0, 1, 2].map((r) => X[3 * r] * local[0] + X[3 * r + 1] * local[1] + X[3 * r + 2] * local[2] + X[9 + r])
    locate(model, data, state.q, at).forEach((x, r) => expect(Math.abs(x - expected[r])).toBeLessThan(ROUNDING))
  })

  it('feel a push with the power that it has: τ·v = f·ẋ', () => {
    const { model, state, data } = bent()
    const force = [1.5, -2, 0.7]
    applyHands(model, data, state, [], [{ ...at, force, until: 1 }])
    const power = state.tau.reduce((sum, tau, k) => sum + tau * state.v[k], 0)
    const h = 1e-6
    const place = (t: number) => {
      const q = state.q.map((x, k) => x + t * state.v[k])
      forwardKinematics(model, data, q, state.v)
      return locate(model, data, q, at)
    }
    const [later, earlier] = [place(h), place(-h)]
    const expected = force.reduce((sum, f, r) => sum + (f * (later[r] - earlier[r])) / (2 * h), 0)
    expect(Math.abs(power - expected)).toBeLessThan(1e-7 * Math.abs(expected))
    expect(Math.abs(expected)).toBeGreaterThan(0.01)
  })
})

describe('a session with bodies that deform', () => {
  async function start() {
    await fetchSolvers(['substructuring'])
    const page: Reply[] = []
    const view: Feed[] = []
    const session = createSession({ toPage: (reply) => page.push(reply), toView: (feed) => view.push(feed) }, () => {})
    session.load({ spec: beams, title: 'beams', origin: 'file' }, [{ solver: 'substructuring' }])
    session.setPlaying(false)
    const tipNow = () => {
      const { model, lanes } = session.setup ?? { model: undefined, lanes: [] }
      if (!model) throw new Error('nothing is loaded')
      const { simulation, data } = lanes[0]
      forwardKinematics(model, data, simulation.state.q, simulation.state.v)
      return locate(model, data, simulation.state.q, at)
    }
    return { session, page, view, tipNow }
  }

  it('sends the coordinates of the modes with the poses', async () => {
    const { session, view } = await start()
    for (let k = 0; k < 8; k++) session.step()
    const scene = view.find((feed) => feed.type === 'scene')
    expect(scene?.modes).toBe(12)
    expect(scene?.modeStart).toEqual([-1, 0, 6])
    const { block } = session.moments.at(-1) ?? {}
    const q = session.setup?.lanes[0].simulation.state.q ?? []
    expect([...(block?.subarray(modesAt(0, 1, 3, 12)) ?? [])]).toEqual([...q])
    expect(Math.hypot(...q)).toBeGreaterThan(0)
  })

  it('drags a vertex to the hand, and lets it go', async () => {
    const { session, tipNow } = await start()
    for (let k = 0; k < 400; k++) session.step()
    const before = tipNow()
    const target = [before[0], before[1] + 0.2, before[2] + 0.1]
    session.drag(at, target)
    for (let k = 0; k < 300; k++) session.step()
    const pulled = tipNow()
    const distance = (x: readonly number[]) => Math.hypot(...x.map((c, r) => c - target[r]))
    expect(distance(pulled)).toBeLessThan(0.5 * distance(before))
    session.release()
    for (let k = 0; k < 600; k++) session.step()
    expect(Math.abs(tipNow()[1] - before[1])).toBeLessThan(0.05)
  })

  it('joins a vertex and the world by a spring', async () => {
    const { session, tipNow } = await start()
    for (let k = 0; k < 200; k++) session.step()
    const before = tipNow()
    session.addSpring({ a: at, b: { body: 0, point: [before[0], before[1] + 0.3, before[2]] }, stiffness: 500, damping: 1 })
    for (let k = 0; k < 300; k++) session.step()
    expect(tipNow()[1] - before[1]).toBeGreaterThan(0.01)
  })
})
