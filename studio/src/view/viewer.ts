/**
 * The picture: camera, light, ground, and the loop that draws, in one view or in several beside each other. Knows nothing of the simulation.
 */
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { createBackdrop } from './backdrop.js'
import { divide } from './divide.js'
import { distanceFor, outlook, roomFor } from './framing.js'
import { createGround } from './ground.js'
import type { Input } from './input.js'
import type { Eye } from './instances.js'
import { createPace, createTurn, isSoftware, type Quality } from './pace.js'
import { type Area, fieldOfView } from './view-protocol.js'

/** seconds without a change before the picture is drawn with all there is */
const stillAfter = 0.3
/** seconds between pictures of a film in which nothing moves */
const filmEvery = 0.1
const sunlight = new THREE.Vector3(-0.3, -0.45, 1).normalize()

export interface Viewer {
  readonly scene: THREE.Scene
  readonly camera: THREE.PerspectiveCamera
  readonly controls: OrbitControls
  /** `free` is what no panel covers: the mechanism stands in its middle */
  setSize(width: number, height: number, ratio: number, free: Area): void
  /** so many views beside each other; `reveal` is called before each is drawn */
  setViews(count: number, reveal: (view: number) => void): void
  /** points camera, light and ground at what is in this box; `room`: also at where it may go */
  frame(bounds: THREE.Box3, floor: number, room: boolean): void
  /** moves camera, light and ground by this much */
  shift(by: THREE.Vector3): void
  /** with background and in full, until it is off */
  film(on: boolean): void
  /** from where pictures are taken */
  eye(): Eye
  /** the ray through a point of the canvas, and the view it lies in, unless that is given */
  rayAt(x: number, y: number, view?: number): { readonly ray: THREE.Raycaster; readonly view: number }
  /** calls back with the seconds since the last picture, when that is finished; true when there is something new to draw */
  onFrame(callback: (dt: number) => boolean): void
  /** something else than the camera or a frame has changed */
  touch(): void
  setTheme(dark: boolean): void
  /** camera place and target, six numbers */
  outlook(): number[]
  look(numbers: readonly number[]): void
  /** the picture as a PNG file */
  picture(): Promise<Blob>
  /** another scene: quality starts anew */
  restart(): void
  /** a processor draws, not a graphics card */
  readonly software: boolean
  readonly drawCalls: number
  readonly quality: Quality
  /** milliseconds of this thread for a picture, median of the last ones */
  readonly work: number
}

