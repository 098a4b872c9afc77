/**
 * The page: joins the worker that simulates, the view that draws, the controls and the panels.
 */
import type { ParameterValues } from 'limber-scenes'
import { createDetailForm } from './forms/detail-form.js'
import { showParameters } from './forms/parameter-form.js'
import { showSolver } from './forms/solver-form.js'
import { createSamples } from './panels/samples.js'
import { type App, createEvents } from './shell/app.js'
import { createControls } from './shell/controls.js'
import { copyLink } from './shell/copy-link.js'
import { createDebugOverlay } from './shell/debug-overlay.js'
import { readView, type View, writeView } from './shell/deep-link.js'
import { element } from './shell/dom.js'
import { createFacts } from './shell/facts.js'
import { showHint } from './shell/hint.js'
import { tellIgnored } from './shell/ignored.js'
import { freeArea, showCaptions } from './shell/layout.js'
import { createLink } from './shell/link.js'
import { colorModes, groupPrefix, type OverlayName, overlayTitles } from './shell/looks.js'
import { followWork, hideMessages, say, showMessages } from './shell/messages.js'
import { openHelp } from './shell/open-help.js'
import { createPicture } from './shell/picture.js'
import { wayOut, withRemedy } from './shell/remedies.js'
import { listenToKeys } from './shell/shortcuts.js'
import { createSides } from './shell/sides.js'
import { createTabs, panels } from './shell/tabs.js'
import { createTheme } from './shell/theme.js'
import { acceptFiles } from './sources/drop.js'
import { createGallery } from './sources/gallery.js'
import { header, headSize, type Loaded, type SourceFile } from './worker/protocol.js'

const firstScene = 'humanoid'
const usualPlots = ['energy', 'stepTime'] as const

const link = createLink((message) => showMessages('The simulation crashed', [`${message}; reload the page`], 'error'))
const picture = createPicture(element('picture', HTMLCanvasElement), link.send, freeArea)
const samples = createSamples()
let sceneName: string | undefined
let parameters: ParameterValues = {}
let dropped: readonly SourceFile[] = []
/** what the files that are being loaded are called */
let opening: string | undefined
/** what the address says, until its scene is opened */
let linked: View | undefined
let addressTimer = 0
let layOutLater = 0
/** whether the simulation has said which scenes there are beside the first ones */
let allScenes = false

const app: App = {
  ...createEvents(),
  link,
  picture,
  samples,
  solvers: [],
  scenes: [],
  loaded: undefined,
  lanes: [{}],
  selected: -1,
  playing: true,
  speed: 1,
  show: new Set(),
  colors: 'own',
  groups: [],
  plots: usualPlots,
  side: false,
  setLanes(lanes) {
    app.lanes = lanes
    link.send({ type: 'lanes', lanes })
    app.changed()
  },
  setPlaying(playing) {
    app.playing = playing
    app.emit('playing', playing)
    tellPace()
    link.send({ type: 'play', playing })
  },
  setSide(side) {
    app.side = side
    picture.send({ type: 'side', on: side })
    layOut()
    app.changed()
  },
  setPlots(plots) {
    app.plots = plots
    app.emit('plots', plots)
    app.changed()
  },
  setOverlay(name, on) {
    if (on) app.show.add(name)
    else app.show.delete(name)
    showOverlay(name, on)
    app.changed()
  },
  setColors(mode) {
    app.colors = mode
    picture.send({ type: 'colors', mode })
    app.emit('colors', mode)
    app.changed()
  },
  select(body) {
    app.selected = body
    picture.send({ type: 'select', body })
    link.send({ type: 'inspect', body })
    app.emit('selected', body)
    if (body >= 0) sides.openPanel('inspect')
  },
  say,
  fail: (heading, lines) => showMessages(heading, lines, 'error'),
  changed() {
    // the address follows at leisure: browsers limit how often it may change
    clearTimeout(addressTimer)
    addressTimer = window.setTimeout(() => !linked && history.replaceState(null, '', address()), 300)
  },
}

function tellPace(): void {
  picture.send({ type: 'pace', playing: app.playing, speed: app.speed })
}

const theme = createTheme((dark) => {
  picture.send({ type: 'theme', dark })
  app.emit('theme', dark)
})
const controls = createControls(app, tellPace)
const tabs = createTabs(app)
const sides = createSides(tabs, () => {
  layOut()
  app.changed()
})
const debug = createDebugOverlay(app)
createDetailForm(app)
createFacts(app)
const gallery = createGallery(
  link,
  () => app.scenes,
  (name) => chooseScene(name),
)

// worker

