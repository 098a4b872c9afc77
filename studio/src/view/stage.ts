/**
 * What stands in the picture: the mechanism of every lane, as ghosts of the first or side by side, and the overlays.
 */
import type { Spec } from 'limber'
import * as THREE from 'three'
import { groundHeight } from '../floor.js'
import { type Loaded, posesAt } from '../protocol.js'
import { drawMechanism, type Mechanism, type Pick } from './mechanism.js'
import { createOverlays, type Overlays } from './overlays.js'
import type { Viewer } from './viewer.js'

/** colours of the lanes, in the picture and in the plots */
export const laneColors = ['#f2a93c', '#3e7bfa', '#30a46c'] as const

export const colorModes = ['own', 'tree', 'mass', 'body'] as const
export type ColorMode = (typeof colorModes)[number]

export interface Stage {
  readonly overlays: Overlays
  readonly mechanism: Mechanism | undefined
  /** a length typical of the whole mechanism */
  readonly size: number
  load(loaded: Loaded, spec: Spec): void
  draw(block: Float64Array): void
  pick(ray: THREE.Raycaster): Pick | undefined
  setArrangement(side: boolean): void
  setColors(mode: ColorMode): void
  setForceColors(on: boolean): void
  select(body: number): void
}

export function createStage(viewer: Viewer): Stage {
  const overlays = createOverlays()
  let mechanisms: Mechanism[] = []
  let loadedNow: Loaded | undefined
  let size = 1
  let side = false
  let mode: ColorMode = 'own'
  let forceColors = false
  let selected = -1
  let spread = new THREE.Vector3()
  viewer.scene.add(overlays.object)

  const arrange = () => mechanisms.forEach(({ root }, k) => root.position.copy(spread).multiplyScalar(side ? k : 0))

  const paint = () => {
    const { bodies = [] } = loadedNow ?? {}
    const color = paintBy(mode, bodies)
    const highlight = new THREE.Color(0xff7a1a)
    mechanisms[0]?.paint((body) => (body === selected ? highlight : color(body)))
  }

  return {
    overlays,
    get mechanism() {
      return mechanisms[0]
    },
    get size() {
      return size
    },
    load(loaded, spec) {
      for (const { root, dispose } of mechanisms) {
        viewer.scene.remove(root)
        dispose()
      }
      loadedNow = loaded
      const names = loaded.bodies.map(({ name }) => name)
      mechanisms = loaded.lanes.map((_, k) =>
        drawMechanism(spec, names, loaded.springs, k === 0 || side ? {} : { ghost: laneColors[k] ?? laneColors[0] }),
      )
      mechanisms.forEach((mechanism, k) => {
        mechanism.setPoses(loaded.first, posesAt(k, loaded.lanes.length, loaded.bodies.length))
        if (mechanism.lines) mechanism.lines.colorByForce = forceColors
        viewer.scene.add(mechanism.root)
      })
      const box = mechanisms[0].bounds()
      const extent = box.getSize(new THREE.Vector3())
      size = Math.max(extent.length(), 1e-3)
      // side by side along the axis that the camera sees from the side
      const right = new THREE.Vector3(1, 0, 0).applyQuaternion(viewer.camera.quaternion)
      const alongX = Math.abs(right.x) >= Math.abs(right.y)
      const step = 1.25 * (alongX ? extent.x : extent.y) + 0.25 * size
      spread = alongX ? new THREE.Vector3(Math.sign(right.x || 1) * step, 0, 0) : new THREE.Vector3(0, Math.sign(right.y) * step, 0)
      arrange()
      if (loaded.fresh) viewer.frame(box, groundHeight(spec, box.min.z))
      overlays.load({ spec, bodies: loaded.bodies, size })
      overlays.setPins(loaded.pins)
      if (selected >= names.length) selected = -1
      paint()
    },
    draw(block) {
      if (!loadedNow) return
      const { lanes, bodies } = loadedNow
      mechanisms.forEach((mechanism, k) => mechanism.setPoses(block, posesAt(k, lanes.length, bodies.length)))
      const [first] = mechanisms
      if (first) overlays.update(first.frames)
    },
    pick: (ray) => mechanisms[0]?.pick(ray),
    setArrangement(next) {
      side = next
      arrange()
    },
    setColors(next) {
      mode = next
      paint()
    },
    setForceColors(on) {
      forceColors = on
      for (const { lines } of mechanisms) if (lines) lines.colorByForce = on
    },
    select(body) {
      selected = body
      paint()
    },
  }
}

function paintBy(mode: ColorMode, bodies: Loaded['bodies']): (body: number) => THREE.Color | undefined {
  if (mode === 'own') return () => undefined
  const depth = new Int32Array(bodies.length)
  bodies.forEach(({ parent }, i) => {
    if (i > 0) depth[i] = depth[parent] + 1
  })
  const deepest = Math.max(1, ...depth)
  const heaviest = Math.max(1e-12, ...bodies.map(({ mass }) => mass))
  return (body) => {
    if (body === 0) return undefined
    if (mode === 'tree') return new THREE.Color().setHSL(0.08 + (0.6 * depth[body]) / deepest, 0.65, 0.55)
    if (mode === 'mass') return new THREE.Color().setHSL(0.6 - 0.6 * Math.sqrt(bodies[body].mass / heaviest), 0.7, 0.55)
    // neighbours in number are far apart in hue
    return new THREE.Color().setHSL((body * 0.618) % 1, 0.6, 0.58)
  }
}
