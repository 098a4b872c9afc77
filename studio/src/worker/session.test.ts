import type { Detail } from 'limber'
import { type BodyGroups, ode, type Solver } from 'limber'
import { findScene } from 'limber-scenes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Feed } from '../view/view-protocol.js'
import { type Reply, type Statistic, statistic, statisticsAt } from './protocol.js'
import { createSession } from './session.js'
import { fetchSolvers, ready } from './solvers.js'

/** A solver that divides the bodies in two, and otherwise is `ode`. */
const divided: Solver = {
  ...ode,
  name: 'divided',
  create(model, options) {
    const stepper = ode.create(model, options)
    const of = new Int32Array(model.nbody)
    const groups: BodyGroups[] = [{ name: 'domains', of }]
    Object.assign(stepper.report, { groups })
    return {
      ...stepper,
      step(state, h) {
        // the border moves by a body with each step
        of.fill(1, 1, 1 + Math.round(state.t / h))
        return stepper.step(state, h)
      },
    }
  },
}

function run(scene: string, solver: string) {
  const page: Reply[] = []
  const view: Feed[] = []
  const session = createSession({ toPage: (reply) => page.push(reply), toView: (feed) => view.push(feed) }, () => {})
  const spec = findScene(scene)?.build({})
  if (!spec) throw new Error(`no scene ${scene}`)
  session.load({ spec, title: scene, origin: 'scene' }, [{ solver }])
  session.setPlaying(false)
  const names = () => page.flatMap((reply) => (reply.type === 'groups' ? [reply.names] : []))
  const groups = () => view.flatMap((feed) => (feed.type === 'groups' ? [feed.groups] : []))
  const contacts = () => view.flatMap((feed) => (feed.type === 'contacts' ? [feed.list] : []))
  return { session, page, view, names, groups, contacts }
}

describe('createSession', () => {
  beforeAll(() => {
    ready['divided'] = divided
  })
  afterAll(() => {
    delete ready['divided']
  })

  it('hands the groups that a solver reports to page and view, again when they change, and takes them away with the solver', () => {
    const { session, names, groups } = run('chain', 'divided')
    expect(names()).toEqual([['domains']])
    session.step()
    session.step()
    expect(groups().at(-1)?.['domains']?.slice(0, 3)).toEqual(Int32Array.of(0, 1, 0))
    expect(groups().length).toBe(2)
    session.setLanes([{ solver: 'ode' }])
    expect(names().at(-1)).toEqual([])
  })

  it('says nothing of groups where the solver makes none', () => {
    const { session, names, groups } = run('chain', 'ode')
    session.step()
    expect(names()).toEqual([])
    expect(groups()).toEqual([])
  })

  it('lets the level of detail of a simulation follow the camera, and leaves others alone', () => {
    const { session, page } = run('chain', 'ode')
    const loaded = page.find((reply) => reply.type === 'loaded')
    expect(loaded?.lanes[0].trees).toBe(0)
    session.setCamera([0, -50, 0])
    session.step()
    const simulation = session.setup?.lanes[0].simulation
    if (!simulation) throw new Error('nothing is loaded')
    const treeOf = new Int32Array(simulation.model.nbody).fill(0).fill(-1, 0, 1)
    const detail: Detail = { treeOf, importance: Float64Array.of(1) }
    Object.defineProperty(simulation, 'detail', { value: detail })
    for (let k = 0; k < 10; k++) session.step()
    expect(detail.importance[0]).toBeLessThan(0.05)
    session.setCamera([])
    for (let k = 0; k < 10; k++) session.step()
    expect(detail.importance[0]).toBe(1)
  })

  it('writes the joints that move and what is neglected into a frame, and nothing where a solver does not say', () => {
    const { session } = run('chain', 'ode')
    const read = (name: Statistic) => session.moments.at(-1)?.block[statisticsAt(0) + statistic[name]]
    session.step()
    expect([read('active'), read('neglected')]).toEqual([Number.NaN, Number.NaN])
    Object.assign(session.setup?.lanes[0].simulation.report ?? {}, { active: 7, neglected: 0.5 })
    session.step()
    expect([read('active'), read('neglected')]).toEqual([7, 0.5])
  })

  it('hands out what another worker needs to go on with the same bits: springs, pins, controls, solvers', async () => {
    await fetchSolvers(['redmax'])
    const { session, page } = run('spider', 'redmax')
    const lastKept = () => page.findLast((reply) => reply.type === 'kept')?.kept
    for (let k = 0; k < 30; k++) session.step()
    const at = (body: number) => ({ body, point: [0.01, 0, 0] }) as const
    session.addSpring({ a: at(1), b: { body: 0, point: [0, 0, 1] }, stiffness: 50, damping: 1 })
    session.setLanes([
      { solver: 'redmax', timestep: 0.003 },
      { solver: 'ode', timestep: 0.0005 },
    ])
    session.setPins([at(2)])
    for (let k = 0; k < 10; k++) session.step()
    session.setControl(0, 0.3)
    const kept = structuredClone(lastKept())
    const source = findScene('spider')?.build({})
    if (!kept || !source) throw new Error('nothing was kept')
    expect(kept.t).toBe(session.setup?.lanes[0].simulation.state.t)

    const other = run('chain', 'ode')
    other.session.setPlaying(true)
    other.session.restore({ spec: source, title: 'spider', origin: 'scene', openings: [7] }, kept)
    expect(other.session.playing).toBe(false)
    const loaded = other.page.findLast((reply) => reply.type === 'loaded')
    expect(loaded).toMatchObject({ fresh: false, springs: 1, pins: 1, openings: [7] })
    expect(loaded?.lanes.map(({ solver, timestep }) => [solver, timestep])).toEqual([
      ['redmax', 0.003],
      ['ode', session.setup?.lanes[1].simulation.timestep],
    ])
    expect(loaded?.epoch).toBeGreaterThan(kept.epoch)
    for (let k = 0; k < 20; k++) {
      session.step()
      other.session.step()
    }
    const bits = ({ setup }: typeof session) => setup?.lanes.map(({ simulation }) => [...simulation.snapshot()])
    expect(bits(other.session)).toEqual(bits(session))
    // which they are not without the pin
    const free = run('chain', 'ode')
    free.session.restore({ spec: source, title: 'spider', origin: 'scene' }, { ...kept, pinned: [], pins: [[], []] })
    for (let k = 0; k < 20; k++) free.session.step()
    expect(bits(free.session)).not.toEqual(bits(session))
  })

  it('sends contacts only while they are asked for, and again with the moments they belong to', async () => {
    await fetchSolvers(['redmax'])
    const { session, page, contacts } = run('humanoid-on-ground', 'redmax')
    for (let k = 0; k < 150; k++) session.step()
    expect(contacts()).toEqual([])
    session.setContacts(true)
    expect(contacts()[0]?.length).toBeGreaterThan(0)
    session.step()
    const last = contacts().at(-1)
    // a worker that takes over shows them before it makes a step
    const kept = page.findLast((reply) => reply.type === 'kept')?.kept
    const spec = findScene('humanoid-on-ground')?.build({})
    if (!kept || !spec) throw new Error('nothing was kept')
    const other = run('chain', 'ode')
    other.session.setContacts(true)
    other.session.restore({ spec, title: 'humanoid', origin: 'scene' }, kept)
    expect(other.contacts().at(-1)).toEqual(last)
    session.seek(0)
    expect(contacts().at(-1)?.length).toBe(0)
    session.seek(session.moments.length - 1)
    expect(contacts().at(-1)).toEqual(last)
  })
})
