/**
 * What stands in the picture: the mechanism of every lane, as ghosts of the first or in views side by side, and the overlays.
 */
import type { Spec } from 'limber'
import * as THREE from 'three'
import { type ColorMode, groupPrefix, laneColors, type OverlayName, overlayTitles } from '../shell/looks.js'
import { type BodyInfo, type BodyPoint, header, modesAt, posesAt } from '../worker/protocol.js'
import { groundHeight } from './floor.js'
import { expandBySwing } from './framing.js'
import type { Eye } from './instances.js'
import { drawMechanism, type Mechanism, type Pick } from './mechanism.js'
import { createOverlays, type Overlays } from './overlays.js'
import { drawSkeleton, type Skeleton } from './skeleton.js'
import type { DrawSoftBodies } from './soft/soft-bodies.js'
import { drawTravellers, type Travellers } from './travellers.js'
import type { ViewScene } from './view-protocol.js'
import type { Viewer } from './viewer.js'

interface Actor {
  readonly mechanism: Mechanism
  readonly overlays: Overlays
  readonly skeleton: Skeleton | undefined
  readonly travellers: Travellers | undefined
}

export interface Stage {
  readonly mechanism: Mechanism | undefined
  readonly scene: ViewScene | undefined
  /** a length typical of the whole mechanism */
  readonly size: number
  /** `drawSoft`: what draws bodies that deform, where there are some */
  load(scene: ViewScene, drawSoft?: DrawSoftBodies): void
  draw(block: Float64Array): void
  /** the body under a point of the canvas */
  pick(x: number, y: number): Pick | undefined
  /** the whole mechanism in view; `close`: as it is now, without room to move */
  fit(close?: boolean): void
  /** the camera goes where the picked body goes, or the mechanism's middle */
  follow(on: boolean): void
  setSide(side: boolean): void
  setColors(mode: string): void
  setOverlay(name: OverlayName, on: boolean): void
  setGroups(groups: Readonly<Record<string, Int32Array>>): void
  setContacts(list: Float64Array): void
  readonly contacts: Overlays['contacts'] | undefined
  setHand(grip: BodyPoint | undefined, target: THREE.Vector3 | undefined): void
  setMarks(marks: readonly BodyPoint[]): void
  select(body: number): void
}

export function createStage(viewer: Viewer): Stage {
  const shown = new Set<OverlayName>()
  let actors: Actor[] = []
  let now: ViewScene | undefined
  let spec: Spec | undefined
  let size = 1
  let side = false
  let mode = 'own'
  let groups: Readonly<Record<string, Int32Array>> = {}
  let selected = -1
  let draws: DrawSoftBodies | undefined

  const paint = () => {
    const color = paintBy(mode, now?.bodies ?? [], groups)
    const highlight = new THREE.Color(0xff7a1a)
    actors.forEach(({ mechanism }, k) => {
      // ghosts keep the colour of their lane
      if (k === 0 || side) mechanism.paint((body) => (body === selected ? highlight : color(body)))
    })
  }

  /** One view a lane, each with its own mechanism and overlays; as ghosts all are in one, with the overlays of the first. */
  const arrange = () => {
    const views = side ? Math.max(1, actors.length) : 1
    viewer.setViews(views, (view) => {
      actors.forEach(({ mechanism, overlays }, k) => {
        mechanism.root.visible = views === 1 || view === k
        overlays.object.visible = view === k
      })
    })
  }

  const clear = () => {
    for (const { mechanism, overlays } of actors) {
      viewer.scene.remove(mechanism.root, overlays.object)
      mechanism.dispose()
      overlays.dispose()
    }
    actors = []
  }

  const make = (scene: ViewScene, built: Spec) => {
    clear()
    const names = scene.bodies.map(({ name }) => name)
    actors = Array.from({ length: scene.lanes }, (_, k): Actor => {
      const ghost = k === 0 || side ? {} : { ghost: laneColors[k] ?? laneColors[0] }
      const mechanism = drawMechanism(built, names, scene.springs, {
        ...ghost,
        coarse: viewer.software,
        modeStart: scene.modeStart,
        ...(draws ? { drawSoft: draws } : {}),
        ...(scene.lost ? { boxes: scene.boxes } : {}),
      })
      pose(mechanism, scene, scene.first, k)
      if (mechanism.lines) mechanism.lines.colorByForce = shown.has('forces')
      const overlays = createOverlays()
      if (k === 0) size = Math.max(mechanism.bounds().getSize(new THREE.Vector3()).length(), 1e-3)
      const skeleton = mechanism.soft ? undefined : drawSkeleton(scene.bodies, mechanism.shapes, size)
      if (skeleton) mechanism.root.add(skeleton.object)
      const travellers = drawTravellers(built, new Map(names.map((name, i) => [name, i])), size)
      if (travellers) mechanism.root.add(travellers.object)
      travellers?.update(scene.first[header.t], mechanism.frames)
      viewer.scene.add(mechanism.root, overlays.object)
      return { mechanism, overlays, skeleton, travellers }
    })
    for (const { overlays } of actors) {
      overlays.load({ spec: built, bodies: scene.bodies, boxes: scene.boxes, size })
      overlays.setPins(scene.pins)
      for (const name of shown) overlays.set(name, true)
    }
    if (selected >= names.length) selected = -1
    arrange()
    paint()
  }

  let following = false
  const followed = new THREE.Vector3()
  const gone = new THREE.Vector3()
  /** what the camera follows: the picked body, or the mean of all */
  const middle = (to: THREE.Vector3): THREE.Vector3 => {
    const frames = actors[0]?.mechanism.frames
    to.set(0, 0, 0)
    if (!frames) return to
    if (selected > 0) return to.set(frames[12 * selected + 9], frames[12 * selected + 10], frames[12 * selected + 11])
    const count = frames.length / 12 - 1
    for (let i = 1; i <= count; i++) {
      to.x += frames[12 * i + 9] / count
      to.y += frames[12 * i + 10] / count
      to.z += frames[12 * i + 11] / count
    }
    return to
  }

  const fit = (close = false) => {
    if (!now || !spec || actors.length === 0) return
    const { mechanism } = actors[0]
    const box = mechanism.bounds()
    const floor = groundHeight(spec, box.min.z)
    viewer.frame(close ? box : expandBySwing(box, spec, mechanism.frames), floor, !close)
    middle(followed)
  }

  return {
    get mechanism() {
      return actors[0]?.mechanism
    },
    get scene() {
      return now
    },
    get size() {
      return size
    },
    load(scene, drawSoft) {
      draws = drawSoft ?? draws
      now = scene
      spec = scene.spec ?? spec
      if (!spec) return
      if (scene.fresh) {
        selected = -1
        groups = {}
        viewer.restart()
      }
      make(scene, spec)
      if (scene.fresh) fit()
    },
    draw(block) {
      if (!now) return
      const scene = now
      actors.forEach(({ mechanism, overlays, skeleton, travellers }, k) => {
        pose(mechanism, scene, block, k, viewer.eye())
        skeleton?.update(mechanism.frames)
        travellers?.update(block[header.t], mechanism.frames)
        if (k === 0 || side) overlays.update(mechanism.frames, mechanism.settle)
      })
      if (!following) return
      middle(gone)
      const by = gone.clone().sub(followed)
      followed.copy(gone)
      if (Number.isFinite(by.lengthSq()) && by.lengthSq() > 0) viewer.shift(by)
    },
    pick(x, y) {
      const { ray, view } = viewer.rayAt(x, y)
      return actors[view]?.mechanism.pick(ray)
    },
    fit,
    follow(on) {
      following = on
      middle(followed)
    },
    setSide(next) {
      if (next === side) return
      side = next
      // ghosts look unlike mechanisms of their own
      if (now && spec) make(now, spec)
      fit()
    },
    setColors(next) {
      mode = next
      paint()
    },
    setOverlay(name, on) {
      if (!Object.hasOwn(overlayTitles, name)) return
      if (on) shown.add(name)
      else shown.delete(name)
      for (const { mechanism, overlays } of actors) {
        if (name === 'forces' && mechanism.lines) mechanism.lines.colorByForce = on
        overlays.set(name, on)
      }
    },
    setGroups(next) {
      groups = next
      if (mode.startsWith(groupPrefix)) paint()
    },
    setContacts(list) {
      actors[0]?.overlays.setContacts(list)
    },
    get contacts() {
      return actors[0]?.overlays.contacts
    },
    setHand(grip, target) {
      for (const { overlays } of actors) overlays.setHand(grip, target)
    },
    setMarks(marks) {
      for (const { overlays } of actors) overlays.setMarks(marks)
    },
    select(body) {
      selected = body
      middle(followed)
      paint()
    },
  }
}

