/**
 * The picture: camera, light, ground, and the loop that draws. Knows nothing of the simulation.
 */
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { createGround } from './ground.js'

/** from where the camera looks at first: from the right, a little from the front and from above */
const outlook = new THREE.Vector3(0.62, -1, 0.3).normalize()
const sunlight = new THREE.Vector3(-0.3, -0.45, 1).normalize()

export interface Viewer {
  readonly scene: THREE.Scene
  readonly camera: THREE.PerspectiveCamera
  readonly controls: OrbitControls
  readonly canvas: HTMLCanvasElement
  /** points camera, light and ground at what is in this box */
  frame(bounds: THREE.Box3, floor: number): void
  /** the ray through a point of the page */
  rayAt(clientX: number, clientY: number): THREE.Raycaster
  /** calls back before each picture with the seconds since the last */
  onFrame(callback: (dt: number) => void): void
  setTheme(dark: boolean): void
  /** camera place and target, six numbers */
  outlook(): number[]
  look(numbers: readonly number[]): void
  /** the picture as a PNG file */
  picture(): Promise<Blob>
  readonly drawCalls: number
  /** milliseconds that the page spends on a picture, median of the last ones */
  readonly work: number
}

export function createViewer(canvas: HTMLCanvasElement): Viewer {
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true })
  renderer.shadowMap.enabled = true
  renderer.toneMapping = THREE.NeutralToneMapping
  const scene = new THREE.Scene()
  const camera = new THREE.PerspectiveCamera(40)
  camera.up.set(0, 0, 1)
  const controls = new OrbitControls(camera, canvas)
  controls.enableDamping = true

  const sky = new THREE.HemisphereLight(0xffffff, 0xa8adba)
  sky.position.set(0, 0, 1)
  const sun = new THREE.DirectionalLight(0xfff2dd, 2.2)
  sun.castShadow = true
  sun.shadow.mapSize.set(1024, 1024)
  const ground = createGround()
  scene.add(sky, sun, sun.target, ground.object)

  let callback: (dt: number) => void = () => {}
  let last = 0
  const work: number[] = []
  const pace = createPace()
  const turn = createTurn(renderer.getContext() as WebGL2RenderingContext)

  const resize = () => {
    const { clientWidth: width, clientHeight: height } = canvas
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2) * pace.sharpness)
    renderer.setSize(width, height, false)
    camera.aspect = width / Math.max(height, 1)
    camera.updateProjectionMatrix()
  }
  new ResizeObserver(resize).observe(canvas)
  resize()

  renderer.setAnimationLoop((time) => {
    if (!turn.over()) return
    const dt = (time - last) / 1000
    last = time
    const begin = performance.now()
    if (pace.notice(dt)) resize()
    callback(Math.min(0.1, dt))
    controls.update()
    renderer.render(scene, camera)
    turn.begin()
    work.push(performance.now() - begin)
    if (work.length > 120) work.shift()
  })

  return {
    scene,
    camera,
    controls,
    canvas,
    get work() {
      return [...work].sort((a, b) => a - b)[work.length >> 1] ?? 0
    },
    get drawCalls() {
      return renderer.info.render.calls
    },
    frame(bounds, floor) {
      const box = roomFor(bounds, floor)
      const center = box.getCenter(new THREE.Vector3())
      const radius = Math.max(0.01, box.getSize(new THREE.Vector3()).length() / 2)
      const distance = distanceFor(box, center, camera)
      camera.near = distance / 100
      camera.far = distance * 100
      camera.position.copy(center).addScaledVector(outlook, distance)
      camera.updateProjectionMatrix()
      controls.target.copy(center)
      sun.target.position.copy(center)
      sun.position.copy(center).addScaledVector(sunlight, 4 * radius)
      sun.shadow.normalBias = 0.01 * radius
      const reach = 2.2 * radius
      Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * radius, far: 12 * radius })
      sun.shadow.camera.updateProjectionMatrix()
      ground.place(center, floor, radius)
    },
    rayAt(clientX, clientY) {
      const { left, top, width, height } = canvas.getBoundingClientRect()
      const ray = new THREE.Raycaster()
      const at = new THREE.Vector2((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height)
      ray.setFromCamera(at, camera)
      return ray
    },
    onFrame(next) {
      callback = next
    },
    setTheme(dark) {
      sky.intensity = dark ? 1.5 : 1.9
      ground.setTheme(dark)
    },
    outlook: () => [...camera.position.toArray(), ...controls.target.toArray()].map((x) => Number(x.toPrecision(5))),
    look(numbers) {
      if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return
      const [x, y, z, a, b, c] = numbers
      camera.position.set(x, y, z)
      controls.target.set(a, b, c)
      controls.update()
    },
    picture() {
      // the buffer is gone after the task that drew it
      renderer.render(scene, camera)
      return new Promise((resolve, reject) => {
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser made no picture; try a smaller window'))))
      })
    },
  }
}

/**
 * Waits for the last picture without blocking: a driver that is behind (a software renderer, a large scene) would else stop the page
 * until it has caught up.
 */
function createTurn(gl: WebGL2RenderingContext): { begin(): void; over(): boolean } {
  let fence: WebGLSync | null = null
  return {
    begin() {
      fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
      gl.flush()
    },
    over() {
      if (fence && !gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return false
      if (fence) gl.deleteSync(fence)
      fence = null
      return true
    },
  }
}

/** Fewer pixels where drawing is slow, so that the mechanism still moves. */
function createPace(): { readonly sharpness: number; notice(dt: number): boolean } {
  const levels = [1, 0.75, 0.5]
  let level = 0
  let slow = 0
  let seen = 0
  return {
    get sharpness() {
      return levels[level]
    },
    notice(dt) {
      seen++
      // the first pictures compile shaders; long pauses are a hidden page
      if (seen < 10 || dt > 1) return false
      slow = 0.9 * slow + 0.1 * dt
      if (slow < 0.045 || level === levels.length - 1) return false
      level++
      slow = 0
      seen = 0
      return true
    },
  }
}

/** From how far the camera must look along `outlook` to see every corner, with a margin. */
function distanceFor(box: THREE.Box3, center: THREE.Vector3, { fov, aspect }: THREE.PerspectiveCamera): number {
  const right = new THREE.Vector3(0, 0, 1).cross(outlook).normalize()
  const up = outlook.clone().cross(right)
  const tall = Math.tan((fov * Math.PI) / 360)
  const corner = new THREE.Vector3()
  let most = 0
  for (let k = 0; k < 8; k++) {
    corner.set(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z).sub(center)
    const needed = Math.max(Math.abs(corner.dot(right)) / (tall * aspect), Math.abs(corner.dot(up)) / tall)
    most = Math.max(most, needed + corner.dot(outlook))
  }
  return Math.max(1.25 * most, 1e-3)
}

/** The space a mechanism will move in: down to the floor where that is near, and as far to the other side of the origin when it starts near it. */
function roomFor(box: THREE.Box3, floor: number): THREE.Box3 {
  const size = box.getSize(new THREE.Vector3()).length()
  const low = box.min.z - floor < 0.6 * size ? floor : box.min.z - 0.1 * size
  const room = box.clone().expandByPoint(new THREE.Vector3(box.min.x, box.min.y, low))
  const near = box.clone().expandByScalar(0.2 * size)
  if (near.min.x < 0 && near.max.x > 0 && near.min.y < 0 && near.max.y > 0) {
    room.expandByPoint(new THREE.Vector3(-box.min.x, -box.min.y, low)).expandByPoint(new THREE.Vector3(-box.max.x, -box.max.y, low))
  }
  return room
}
