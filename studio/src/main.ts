/**
 * The page: joins the worker that simulates, the picture and the controls.
 */
import { findScene, type ParameterValues, scenes } from 'limber-scenes'
import { create, element, setRows } from './dom.js'
import { acceptFiles } from './drop.js'
import { createEnergyPlot } from './energy-plot.js'
import { groundHeight } from './floor.js'
import { hideMessages, showMessages } from './messages.js'
import { showParameters } from './parameter-form.js'
import { createPlayer } from './player.js'
import type { Loaded, Reply, Request } from './protocol.js'
import { drawMechanism, type Mechanism } from './view/mechanism.js'
import { createViewer } from './view/viewer.js'

const firstScene = 'humanoid'

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
const send = (request: Request) => worker.postMessage(request)
const viewer = createViewer(element('picture', HTMLCanvasElement))
const player = createPlayer()
const plot = createEnergyPlot(element('plot', HTMLCanvasElement))

const sceneList = element('scene', HTMLSelectElement)
const play = element('play', HTMLButtonElement)
const speedList = element('speed', HTMLSelectElement)
const clock = element('clock', HTMLOutputElement)
const energyList = element('energy', HTMLElement)
const energyRows: [string, string][] = [
  ['kinetic', ''],
  ['potential', ''],
  ['total', ''],
  ['change of total', ''],
]

let mechanism: Mechanism | undefined
let playing = true
let speed = 1
let startEnergy = 0

// worker

worker.onmessage = ({ data }: MessageEvent<Reply>) => {
  switch (data.type) {
    case 'loaded':
      return show(data)
    case 'frame':
      player.push(data.frame)
      return plot.add(data.frame.t, data.frame.kinetic, data.frame.potential)
    case 'refused':
      return showMessages('This model cannot be loaded', data.problems, 'error')
    case 'stopped':
      setPlaying(false)
      return showMessages('The simulation stopped', [data.reason], 'error')
  }
}
worker.onerror = (event) => showMessages('The simulation crashed', [event.message || 'no reason given'], 'error')

function show(loaded: Loaded): void {
  mechanism = drawMechanism(loaded.spec, loaded.bodies)
  mechanism.setPoses(loaded.first.poses)
  viewer.show(mechanism, groundHeight(loaded.spec, mechanism.bounds().min.z))
  player.reset(loaded.first)
  plot.clear()
  startEnergy = loaded.first.kinetic + loaded.first.potential
  element('title', HTMLElement).textContent = loaded.title
  setRows(element('facts', HTMLElement), [
    ['bodies', String(loaded.bodies.length - 1)],
    ['degrees of freedom', String(loaded.nv)],
    ['solver', loaded.solver],
    ['step', `${loaded.timestep} s`],
  ])
  // what a file lost is news to its owner; what a built-in scene leaves out is a footnote
  const remarks = element('remarks', HTMLElement)
  remarks.textContent = loaded.fromFile ? '' : loaded.remarks.join('. ')
  if (loaded.fromFile && loaded.remarks.length > 0) showMessages('Not simulated here', loaded.remarks, 'remark')
  else hideMessages()
}

// picture

viewer.onFrame((dt) => {
  if (!mechanism) return
  const frame = player.advance(dt, playing, speed)
  mechanism.setPoses(frame.poses)
  const total = frame.kinetic + frame.potential
  const values = [frame.kinetic, frame.potential, total, total - startEnergy]
  energyRows.forEach((row, i) => {
    row[1] = `${readable(values[i] ?? 0)} J`
  })
  setRows(energyList, energyRows)
  clock.textContent = `${frame.t.toFixed(2)} s`
  plot.draw()
})

/** Small numbers keep their size: a drift of a microjoule is not zero. */
function readable(x: number): string {
  return x === 0 || Math.abs(x) >= 1e-3 ? x.toFixed(3) : x.toExponential(1)
}

// controls

function setPlaying(next: boolean): void {
  playing = next
  play.textContent = playing ? 'Pause' : 'Play'
  send({ type: 'play', playing })
}

function openScene(name: string, values: ParameterValues = {}): void {
  send({ type: 'scene', name, values })
}

function chooseScene(name: string): void {
  const scene = findScene(name)
  if (!scene) return
  sceneList.value = name
  element('description', HTMLElement).textContent = scene.description
  showParameters(element('parameters', HTMLFormElement), scene, (values) => openScene(name, values))
  openScene(name)
}

function step(): void {
  if (playing) setPlaying(false)
  send({ type: 'step' })
}

sceneList.append(...scenes.map(({ name, title }) => create('option', { value: name }, title)))
sceneList.onchange = () => chooseScene(sceneList.value)
play.onclick = () => setPlaying(!playing)
element('step', HTMLButtonElement).onclick = step
element('reset', HTMLButtonElement).onclick = () => send({ type: 'reset' })
speedList.onchange = () => {
  speed = Number(speedList.value)
  send({ type: 'speed', speed })
}

addEventListener('keydown', (event) => {
  const busy = event.target instanceof HTMLElement && event.target.closest('input, select, button, summary, a')
  if (busy || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === ' ') setPlaying(!playing)
  else if (event.key === '.') step()
  else if (event.key === 'r') send({ type: 'reset' })
  else return
  event.preventDefault()
})

acceptFiles((files) => {
  sceneList.selectedIndex = -1
  element('description', HTMLElement).textContent = files.map((file) => file.name).join(', ')
  showParameters(element('parameters', HTMLFormElement), undefined, () => {})
  send({ type: 'files', files })
})

// theme: the system's, until the button is pressed

const systemDark = matchMedia('(prefers-color-scheme: dark)')
const isDark = () => (document.documentElement.dataset['theme'] ?? (systemDark.matches ? 'dark' : 'light')) === 'dark'
systemDark.onchange = () => viewer.setTheme(isDark())
element('theme', HTMLButtonElement).onclick = () => {
  document.documentElement.dataset['theme'] = isDark() ? 'light' : 'dark'
  viewer.setTheme(isDark())
}
viewer.setTheme(isDark())

// on a narrow screen the picture comes first
if (matchMedia('(max-width: 640px)').matches) element('side', HTMLDetailsElement).open = false

const asked = new URLSearchParams(location.search).get('scene')
chooseScene(asked && findScene(asked) ? asked : firstScene)
