/**
 * What was changed by hand since the mechanism was opened, and is in no address: poses, controls, pins, springs.
 */
import type { Request } from '../worker/protocol.js'
import type { Link } from './link.js'

const names: Partial<Record<Request['type'], string>> = {
  joint: 'the pose',
  control: 'the controls',
  pin: 'pins',
  spring: 'springs',
}

export interface Edits {
  readonly list: readonly string[]
  has(type: Request['type']): boolean
}

/** Watches what is sent; opening another mechanism forgets, going back to the start forgets pose and controls. */
export function followEdits(link: Link): Edits {
  const made = new Set<Request['type']>()
  const { send } = link
  link.send = (request, transfer) => {
    const { type } = request
    if (type === 'scene' || type === 'files' || (type === 'text' && request.apply)) made.clear()
    if (type === 'reset') for (const passing of ['joint', 'control'] as const) made.delete(passing)
    if (type === 'unpin') made.delete('pin')
    if (names[type]) made.add(type)
    send(request, transfer)
  }
  return {
    get list() {
      return [...made].flatMap((type) => names[type] ?? [])
    },
    has: (type) => made.has(type),
  }
}
