/**
 * What is drawn over the mechanism on demand: frames of the bodies, joint axes, inertia boxes, centres of mass, contacts, pins and the line of
 * a hand. All of them are line segments in one buffer each, rewritten for every picture while shown.
 */
import type { Spec } from 'limber'
import * as THREE from 'three'
import type { OverlayName } from '../shell/looks.js'
import type { BodyInfo, BodyPoint } from '../worker/protocol.js'
import { type ContactMarks, createContactMarks } from './contact-marks.js'
import type { BodyFrames } from './instances.js'
import { locate } from './lines.js'

export interface OverlayInput {
  readonly spec: Spec
  readonly bodies: readonly BodyInfo[]
  readonly boxes: Float64Array
  readonly size: number
}

/** A segment fixed to a body. */
interface Segment {
  readonly body: number
  readonly from: readonly number[]
  readonly to: readonly number[]
  readonly color: THREE.Color
}

/** Overlays that are fixed to bodies. */
const segmentTable: { readonly [N in OverlayName]?: (input: OverlayInput) => Segment[] } = {
  frames: bodyFrames,
  axes: jointAxes,
  inertia: inertiaBoxes,
  mass: massCrosses,
}

const red = new THREE.Color(0xe5484d)
const green = new THREE.Color(0x30a46c)
const blue = new THREE.Color(0x3e7bfa)
const orange = new THREE.Color(0xf2a93c)
const violet = new THREE.Color(0xa06bff)

export interface Overlays {
  readonly object: THREE.Group
  set(name: OverlayName, shown: boolean): void
  load(input: OverlayInput): void
  /** `settle` gives points that move with modes where they are now in their body */
  update(frames: BodyFrames, settle: (point: BodyPoint) => BodyPoint): void
  /** the line between the hand and what it holds; undefined hides it */
  setHand(grip: BodyPoint | undefined, target: THREE.Vector3 | undefined): void
  setPins(pins: readonly BodyPoint[]): void
  /** a dot on each picked point */
  setMarks(marks: readonly BodyPoint[]): void
  setContacts(list: Float64Array): void
  readonly contacts: Pick<ContactMarks, 'count' | 'patches' | 'largest' | 'scale'>
  dispose(): void
}

export function createOverlays(): Overlays {
  const object = new THREE.Group()
  const shown = new Set<OverlayName>()
  const made = new Map<string, { readonly lines: THREE.LineSegments; readonly segments: readonly Segment[] }>()
  let input: OverlayInput | undefined
  let marksSize = 1
  let hand: { grip: BodyPoint; target: THREE.Vector3 } | undefined
  let pins: readonly BodyPoint[] = []
  let marks: readonly BodyPoint[] = []

  const dot = new THREE.SphereGeometry(1, 12, 8)
  const handLine = makeLines(1, new THREE.LineBasicMaterial({ color: orange, depthTest: false }))
  const pinDots = makeDots(dot, 0xe5484d)
  const markDots = makeDots(dot, 0x3e7bfa)
  handLine.visible = false
  const contacts = createContactMarks()
  object.add(handLine, pinDots, markDots, contacts.object)

  const clear = () => {
    for (const { lines } of made.values()) {
      object.remove(lines)
      lines.geometry.dispose()
    }
    made.clear()
  }
  const at = new THREE.Vector3()

  return {
    object,
    set(name, on) {
      if (on) shown.add(name)
      else shown.delete(name)
    },
    load(next) {
      input = next
      marksSize = Math.min(next.size, 9 * typicalEdge(next))
      clear()
      contacts.set(new Float64Array(0))
    },
    setContacts: (list) => contacts.set(list),
    contacts,
    dispose() {
      clear()
      contacts.dispose()
    },
    setHand(grip, target) {
      hand = grip && target ? { grip, target } : undefined
    },
    setPins(next) {
      pins = next
    },
    setMarks(next) {
      marks = next
    },
    update(frames, settle) {
      if (!input) return
      for (const [name, list] of Object.entries(segmentTable)) {
        const known = made.get(name)
        const on = shown.has(name as OverlayName)
        if (known) known.lines.visible = on
        if (!on) continue
        const { lines, segments } = known ?? build(list(input))
        if (!known) {
          made.set(name, { lines, segments })
          object.add(lines)
        }
        writeSegments(lines, segments, frames)
      }
      handLine.visible = hand !== undefined
      if (hand) {
        const position = handLine.geometry.getAttribute('position')
        locate(at, settle(hand.grip), frames)
        position.setXYZ(0, at.x, at.y, at.z)
        position.setXYZ(1, hand.target.x, hand.target.y, hand.target.z)
        position.needsUpdate = true
      }
      contacts.update(shown.has('contacts'), marksSize)
      placeDots(pinDots, pins.map(settle), frames, 0.018 * input.size)
      placeDots(markDots, marks.map(settle), frames, 0.014 * input.size)
    },
  }
}

function makeDots(geometry: THREE.BufferGeometry, color: number): THREE.InstancedMesh {
  const dots = new THREE.InstancedMesh(geometry, new THREE.MeshBasicMaterial({ color, depthTest: false }), 64)
  dots.frustumCulled = false
  dots.count = 0
  dots.renderOrder = 3
  return dots
}

