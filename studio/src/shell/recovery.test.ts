import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Kept, Loaded, Reply, Request } from '../worker/protocol.js'
import type { Link } from './link.js'
import { createRecovery } from './recovery.js'

const kept: Kept = {
  epoch: 3,
  settings: [{ solver: 'ode' }],
  start: -1,
  added: { springs: [], bodies: [] },
  pinned: [],
  pins: [[]],
  driving: true,
  t: 1.5,
  frame: 90,
  snapshots: [Uint8Array.of(1, 2, 3)],
  contacts: new Float64Array(0),
}
const scene = { type: 'scene', name: 'chain', values: {}, lanes: [{}] } as const

/** A page whose worker ends when it is told to. */
function open() {
  const sent: Request[] = []
  const hear: ((reply: Reply) => void)[] = []
  const told: string[] = []
  let end: (reason: string) => void = () => {}
  let workers = 1
  const link: Link = {
    send: (request) => void sent.push(request),
    onReply: (listener) => void hear.push(listener),
    ask: () => Promise.reject(new Error('not asked here')),
    takeHeads: () => [],
    shared: false,
    onEnd: (listener) => {
      end = listener
    },
    onSilence: () => {},
    end: () => {
      workers = 0
    },
    restart: () => {
      workers = 1
      sent.length = 0
    },
  }
  const recovery = createRecovery(link, () => told.push('reconnected'))
  recovery.listen({
    restored: (reason, shown) => told.push(`${reason} ${shown ? `at ${shown.t} with ${shown.from.lanes[0]?.solver}` : 'empty'}`),
    again: (reason) => told.push(`again ${reason}`),
    lost: (reason) => told.push(`lost ${reason}`),
  })
  const reply = (message: Reply) => hear.forEach((listener) => listener(message))
  const load = (openings: readonly number[]) => {
    reply({ type: 'loaded', openings, epoch: 3 } as unknown as Loaded)
    reply({ type: 'kept', kept })
  }
  return { link, recovery, sent, told, reply, load, end: (reason: string) => end(reason), workers: () => workers }
}

describe('createRecovery', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('tells another worker what opened the model, the last state, and what holds until it is said otherwise', () => {
    const { link, sent, told, load, end } = open()
    link.send(scene)
    load([1])
    link.send({ type: 'speed', speed: 2 })
    link.send({ type: 'speed', speed: 0.5 })
    link.send({ type: 'watch', topic: 'plots', channels: ['q:a'], version: 1 })
    link.send({ type: 'play', playing: true })
    end('boom')
    expect(sent).toEqual([
      { type: 'play', playing: false },
      { type: 'speed', speed: 0.5 },
      { type: 'watch', topic: 'plots', channels: ['q:a'], version: 1 },
      { type: 'restore', from: { ...scene, opening: 1 }, kept },
    ])
    expect(told).toEqual(['reconnected', 'boom at 1.5 with ode'])
  })

  it('goes back to what was shown, not to what was being opened', () => {
    const { link, sent, load, end } = open()
    link.send(scene)
    load([1])
    link.send({ ...scene, name: 'tree' })
    end('boom')
    expect(sent.at(-1)).toMatchObject({ type: 'restore', from: { name: 'chain' } })
  })

  it('opens the model and its recording again, and goes to the moment that was shown', () => {
    const { link, sent, load, end } = open()
    link.send(scene)
    load([1])
    link.send({ type: 'files', files: [], lanes: [{}] })
    load([1, 2])
    end('boom')
    expect(sent.slice(1)).toEqual([
      { ...scene, opening: 1, lanes: kept.settings },
      { type: 'files', files: [], lanes: [{}], opening: 2 },
      { type: 'seek', frame: 90 },
    ])
  })

  it('leads no worker back that ended within ten seconds of running, and starts over when it is to move', () => {
    const { link, sent, told, load, end, workers } = open()
    link.send(scene)
    load([1])
    end('first')
    load([1])
    // it stood for long before it went on
    vi.advanceTimersByTime(60_000)
    link.send({ type: 'play', playing: true })
    vi.advanceTimersByTime(9_000)
    end('second')
    expect(told.slice(-2)).toEqual(['reconnected', 'again second'])
    expect(sent.map(({ type }) => type)).toEqual(['play'])
    link.send({ type: 'play', playing: true })
    expect(sent.slice(1)).toEqual([
      { ...scene, opening: 1, lanes: kept.settings },
      { type: 'play', playing: true },
    ])
    expect(workers()).toBe(1)
    end('third')
    expect(told.at(-1)).toBe('lost third')
    expect(workers()).toBe(0)
  })

  it('brings a worker back that ended long after the last time', () => {
    const { link, told, load, end } = open()
    link.send(scene)
    load([1])
    for (const reason of ['first', 'second', 'third']) {
      end(reason)
      load([1])
      link.send({ type: 'play', playing: true })
      vi.advanceTimersByTime(11_000)
    }
    expect(told.filter((text) => text !== 'reconnected')).toEqual(['first', 'second', 'third'].map((reason) => `${reason} at 1.5 with ode`))
  })

  it('has nothing to bring back before something was open, and can try again', () => {
    const { link, recovery, sent, told, end } = open()
    link.send(scene)
    end('boom')
    expect(told.at(-1)).toBe('boom empty')
    recovery.startOver()
    expect(sent.at(-1)).toEqual({ ...scene, opening: 1 })
  })

  it('says so when the state is refused', async () => {
    const { link, sent, told, reply, load, end } = open()
    link.send(scene)
    load([1])
    end('boom')
    reply({ type: 'refused', problems: ['damaged'] })
    await Promise.resolve()
    expect(told.at(-1)).toContain('again What was there could not be brought back: damaged')
    link.send({ type: 'reset' })
    expect(sent.at(-2)).toMatchObject({ type: 'scene' })
    // other refusals are no matter of this
    load([1])
    reply({ type: 'refused', problems: ['other'] })
    await Promise.resolve()
    expect(told.at(-1)).not.toContain('other')
  })
})