/** Puts the mechanism of a lane where a frame has it. */
function pose(mechanism: Mechanism, { lanes, bodies, modes }: ViewScene, block: Float64Array, lane: number, eye?: Eye): void {
  mechanism.setPoses(block, posesAt(lane, lanes, bodies.length), modesAt(lane, lanes, bodies.length, modes), eye)
}

function paintBy(
  mode: string,
  bodies: readonly BodyInfo[],
  groups: Readonly<Record<string, Int32Array>>,
): (body: number) => THREE.Color | undefined {
  if (mode.startsWith(groupPrefix)) return paintByGroup(groups[mode.slice(groupPrefix.length)])
  const by: Readonly<Record<Exclude<ColorMode, 'own'>, () => (body: number) => THREE.Color>> = {
    tree: () => paintByDepth(bodies),
    mass: () => {
      const heaviest = Math.max(1e-12, ...bodies.map(({ mass }) => mass))
      return (body) => new THREE.Color().setHSL(0.6 - 0.6 * Math.sqrt(bodies[body].mass / heaviest), 0.7, 0.55)
    },
    // neighbours in number are far apart in hue
    body: () => (body) => new THREE.Color().setHSL((body * 0.618) % 1, 0.6, 0.58),
  }
  const color = Object.hasOwn(by, mode) ? by[mode as Exclude<ColorMode, 'own'>]() : () => undefined
  return (body) => (body === 0 ? undefined : color(body))
}

function paintByDepth(bodies: readonly BodyInfo[]): (body: number) => THREE.Color {
  const depth = new Int32Array(bodies.length)
  bodies.forEach(({ parent }, i) => {
    if (i > 0) depth[i] = depth[parent] + 1
  })
  const deepest = depth.reduce((most, d) => Math.max(most, d), 1)
  return (body) => new THREE.Color().setHSL(0.08 + (0.6 * depth[body]) / deepest, 0.65, 0.55)
}

/** Bodies outside of every group fade to grey. */
function paintByGroup(of: Int32Array | undefined): (body: number) => THREE.Color | undefined {
  const grey = new THREE.Color(0x8a93a3)
  const known = new Map<number, THREE.Color>([[-1, grey]])
  return (body) => {
    if (body === 0 || !of) return undefined
    const group = Math.max(-1, of[body])
    const color = known.get(group) ?? new THREE.Color().setHSL((0.08 + group * 0.618) % 1, 0.7, 0.55)
    known.set(group, color)
    return color
  }
}
