/**
 * The picture: camera, light, ground, and the loop that draws. Knows nothing of the simulation.
 */
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { createGround } from './ground.js'
import type { Mechanism } from './mechanism.js'

/** from where the camera looks at first: from the right, a little from the front and from above */
const outlook = new THREE.Vector3(0.62, -1, 0.3).normalize()
const sunlight = new THREE.Vector3(-0.3, -0.45, 1).normalize()

export interface Viewer {
  /** swaps the mechanism; `floor` is the height of the ground */
  show(mechanism: Mechanism, floor: number): void
  /** calls back before each picture with the seconds since the last */
  onFrame(callback: (dt: number) => void): void
  setTheme(dark: boolean): void
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
  sun.shadow.mapSize.set(2048, 2048)
  const ground = createGround()
  scene.add(sky, sun, sun.target, ground.object)

  let current: Mechanism | undefined
  let callback: (dt: number) => void = () => {}
  let last = 0

  const resize = () => {
    const { clientWidth: width, clientHeight: height } = canvas
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
    renderer.setSize(width, height, false)
    camera.aspect = width / Math.max(height, 1)
    camera.updateProjectionMatrix()
  }
  new ResizeObserver(resize).observe(canvas)
  resize()

  renderer.setAnimationLoop((time) => {
    const dt = Math.min(0.1, (time - last) / 1000)
    last = time
    callback(dt)
    controls.update()
    renderer.render(scene, camera)
  })

  return {
    show(mechanism, floor) {
      if (current) {
        scene.remove(current.root)
        current.dispose()
      }
      current = mechanism
      scene.add(mechanism.root)

      // camera, light and ground follow the size of what is shown
      const box = roomFor(mechanism.bounds(), floor)
      const center = box.getCenter(new THREE.Vector3())
      const radius = Math.max(0.01, box.getSize(new THREE.Vector3()).length() / 2)
      const narrow = Math.max(1, 1 / camera.aspect)
      const distance = (1.15 * radius * narrow ** 0.7) / Math.sin((camera.fov * Math.PI) / 360)
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
    onFrame(next) {
      callback = next
    },
    setTheme(dark) {
      sky.intensity = dark ? 1.5 : 1.9
      ground.setTheme(dark)
    },
  }
}

/** The space a mechanism will move in: down to the floor, and as far to the other side of the origin when it starts near it. */
function roomFor(box: THREE.Box3, floor: number): THREE.Box3 {
  const room = box.clone().expandByPoint(new THREE.Vector3(box.min.x, box.min.y, floor))
  const near = box.clone().expandByScalar(0.2 * box.getSize(new THREE.Vector3()).length())
  if (near.min.x < 0 && near.max.x > 0 && near.min.y < 0 && near.max.y > 0) {
    room.expandByPoint(new THREE.Vector3(-box.min.x, -box.min.y, floor)).expandByPoint(new THREE.Vector3(-box.max.x, -box.max.y, floor))
  }
  return room
}
