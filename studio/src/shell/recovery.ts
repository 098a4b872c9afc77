/**
 * What happens when the worker that simulates ends by itself: another one takes its place, gets the model, the settings and the last state
 * that the page has heard of, and stands there until someone lets it go on. One that ends again at once is not led back to the same place.
 */
import type { Kept, Loaded, Opening, Request } from '../worker/protocol.js'
import type { Link } from './link.js'

/** milliseconds: an end that comes sooner after the last one, or after it went on, is the same trouble again */
const soon = 10_000

/** What was shown, and is to be shown again. */
export interface Shown {
  readonly t: number
  /** what opened it, with the settings of late */
  readonly from: Opening
}

export interface RecoveryListeners {
  /** another worker was told to go on; undefined where nothing was open yet */
  restored(reason: string, shown: Shown | undefined): void
  /** it ended again: another worker waits, and has nothing open */
  again(reason: string): void
  /** even that one ended: there is no worker any more */
  lost(reason: string): void
}

export interface Recovery {
  listen(listeners: RecoveryListeners): void
  /** ends a worker that does not answer, as if it had ended by itself */
  giveUp(): void
  /** opens from its start what was shown, or what was to be shown at first */
  startOver(): void
}

/** To be called before others listen to what is sent: they are not to hear of what is said again. */
export function createRecovery(link: Link, reconnect: () => void): Recovery {
  const { send } = link
  /** requests that opened something, by their numbers, and those that hold until another one of their kind comes */
  const openings = new Map<number, Opening>()
  const standing = new Map<string, Request>()
  let listeners: RecoveryListeners | undefined
  let count = 0
  let loaded: Loaded | undefined
  let kept: Kept | undefined
  /** ends in a row; when the last one was, or when it went on after that; whether it did */
  let ends = 0
  let since = Number.NEGATIVE_INFINITY
  let running = true
  /** the present worker has nothing open, on purpose */
  let idle = false
  let restoring = false

  /** What opened the model that is shown, and the recording of it that is played. */
  const opened = () => loaded?.openings.map((number) => openings.get(number)) ?? []

  const startOver = (): void => {
    idle = false
    const [model = openings.get(count), played] = opened()
    // settings may have been changed since
    if (model) send({ ...model, lanes: kept?.settings ?? model.lanes })
    if (played) send(played)
  }

  link.send = (request, transfer) => {
    const { type } = request
    if (type === 'scene' || type === 'files' || (type === 'text' && request.apply)) {
      const opening = { ...request, opening: ++count }
      openings.set(count, opening)
      idle = false
      return send(opening)
    }
    const wakes = (type === 'play' && request.playing) || type === 'step' || type === 'reset'
    if (wakes && idle) startOver()
    if (wakes && !running) {
      running = true
      since = performance.now()
    }
    if (type === 'watch') standing.set(`${type} ${request.topic}`, request)
    if (type === 'speed' || type === 'contacts' || type === 'camera' || type === 'inspect') standing.set(type, request)
    send(request, transfer)
  }

  link.onReply((reply) => {
    if (reply.type === 'kept') kept = reply.kept
    if (reply.type === 'refused' && restoring) {
      restoring = false
      idle = true
      // after those who tell of what is refused
      queueMicrotask(() => listeners?.again(`What was there could not be brought back: ${reply.problems.join('; ')}.`))
    }
    if (reply.type !== 'loaded') return
    restoring = false
    loaded = reply
    // what came before cannot come back
    const first = Math.min(...reply.openings)
    for (const number of openings.keys()) if (number < first) openings.delete(number)
  })

  const goOn = (): Shown | undefined => {
    const [model, played] = opened()
    // a state of the model before is none of this one
    if (!model || !kept || kept.epoch < (loaded?.epoch ?? 0)) return undefined
    if (played) {
      startOver()
      send({ type: 'seek', frame: kept.frame })
    } else send({ type: 'restore', from: model, kept })
    restoring = true
    return { t: kept.t, from: { ...model, lanes: kept.settings } }
  }

  const recover = (reason: string): void => {
    restoring = false
    ends = performance.now() - since < soon ? ends + 1 : 1
    since = performance.now()
    running = false
    if (ends > 2) {
      link.end()
      return listeners?.lost(reason)
    }
    link.restart()
    reconnect()
    send({ type: 'play', playing: false })
    for (const request of standing.values()) send(request)
    idle = ends > 1
    if (idle) listeners?.again(reason)
    else listeners?.restored(reason, goOn())
  }
  link.onEnd(recover)

  return {
    listen(next) {
      listeners = next
    },
    giveUp: () => recover('It did not answer, and was stopped.'),
    startOver,
  }
}
