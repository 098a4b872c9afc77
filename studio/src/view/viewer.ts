/**
 * The picture: camera, light, floor, and the loop that draws. Knows nothing of the simulation.
 */
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import type { Mechanism } from './mechanism.js'

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
  renderer.toneMapping = THREE.ACESFilmicToneMapping
  const scene = new THREE.Scene()
  const camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000)
  camera.up.set(0, 0, 1)
  const controls = new OrbitControls(camera, canvas)
  controls.enableDamping = true

  const sky = new THREE.HemisphereLight(0xffffff, 0x8a90a0, 1.6)
  sky.position.set(0, 0, 1)
  const sun = new THREE.DirectionalLight(0xfff4e0, 2.6)
  sun.castShadow = true
  sun.shadow.mapSize.set(2048, 2048)
  sun.shadow.normalBias = 0.02
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial({ opacity: 0.28 }))
  ground.receiveShadow = true
  let grid = new THREE.GridHelper()
  scene.add(sky, sun, sun.target, ground, grid)

  let current: Mechanism | undefined
  let callback: (dt: number) => void = () => {}
  let dark = false
  let last = 0

  const placeGrid = (size: number, floor: number) => {
    scene.remove(grid)
    grid.dispose()
    const cell = 10 ** Math.round(Math.log10(size / 4))
    grid = new THREE.GridHelper(40 * cell, 40, dark ? 0x566074 : 0x8d98aa, dark ? 0x394152 : 0xb4bdcb)
    grid.rotation.x = Math.PI / 2
    grid.position.z = floor
    scene.add(grid)
  }
  let placed: [number, number] = [1, 0]

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

      // camera, light and floor follow the size of what is shown
      const box = mechanism.bounds()
      box.expandByPoint(new THREE.Vector3(box.min.x, box.min.y, floor))
      const center = box.getCenter(new THREE.Vector3())
      const radius = Math.max(0.05, box.getSize(new THREE.Vector3()).length() / 2)
      const narrow = camera.aspect < 1 ? 1 / camera.aspect : 1
      const distance = (1.15 * radius * narrow ** 0.8) / Math.sin((camera.fov * Math.PI) / 360)
      camera.near = distance / 100
      camera.far = distance * 100
      camera.position.copy(center).addScaledVector(new THREE.Vector3(0.62, -1, 0.32).normalize(), distance)
      camera.updateProjectionMatrix()
      controls.target.copy(center)
      sun.target.position.copy(center)
      sun.position.copy(center).addScaledVector(new THREE.Vector3(-0.35, -0.5, 1).normalize(), 4 * radius)
      const reach = 2.2 * radius
      Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * radius, far: 12 * radius })
      sun.shadow.camera.updateProjectionMatrix()
      ground.scale.setScalar(40 * radius)
      ground.position.z = floor - 1e-3 * radius
      placed = [radius, floor - 2e-3 * radius]
      placeGrid(...placed)
    },
    onFrame(next) {
      callback = next
    },
    setTheme(isDark) {
      dark = isDark
      sky.intensity = dark ? 1.3 : 2
      placeGrid(...placed)
    },
  }
}
