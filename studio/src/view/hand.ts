/**
 * The pointer on the mechanism: picks a body, drags it with a spring, pushes, pins, joins two points. Works with mouse, pen and finger;
 * where no body is hit the camera turns.
 */
import * as THREE from 'three'
import type { Tool } from '../shell/looks.js'
import type { BodyPoint, Request } from '../worker/protocol.js'
import type { Pick } from './mechanism.js'
import type { Stage } from './stage.js'
import type { Viewer } from './viewer.js'

/** pixels that a pointer may move and still be a click */
const slop = 5

export interface HandOptions {
  /** where pointer events arrive, in pixels of the canvas */
  readonly element: HTMLElement
  readonly viewer: Viewer
  readonly stage: Stage
  send(request: Request): void
  /** `dragged`: by pulling it */
  selected(body: number, dragged?: boolean): void
  /** kilograms of all bodies: pushes and springs are sized by it */
  mass(): number
  said(text: string): void
  cursor(name: string): void
}

export interface Hand {
  tool: Tool
  /** forgets a half-made spring and lets go */
  cancel(): void
}

export function createHand({ element, viewer, stage, send, selected, mass, said, cursor }: HandOptions): Hand {
  const { controls, camera } = viewer
  const plane = new THREE.Plane()
  const target = new THREE.Vector3()
  let held: { readonly pick: Pick; readonly grip: BodyPoint; readonly pointer: number; readonly view: number } | undefined
  let pressed: { readonly x: number; readonly y: number; readonly pick: Pick | undefined } | undefined
  let firstEnd: BodyPoint | undefined
  /** that the body held is the one picked */
  let told = false

  const hand: Hand = {
    tool: 'drag',
    cancel() {
      firstEnd = undefined
      stage.setMarks([])
      letGo()
    },
  }

  const letGo = () => {
    if (held) send({ type: 'release' })
    held = undefined
    told = false
    controls.enabled = true
    stage.setHand(undefined, undefined)
    cursor('')
  }

  const toPlane = (event: PointerEvent, view: number) =>
    viewer.rayAt(event.clientX, event.clientY, view).ray.ray.intersectPlane(plane, target)

  // before the camera's own listener, which must not turn while a body is held
  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0 || held) return
      const pick = stage.pick(event.clientX, event.clientY)
      pressed = { x: event.clientX, y: event.clientY, pick }
      if (!pick || pick.body === 0 || hand.tool !== 'drag') return
      const grip = gripOf(pick)
      held = { pick, grip, pointer: event.pointerId, view: viewer.rayAt(event.clientX, event.clientY).view }
      controls.enabled = false
      cursor('grabbing')
      // the hand moves in the plane through the point that faces the camera
      plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new THREE.Vector3()), pick.world)
      target.copy(pick.world)
    },
    { capture: true },
  )
  element.addEventListener('pointermove', (event) => {
    if (!held || event.pointerId !== held.pointer || !pressed) return
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < slop) return
    if (!toPlane(event, held.view)) return
    if (!told) selected(held.grip.body, true)
    told = true
    send({ type: 'drag', grip: held.grip, target: [target.x, target.y, target.z] })
    stage.setHand(held.grip, target)
  })
  element.addEventListener('pointerup', (event) => {
    const still = pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < slop
    if (pressed && still && event.button === 0) click(pressed.pick)
    pressed = undefined
    letGo()
  })
  element.addEventListener('pointercancel', letGo)

  function click(pick: Pick | undefined): void {
    if (!pick) return selected(-1)
    const grip = gripOf(pick)
    switch (hand.tool) {
      case 'drag':
        return selected(pick.body)
      case 'push':
        return push(grip)
      case 'pin':
        if (pick.body > 0) send({ type: 'pin', grip })
        return said(pick.body > 0 ? 'Pinned.' : 'This belongs to the world and cannot move.')
      case 'spring':
        return join(grip)
    }
  }

  function push(grip: BodyPoint): void {
    const direction = camera.getWorldDirection(new THREE.Vector3())
    // the whole mechanism would gain half a metre a second
    const { x, y, z } = direction.multiplyScalar(0.5 * mass())
    send({ type: 'push', grip, impulse: [x, y, z] })
    said(`Pushed with ${(0.5 * mass()).toPrecision(3)} N s.`)
  }

  function join(grip: BodyPoint): void {
    if (!firstEnd) {
      firstEnd = grip
      stage.setMarks([grip])
      return said('Now click the other end.')
    }
    if (firstEnd.body === grip.body) return said('Both ends are on one body; click a point of another.')
    // stretches by a twentieth of the size under the whole weight
    const stiffness = (9.81 * mass()) / (0.05 * stage.size)
    send({ type: 'spring', spring: { a: firstEnd, b: grip, stiffness, damping: 0.2 * Math.sqrt(stiffness * mass()) } })
    firstEnd = undefined
    stage.setMarks([])
    said(`Spring of ${stiffness.toPrecision(3)} N/m added.`)
  }

  return hand
}

function gripOf({ body, point, mesh }: Pick): BodyPoint {
  return { body, point, ...(mesh ? { mesh } : {}) }
}
