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

  it('sends contacts only while they are asked for, and again with the moments they belong to', async () => {
    await fetchSolvers(['redmax'])
    const { session, contacts } = run('humanoid-on-ground', 'redmax')
    for (let k = 0; k < 150; k++) session.step()
    expect(contacts()).toEqual([])
    session.setContacts(true)
    expect(contacts()[0]?.length).toBeGreaterThan(0)
    session.step()
    const last = contacts().at(-1)
    session.seek(0)
    expect(contacts().at(-1)?.length).toBe(0)
    session.seek(session.moments.length - 1)
    expect(contacts().at(-1)).toEqual(last)
  })
})
