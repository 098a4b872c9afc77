/**
 * Thousands of chains in one batch: the gallery's page on what a GPU, or the lanes of a processor, can do. The page draws and keeps the clock; the
 * worker simulates.
 */
import * as THREE from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { type Frame, type Opened, POINTS, type Reply, type Request } from './protocol.js'

/** m between chains */
const SPACING = 0.5
/** m, length of a chain */
const DEPTH = 1.2

const get = <T extends HTMLElement>(id: string, kind: new () => T): T => {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`no #${id} in the page`)
  return found
}
const canvas = get('picture', HTMLCanvasElement)
const count = get('count', HTMLSelectElement)
const device = get('device', HTMLSelectElement)
const play = get('play', HTMLButtonElement)
const [where, rate, clock] = ['where', 'rate', 'clock'].map((id) => get(id, HTMLOutputElement))
const note = get('note', HTMLParagraphElement)

// what the link asks for, if the page has it
const asked = new URLSearchParams(location.search)
for (const select of [count, device]) {
  const value = asked.get(select.id)
  if ([...select.options].some((option) => option.value === value)) select.value = value ?? ''
}

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
const send = (request: Request, transfer: Transferable[] = []): void => worker.postMessage(request, transfer)

const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true })
const scene = new THREE.Scene()
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 1000)
camera.up.set(0, 0, 1)
const controls = new OrbitControls(camera, canvas)
controls.enableDamping = true
let chains: THREE.LineSegments | undefined
let playing = true

/** Lines of the chains, on a square that the camera sees whole. */
function layOut(number: number): void {
  if (chains) {
    scene.remove(chains)
    chains.geometry.dispose()
    ;(chains.material as THREE.Material).dispose()
  }
  const side = Math.ceil(Math.sqrt(number))
  const half = (SPACING * (side - 1)) / 2
  const lines = new Uint32Array(2 * (POINTS - 1) * number)
  const colors = new Float32Array(3 * POINTS * number)
  const color = new THREE.Color()
  for (let e = 0, l = 0; e < number; e++) {
    for (let k = 0; k < POINTS; k++) {
      const at = POINTS * e + k
      color.setHSL(0.06 + 0.1 * ((e % side) / side), 0.75, 0.32 + (0.3 * k) / (POINTS - 1))
      color.toArray(colors, 3 * at)
      if (k > 0) {
        lines[l++] = at - 1
        lines[l++] = at
      }
    }
  }
  const geometry = new THREE.BufferGeometry()
  const positions = new THREE.BufferAttribute(new Float32Array(3 * POINTS * number), 3)
  positions.setUsage(THREE.DynamicDrawUsage)
  geometry.setIndex(new THREE.BufferAttribute(lines, 1))
  geometry.setAttribute('position', positions)
  geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3))
  chains = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true }))
  chains.frustumCulled = false
  scene.add(chains)
  controls.target.set(0, 0, -DEPTH / 2)
  const away = 1.9 * half + 3
  camera.position.set(-0.7 * away, -away, 0.75 * away)
  camera.far = 10 * away
  camera.updateProjectionMatrix()
}

/** Points of the worker, each chain at its place of the square. */
function place(points: Float32Array, number: number): void {
  if (!chains) return
  const positions = chains.geometry.getAttribute('position') as THREE.BufferAttribute
  const to = positions.array as Float32Array
  const side = Math.ceil(Math.sqrt(number))
  const half = (SPACING * (side - 1)) / 2
  for (let e = 0, k = 0; e < number; e++) {
    const x = SPACING * (e % side) - half
    const y = SPACING * Math.floor(e / side) - half
    for (let p = 0; p < POINTS; p++, k += 3) {
      to[k] = points[k] + x
      to[k + 1] = points[k + 1] + y
      to[k + 2] = points[k + 2]
    }
  }
  positions.needsUpdate = true
}

let shown = 0
/** the array that is not with the worker */
let spare: Float32Array<ArrayBuffer> | undefined

function open(): void {
  const number = Number(count.value)
  shown = 0
  spare = undefined
  where.value = 'Starting…'
  rate.value = ''
  note.hidden = true
  send({ type: 'open', count: number, device: device.value === 'cpu' ? 'cpu' : 'auto' })
  history.replaceState(null, '', `?count=${count.value}&device=${device.value}`)
}

function opened({ count: number, where: text, notes }: Opened): void {
  shown = number
  layOut(number)
  where.value = text
  note.textContent = notes.join('\n')
  note.hidden = notes.length === 0
  spare = new Float32Array(3 * POINTS * number)
}

const short = (x: number): string => (x >= 1e6 ? `${(x / 1e6).toPrecision(3)} million` : Math.round(x).toLocaleString('en'))

function framed({ points, time, steps, pace }: Frame): void {
  // of a batch that is gone
  if (points.length !== 3 * POINTS * shown) return
  place(points, shown)
  spare = points
  clock.value = `${time.toFixed(1)} s`
  if (steps > 0) rate.value = `${short(steps)} steps a second · ${pace.toFixed(2)} × real time`
  document.documentElement.dataset['time'] = String(time)
}

worker.onmessage = ({ data }: MessageEvent<Reply>) => {
  if (data.type === 'opened') opened(data)
  else if (data.type === 'frame') framed(data)
  else {
    where.value = 'Stopped'
    note.textContent = data.reason
    note.hidden = false
  }
}

function resize(): void {
  const { clientWidth, clientHeight } = canvas
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
  renderer.setSize(clientWidth, clientHeight, false)
  camera.aspect = clientWidth / Math.max(1, clientHeight)
  camera.updateProjectionMatrix()
}

function draw(now: number): void {
  requestAnimationFrame(draw)
  controls.update()
  renderer.render(scene, camera)
  if (spare && shown > 0) {
    const points = spare
    spare = undefined
    send({ type: 'frame', now: now / 1000, points }, [points.buffer])
  }
}

function setPlaying(next: boolean): void {
  playing = next
  play.textContent = playing ? 'Pause' : 'Play'
  send({ type: 'play', playing })
}

count.onchange = open
device.onchange = open
play.onclick = () => setPlaying(!playing)
get('again', HTMLButtonElement).onclick = () => send({ type: 'again' })
get('gust', HTMLButtonElement).onclick = () => send({ type: 'gust' })
addEventListener('keydown', ({ key, target }) => {
  if (target instanceof HTMLSelectElement || target instanceof HTMLButtonElement) return
  if (key === ' ') setPlaying(!playing)
  else if (key === 'r') send({ type: 'again' })
  else if (key === 'w') send({ type: 'gust' })
})
addEventListener('resize', resize)
resize()
open()
requestAnimationFrame(draw)
