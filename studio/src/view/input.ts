/**
 * An element for a thread that has none: OrbitControls and the hand listen to it, the page sends what happens on its canvas.
 */
import type { InputEvent } from './view-protocol.js'

export interface Input {
  /** what OrbitControls takes for the canvas */
  readonly element: HTMLElement
  setSize(width: number, height: number): void
  send(event: InputEvent): void
}

export function createInput(): Input {
  const target = new EventTarget()
  const size = { width: 1, height: 1 }
  const fields = {
    style: {},
    // the page captures pointers itself
    setPointerCapture() {},
    releasePointerCapture() {},
    getBoundingClientRect: () => ({ left: 0, top: 0, ...size }),
    ownerDocument: target,
  }
  Object.assign(target, fields)
  Object.defineProperties(target, { clientWidth: { get: () => size.width }, clientHeight: { get: () => size.height } })
  return {
    // only the members above are used of it
    element: target as unknown as HTMLElement,
    setSize(width, height) {
      Object.assign(size, { width, height })
    },
    send({ type, ...values }) {
      target.dispatchEvent(Object.assign(new Event(type), values))
    },
  }
}