link.onReply(followWork)
link.onReply((reply) => {
  switch (reply.type) {
    case 'ready':
      app.solvers = reply.solvers
      app.scenes = reply.scenes
      return showLinked()
    case 'scenes':
      app.scenes = reply.scenes
      allScenes = true
      gallery.renew()
      return showLinked()
    case 'loaded':
      return show(reply)
    case 'refused':
      opening = undefined
      return showMessages('This cannot be loaded', withRemedy(reply.problems), 'error')
    case 'stopped':
      app.playing = false
      app.emit('playing', false)
      tellPace()
      return showMessages('The simulation stopped', [`${reply.reason}. Scrub back, or press Reset.`, ...wayOut(app.loaded)], 'error')
    case 'sought':
      element('clock', HTMLElement).dataset['hash'] = reply.hash
      element('clock', HTMLElement).dataset['frame'] = String(reply.frame)
      return
    case 'inspection':
      return app.emit('inspection', reply.inspection)
    case 'checked':
      return app.emit('checked', reply)
    case 'groups':
      app.groups = reply.names
      return app.emit('groups', reply.names)
    default:
    // frames and answers have other listeners
  }
})

function show(loaded: Loaded): void {
  app.loaded = loaded
  // time and place go on until the first frame says otherwise
  const before = last
  last = new Float64Array(headSize(loaded.lanes.length))
  if (!loaded.fresh) last.set(before.subarray(0, header.size))
  if (loaded.fresh) {
    delete document.documentElement.dataset['moving']
    samples.clear()
    app.selected = -1
    app.groups = []
    app.emit('groups', [])
    app.emit('selected', -1)
  }
  if (loaded.fresh && loaded.origin !== 'scene' && opening !== undefined) leaveScene(opening)
  element('title', HTMLElement).textContent = loaded.title
  document.title = `${loaded.title} · Limber studio`
  showLane(loaded)
  layOut()
  tellIgnored(loaded, (main) => link.send({ type: 'files', files: dropped, main, lanes: app.lanes }))
  app.emit('loaded', loaded)
  if (loaded.fresh) app.setPlaying(app.playing)
  app.changed()
}

function showLane(loaded: Loaded): void {
  const input = { solvers: app.solvers, info: loaded.lanes[0], settings: app.lanes[0] ?? {}, refusals: loaded.refusals }
  showSolver(element('solver', HTMLFormElement), input, (settings) => app.setLanes([settings, ...app.lanes.slice(1)]))
}

// picture

let last: Float64Array = new Float64Array(0)

/** Once a picture of the browser's: the page itself only shows numbers. */
function look(): void {
  requestAnimationFrame(look)
  const { loaded } = app
  if (!loaded) return
  const heads = link.takeHeads()
  for (const head of heads) samples.add(head, loaded.lanes.length)
  last = heads.at(-1) ?? last
  controls.update(last)
  debug.notice(last, heads.length)
  app.emit('frame', last)
}
requestAnimationFrame(look)

picture.onNews((news) => {
  switch (news.type) {
    case 'unable':
      return app.fail('There is no picture', [news.reason])
    case 'selected':
      return app.select(news.body)
    case 'said':
      return say(news.text)
    case 'request':
      return link.send(news.request)
    case 'camera':
      return news.moved ? app.changed() : undefined
    case 'moving':
      // for those who want to know how long one waits
      document.documentElement.dataset['moving'] = String(Math.round(performance.now()))
      return
    default:
    // the rest is kept by the picture itself
  }
})

// scenes and files

const findScene = (name: string) => app.scenes.find((scene) => scene.name === name)

function openScene(name: string, values: ParameterValues, camera = findScene(name)?.camera): void {
  sceneName = name
  parameters = values
  if (camera) picture.send({ type: 'look', camera })
  link.send({ type: 'scene', name, values, lanes: app.lanes })
}

function chooseScene(name: string, values: ParameterValues = {}, keepLanes = false, camera?: readonly number[]): void {
  const scene = findScene(name)
  if (!scene) return app.fail('No such scene', [`there is no scene '${name}'; pick one from the gallery`])
  if (!keepLanes) app.lanes = [{}]
  element('description', HTMLElement).textContent = scene.description
  showParameters(element('parameters', HTMLFormElement), scene, values, (next) => openScene(name, next))
  openScene(name, values, camera)
}

function leaveScene(text: string): void {
  opening = undefined
  sceneName = undefined
  parameters = {}
  element('description', HTMLElement).textContent = text
  showParameters(element('parameters', HTMLFormElement), undefined, {}, () => {})
}