export function createViewer(canvas: HTMLCanvasElement | OffscreenCanvas, input: Input): Viewer {
  const { renderer, software } = createRenderer(canvas)
  renderer.shadowMap.enabled = true
  renderer.toneMapping = THREE.NeutralToneMapping
  renderer.info.autoReset = false
  const scene = new THREE.Scene()
  const camera = new THREE.PerspectiveCamera(fieldOfView)
  camera.up.set(0, 0, 1)
  const controls = new OrbitControls(camera, input.element)
  controls.enableDamping = true
  controls.keyRotateSpeed = 14
  controls.listenToKeyEvents(input.element)

  const sky = new THREE.HemisphereLight(0xffffff, 0xa8adba)
  sky.position.set(0, 0, 1)
  const sun = new THREE.DirectionalLight(0xfff2dd, 2.2)
  sun.shadow.mapSize.set(1024, 1024)
  const ground = createGround()
  scene.add(sky, sun, sun.target, ground.object)

  const size = { width: 1, height: 1, ratio: 1 }
  let free: Area = { x: 0, y: 0, width: 1, height: 1 }
  let views = 1
  let reveal: (view: number) => void = () => {}
  let callback: (dt: number) => boolean = () => false
  let touched = true
  let still = 0
  let last = 0
  const work: number[] = []
  const pace = createPace(software)
  // more pixels where edges are not smoothed
  const filmed: Quality = { sharpness: 1, shadows: !software }
  const finest: Quality = { sharpness: software ? 1.5 : 1, shadows: true }
  const turn = createTurn(renderer.getContext() as WebGL2RenderingContext)

  let filming = false
  const backdrop = createBackdrop()
  const resize = ({ sharpness, shadows }: Quality = filming ? filmed : pace.quality) => {
    renderer.setPixelRatio(Math.min(size.ratio, 2) * sharpness)
    renderer.setSize(size.width, size.height, false)
    sun.castShadow = shadows
  }
  const areas = () => divide(free, views)

  /** Makes the camera see this part of the canvas; alone, it sees all of it with its middle in the free part. */
  const aim = (area: Area) => {
    const { width, height } = size
    if (views === 1) {
      const right = width / 2 - (area.x + area.width / 2)
      const down = height / 2 - (area.y + area.height / 2)
      camera.aspect = width / height
      camera.setViewOffset(width, height, right, down, width, height)
    } else {
      camera.aspect = area.width / area.height
      camera.clearViewOffset()
    }
    camera.updateProjectionMatrix()
  }

  const draw = () => {
    renderer.info.reset()
    const { width, height } = size
    areas().forEach((area, k) => {
      aim(area)
      reveal(k)
      const { x, y, width: wide, height: tall } = views === 1 ? { x: 0, y: 0, width, height } : area
      renderer.setViewport(x, height - y - tall, wide, tall)
      renderer.setScissor(x, height - y - tall, wide, tall)
      renderer.setScissorTest(views > 1)
      renderer.render(scene, camera)
    })
  }

  const loop = (time: number) => {
    requestAnimationFrame(loop)
    if (!turn.over()) return
    const dt = (time - last) / 1000
    last = time
    const begin = performance.now()
    const moved = callback(Math.min(0.1, dt))
    if (controls.update() || moved || touched) {
      if (still === Infinity || (moved && pace.notice(dt))) resize()
      still = 0
    } else if ((still += dt) < (filming ? filmEvery : stillAfter)) return
    // a film gets pictures while nothing moves, and all of one quality: a recorder writes none before the next one is there
    else if (filming) still = 0
    // what stands still is drawn once more with all there is, and then left alone
    else if (still === Infinity) return
    else {
      still = Infinity
      resize(finest)
    }
    touched = false
    draw()
    turn.begin()
    work.push(performance.now() - begin)
    if (work.length > 120) work.shift()
  }
  requestAnimationFrame(loop)

  return {
    scene,
    camera,
    controls,
    software,
    get work() {
      return [...work].sort((a, b) => a - b)[work.length >> 1] ?? 0
    },
    get drawCalls() {
      return renderer.info.render.calls
    },
    get quality() {
      return pace.quality
    },
    setSize(width, height, ratio, area) {
      Object.assign(size, { width: Math.max(1, width), height: Math.max(1, height), ratio })
      free = area
      input.setSize(width, height)
      resize()
      still = 0
      touched = true
    },
    setViews(count, next) {
      views = count
      reveal = next
    },
    film(on) {
      filming = on
      scene.background = on ? backdrop.texture : null
      resize()
      touched = true
    },
    shift(by) {
      camera.position.add(by)
      controls.target.add(by)
      sun.target.position.add(by)
      sun.position.add(by)
      ground.shift(by)
    },
    frame(bounds, floor, room) {
      const box = room ? roomFor(bounds, floor) : bounds.clone().expandByScalar(0.05 * bounds.getSize(new THREE.Vector3()).length())
      const center = box.getCenter(new THREE.Vector3())
      const radius = Math.max(0.01, box.getSize(new THREE.Vector3()).length() / 2)
      const [area] = areas()
      // the angle of view spans the whole canvas, or one of several views
      const edge = Math.tan((camera.fov * Math.PI) / 360) / (views === 1 ? size.height : area.height)
      const distance = distanceFor(box, center, edge * area.width, edge * area.height)
      camera.near = distance / 100
      camera.far = distance * 100
      camera.position.copy(center).addScaledVector(outlook, distance)
      controls.target.copy(center)
      sun.target.position.copy(center)
      sun.position.copy(center).addScaledVector(sunlight, 4 * radius)
      sun.shadow.normalBias = 0.01 * radius
      const reach = 2.2 * radius
      Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * radius, far: 12 * radius })
      sun.shadow.camera.updateProjectionMatrix()
      ground.place(center, floor, radius)
    },
    eye() {
      const [{ height }] = areas()
      const pixels = views === 1 ? size.height : height
      return { position: camera.position, focal: (0.5 * pixels * renderer.getPixelRatio()) / Math.tan((camera.fov * Math.PI) / 360) }
    },
    rayAt(x, y, given) {
      const all = areas()
      const inside = (area: Area) => x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height
      const view = views === 1 ? 0 : (given ?? Math.max(0, all.findIndex(inside)))
      aim(all[view])
      const whole = views === 1 ? { x: 0, y: 0, ...size } : all[view]
      const ray = new THREE.Raycaster()
      camera.updateMatrixWorld()
      ray.setFromCamera(new THREE.Vector2((2 * (x - whole.x)) / whole.width - 1, 1 - (2 * (y - whole.y)) / whole.height), camera)
      return { ray, view }
    },
    onFrame(next) {
      callback = next
    },
    setTheme(dark) {
      sky.intensity = dark ? 1.5 : 1.9
      ground.setTheme(dark)
      backdrop.setTheme(dark)
    },
    outlook: () => [...camera.position.toArray(), ...controls.target.toArray()].map((x) => Number(x.toPrecision(5))),
    look(numbers) {
      if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return
      const [x, y, z, a, b, c] = numbers
      camera.position.set(x, y, z)
      controls.target.set(a, b, c)
      controls.update()
    },
    async picture() {
      resize({ ...finest, sharpness: size.ratio < 2 ? 2 : 1 })
      scene.background = backdrop.texture
      draw()
      if (!filming) scene.background = null
      // begun in the task that drew: the buffer is gone afterwards
      const made = toBlob(canvas)
      resize()
      touched = true
      return made
    },
    restart() {
      pace.restart()
      resize()
      touched = true
    },
    touch() {
      touched = true
    },
  }
}

/** Smooth edges cost a processor four times the pixels: a software renderer does without. */
function createRenderer(canvas: HTMLCanvasElement | OffscreenCanvas): { renderer: THREE.WebGLRenderer; software: boolean } {
  const probe = typeof OffscreenCanvas === 'undefined' ? document.createElement('canvas') : new OffscreenCanvas(1, 1)
  const gl = probe.getContext('webgl2') as WebGL2RenderingContext | null
  if (!gl) throw new Error('this browser gives no WebGL 2; switch hardware acceleration on, or use another browser')
  const software = isSoftware(gl)
  gl.getExtension('WEBGL_lose_context')?.loseContext()
  return { renderer: new THREE.WebGLRenderer({ canvas, antialias: !software, alpha: true }), software }
}

function toBlob(canvas: HTMLCanvasElement | OffscreenCanvas): Promise<Blob> {
  if ('convertToBlob' in canvas) return canvas.convertToBlob()
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser made no picture; try a smaller window'))))
  })
}