function placeDots(dots: THREE.InstancedMesh, points: readonly BodyPoint[], frames: BodyFrames, radius: number): void {
  dots.count = Math.min(points.length, 64)
  const matrix = new THREE.Matrix4()
  const at = new THREE.Vector3()
  points.slice(0, 64).forEach((point, k) => {
    locate(at, point, frames)
    dots.setMatrixAt(k, matrix.makeScale(radius, radius, radius).setPosition(at))
  })
  dots.instanceMatrix.needsUpdate = true
}

function makeLines(count: number, material: THREE.LineBasicMaterial): THREE.LineSegments {
  const geometry = new THREE.BufferGeometry()
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6 * count), 3))
  const lines = new THREE.LineSegments(geometry, material)
  lines.frustumCulled = false
  lines.renderOrder = 2
  return lines
}

function build(segments: readonly Segment[]): { lines: THREE.LineSegments; segments: readonly Segment[] } {
  const lines = makeLines(segments.length, new THREE.LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }))
  const colors = segments.flatMap(({ color: { r, g, b } }) => [r, g, b, r, g, b])
  lines.geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(colors), 3))
  return { lines, segments }
}

function writeSegments(lines: THREE.LineSegments, segments: readonly Segment[], X: BodyFrames): void {
  const position = lines.geometry.getAttribute('position')
  const { array } = position
  segments.forEach(({ body, from, to }, k) => {
    const o = 12 * body
    for (let r = 0; r < 3; r++) {
      const a = X[o + 3 * r]
      const b = X[o + 3 * r + 1]
      const c = X[o + 3 * r + 2]
      const p = X[o + 9 + r]
      array[6 * k + r] = a * from[0] + b * from[1] + c * from[2] + p
      array[6 * k + 3 + r] = a * to[0] + b * to[1] + c * to[2] + p
    }
  })
  position.needsUpdate = true
}

function bodyFrames({ bodies, size }: OverlayInput): Segment[] {
  const length = 0.05 * size
  return bodies.flatMap((_, body) =>
    [red, green, blue].map((color, k) => ({ body, from: [0, 0, 0], to: [0, 1, 2].map((r) => (r === k ? length : 0)), color })),
  )
}

function jointAxes({ spec, bodies, size }: OverlayInput): Segment[] {
  const index = new Map(bodies.map(({ name }, i) => [name, i]))
  const half = 0.06 * size
  return spec.bodies.flatMap((body) =>
    (body.joints ?? []).flatMap(({ type, axis, axis2, anchor = [0, 0, 0] }): Segment[] => {
      const two = type === 'universal' || type === 'planar'
      const directions = /spherical|free/.test(type) ? [] : [axis ?? (two ? [1, 0, 0] : [0, 0, 1]), ...(two ? [axis2 ?? [0, 1, 0]] : [])]
      return directions.map((d, k) => {
        const scale = half / (Math.hypot(...d) || 1)
        const end = (sign: number) => anchor.map((x, r) => x + sign * scale * d[r])
        return { body: index.get(body.name) ?? 0, from: end(-1), to: end(1), color: k === 0 ? orange : violet }
      })
    }),
  )
}

/** The equivalent box of each body: the twelve edges of a box with the same mass and moments of inertia. */
function inertiaBoxes({ bodies, boxes }: OverlayInput): Segment[] {
  const segments: Segment[] = []
  const corner = (box: readonly number[], signs: readonly number[]) =>
    [0, 1, 2].map((r) => box[r] + [0, 1, 2].reduce((sum, c) => sum + (box[3 + 3 * r + c] * signs[c] * box[12 + c]) / 2, 0))
  bodies.forEach(({ mass }, body) => {
    if (body === 0 || !(mass > 0)) return
    const box = [...boxes.subarray(15 * body, 15 * body + 15)]
    for (let axis = 0; axis < 3; axis++) {
      for (const [s, t] of [
        [-1, -1],
        [-1, 1],
        [1, -1],
        [1, 1],
      ]) {
        const signs = (along: number) => [0, 1, 2].map((c) => (c === axis ? along : c === (axis + 1) % 3 ? s : t))
        segments.push({ body, from: corner(box, signs(-1)), to: corner(box, signs(1)), color: violet })
      }
    }
  })
  return segments
}

/** The median of the longest edges of those boxes: among many small bodies large marks would hide everything. */
function typicalEdge({ bodies, boxes }: OverlayInput): number {
  const edges = bodies.flatMap(({ mass }, body) =>
    body > 0 && mass > 0 ? [Math.max(...boxes.subarray(15 * body + 12, 15 * body + 15))] : [],
  )
  return edges.sort((a, b) => a - b)[edges.length >> 1] || Infinity
}

function massCrosses({ bodies, boxes, size }: OverlayInput): Segment[] {
  const half = 0.012 * size
  return bodies.flatMap(({ mass }, body) => {
    if (body === 0 || !(mass > 0)) return []
    const box = boxes.subarray(15 * body, 15 * body + 3)
    return [0, 1, 2].map((axis) => {
      const end = (sign: number) => [0, 1, 2].map((r) => box[r] + (r === axis ? sign * half : 0))
      return { body, from: end(-1), to: end(1), color: green }
    })
  })
}