acceptFiles(
  (files) => {
    dropped = files
    // what is shown stays as it is, in name too, where the files cannot be loaded
    opening = files.length > 6 ? `${files.length} files` : files.map((file) => file.name).join(', ')
    link.send({ type: 'files', files, lanes: [{}] })
  },
  (message) => app.fail('These files cannot be read', [message]),
)

// address

function address(): string {
  return writeView({
    ...(sceneName ? { scene: sceneName } : {}),
    parameters: Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, String(value)])),
    lanes: app.lanes,
    speed: app.speed,
    camera: picture.camera,
    show: [...app.show],
    colors: app.colors,
    ...(app.side ? { arrangement: 'side' } : {}),
    ...(sides.isOpen('tools') ? { panel: tabs.current } : {}),
    ...(app.plots.join() === usualPlots.join() ? {} : { plots: app.plots.join() }),
    ...(theme.chosen ? { theme: theme.chosen } : {}),
    paused: !app.playing,
  })
}

function showOverlay(name: OverlayName, on: boolean): void {
  picture.send({ type: 'overlay', name, on })
  if (name === 'contacts') link.send({ type: 'contacts', on })
}

function restore(): void {
  const view = readView(location.hash)
  linked = view
  app.lanes = view.lanes.length > 0 ? view.lanes : [{}]
  const names = Object.keys(overlayTitles) as OverlayName[]
  app.show = new Set(names.filter((name) => view.show.includes(name)))
  for (const name of names) showOverlay(name, app.show.has(name))
  const { colors = 'own' } = view
  app.setColors(colorModes.some((mode) => mode === colors) || colors.startsWith(groupPrefix) ? colors : 'own')
  const [upper = '', lower = ''] = view.plots?.split(',') ?? []
  app.setPlots([upper || usualPlots[0], lower || usualPlots[1]])
  app.side = view.arrangement === 'side'
  picture.send({ type: 'side', on: app.side })
  if (view.theme) theme.set(view.theme)
  if (view.speed) controls.setSpeed(view.speed)
  app.setPlaying(!view.paused)
  showLinked()
  if (view.panel) sides.openPanel(view.panel)
}
addEventListener('hashchange', restore)

/** The scene of the address, as soon as the simulation has said which there are. */
function showLinked(): void {
  if (!linked || app.scenes.length === 0) return
  const view = linked
  const wanted = view.scene ?? new URLSearchParams(location.search).get('scene')
  const known = wanted && findScene(wanted)
  if (wanted && !known && !allScenes) return link.send({ type: 'scenes' })
  linked = undefined
  chooseScene(known ? wanted : firstScene, known ? view.parameters : {}, true, view.camera)
  if (wanted && !known) app.fail('No such scene', [`there is no scene '${wanted}'; pick one from the gallery`])
}

// panels beside the picture

/** Where the picture is free of panels has changed, or what is in it. */
function layOut(): void {
  // once for all that changes in a turn: looking at where panels are makes the browser lay them out
  cancelAnimationFrame(layOutLater)
  layOutLater = requestAnimationFrame(() => {
    picture.layOut()
    showCaptions(app.side ? (app.loaded?.lanes ?? []) : [])
  })
}
addEventListener('resize', layOut)

element('gallery-open', HTMLButtonElement).onclick = () => gallery.open()
element('theme', HTMLButtonElement).onclick = () => {
  theme.toggle()
  app.changed()
}
element('share', HTMLButtonElement).onclick = share
element('help-open', HTMLButtonElement).onclick = () => openHelp(app.fail)

function share(): void {
  copyLink(address(), sceneName !== undefined)
}

const panelKeys = Object.keys(panels).map((name, k) => [String(k + 1), () => sides.openPanel(name)] as const)
listenToKeys({
  ...Object.fromEntries(panelKeys),
  ' ': () => app.setPlaying(!app.playing),
  '.': () => controls.step(),
  ',': () => controls.nudge(-1),
  '/': () => controls.nudge(1),
  r: () => controls.reset(),
  g: () => gallery.open(),
  o: () => element('file', HTMLInputElement).click(),
  s: () => sides.setOpen('side', !sides.isOpen('side')),
  t: () => sides.setOpen('tools', !sides.isOpen('tools')),
  h: () => controls.setTool('drag'),
  p: () => controls.setTool('push'),
  x: () => controls.setTool('pin'),
  j: () => controls.setTool('spring'),
  d: () => debug.toggle(),
  f: () => picture.send({ type: 'fit' }),
  l: share,
  n: () => theme.toggle(),
  '?': () => openHelp(app.fail),
  Escape: () => {
    picture.send({ type: 'cancel' })
    hideMessages()
  },
})

sides.start()
restore()
showHint()
