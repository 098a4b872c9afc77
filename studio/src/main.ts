/**
 * The page: joins the worker that simulates, the view that draws, the controls and the panels.
 */
import type { ParameterValues } from 'limber-scenes'
import { createDetailForm } from './forms/detail-form.js'
import { showParameters } from './forms/parameter-form.js'
import { showSolver } from './forms/solver-form.js'
import { createSamples } from './panels/samples.js'
import { type App, createEvents } from './shell/app.js'
import { createArrowScale } from './shell/arrow-scale.js'
import { createControls } from './shell/controls.js'
import { copyLink } from './shell/copy-link.js'
import { tellCrashes } from './shell/crashes.js'
import { createDebugOverlay } from './shell/debug-overlay.js'
import { readView, type View, writeView } from './shell/deep-link.js'
import { element } from './shell/dom.js'
import { followEdits } from './shell/edits.js'
import { createFacts } from './shell/facts.js'
import { returnFocus } from './shell/focus.js'
import { showHint } from './shell/hint.js'
import { tellIgnored } from './shell/ignored.js'
import { createLayOut, freeArea } from './shell/layout.js'
import { createLink } from './shell/link.js'
import { colorModes, groupPrefix, type OverlayName, overlayTitles } from './shell/looks.js'
import { followWork, hideMessages, type Remedy, say, showMessage } from './shell/messages.js'
import { openHelp } from './shell/open-help.js'
import { createPicture } from './shell/picture.js'
import { createRecovery } from './shell/recovery.js'
import { waysOut, withRemedy } from './shell/remedies.js'
import { listenToKeys } from './shell/shortcuts.js'
import { createSides } from './shell/sides.js'
import { createTabs, panels } from './shell/tabs.js'
import { createTheme } from './shell/theme.js'
import { acceptFiles } from './sources/drop.js'
import { createGallery } from './sources/gallery.js'
import { header, headSize, type Loaded, type SceneInfo, type SourceFile, type UrdfInfo, type UrdfSetting } from './worker/protocol.js'

const firstScene = 'humanoid'
const usualPlots = ['energy', 'stepTime'] as const

const link = createLink()
const recovery = createRecovery(link, () => picture.reconnect())
const edits = followEdits(link)
const picture = createPicture(element('picture', HTMLCanvasElement), link.send, freeArea)
const samples = createSamples()
let sceneName: string | undefined
let parameters: ParameterValues = {}
let dropped: readonly SourceFile[] = []
/** the URDF that is shown is being read with other settings */
let readAgain = false
/** what the files that are being loaded are called */
let opening: string | undefined
/** the files that are shown */
let fileName: string | undefined
let linkedStart: string | undefined
/** what the address says, until its scene is opened */
let linked: View | undefined
let addressTimer = 0
/** the model itself, where the address holds it */
let packed: string | undefined
/** where the present mechanism starts by itself */
let usualStart = ''
let handlesAsked = -1
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
  handles: undefined,
  lanes: [{}],
  selected: -1,
  playing: true,
  speed: 1,
  show: new Set(),
  colors: 'own',
  groups: [],
  plots: usualPlots,
  side: false,
  follow: false,
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
    app.changed()
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
  setFollow(on) {
    app.follow = on
    picture.send({ type: 'follow', on })
    app.emit('follow', on)
    say(on ? 'The camera follows.' : 'The camera stays.')
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
  },
  wantHandles() {
    if (!app.loaded || handlesAsked === app.loaded.epoch) return
    handlesAsked = app.loaded.epoch
    link.send({ type: 'handles' })
  },
  say,
  fail,
  changed() {
    // the address follows at leisure: browsers limit how often it may change
    clearTimeout(addressTimer)
    addressTimer = window.setTimeout(writeAddress, 300)
  },
  reload() {
    app.playing = true
    writeAddress()
    location.reload()
  },
}

const layOut = createLayOut(app)

function fail(heading: string, lines: readonly string[], remedies: readonly Remedy[] = []): void {
  showMessage({ heading, lines, kind: 'error', cause: 'other', remedies })
}

/** For those whose link or file did not work. */
const otherScenes = (): Remedy[] => [{ text: 'Gallery', act: () => gallery.open() }]

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
createArrowScale(app)
const gallery = createGallery(
  link,
  () => app.scenes,
  (name) => chooseScene(name, findScene(name)?.shown ?? {}),
)

// worker

link.onReply(followWork)
link.onReply((reply) => {
  switch (reply.type) {
    case 'ready':
      // another worker has no other scenes, and may not have fetched all yet
      if (app.scenes.length > 0) return
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
      return refuse(reply.problems)
    case 'stopped':
      app.playing = false
      app.emit('playing', false)
      tellPace()
      return showMessage({
        heading: 'The simulation stopped',
        lines: [`${reply.reason}. Scrub back, or start again.`],
        kind: 'error',
        cause: 'run',
        remedies: waysOut(app.loaded, (settings) => {
          if (settings) app.setLanes([settings, ...app.lanes.slice(1)])
          controls.reset()
          app.setPlaying(true)
        }),
      })
    case 'sought':
      hideMessages('run')
      element('clock', HTMLElement).dataset['hash'] = reply.hash
      element('clock', HTMLElement).dataset['frame'] = String(reply.frame)
      return
    case 'inspection':
      return app.emit('inspection', reply.inspection)
    case 'handles':
      if (reply.handles.epoch !== app.loaded?.epoch) return
      app.handles = reply.handles
      return app.emit('handles', reply.handles)
    case 'checked':
      if (packed !== undefined && reply.problems.length > 0 && !app.loaded) refuse(reply.problems.map(({ message }) => message))
      return app.emit('checked', reply)
    case 'groups':
      app.groups = reply.names
      return app.emit('groups', reply.names)
    default:
    // frames and answers have other listeners
  }
})

/** What is shown stays; where nothing is yet, the page says so and offers what there is. */
function refuse(problems: readonly string[]): void {
  opening = undefined
  // the form shows what is there again
  if (readAgain && app.loaded?.urdf) askAboutUrdf(app.loaded.urdf)
  readAgain = false
  const known = sceneName === undefined ? undefined : findScene(sceneName)
  if (!app.loaded) element('title', HTMLElement).textContent = 'Nothing is open'
  const plain = known && Object.keys(parameters).length > 0 && !app.loaded
  showMessage({
    heading: 'This cannot be loaded',
    lines: withRemedy([...new Set(problems)]),
    kind: 'error',
    cause: 'load',
    remedies: [...(plain ? [{ text: `${known.title} as it is`, act: () => chooseScene(known.name) }] : []), ...otherScenes()],
  })
}

function show(loaded: Loaded): void {
  app.loaded = loaded
  app.handles = undefined
  hideMessages('run')
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
  if (loaded.fresh) usualStart = loaded.start
  if (loaded.fresh && loaded.origin === 'file') packed = undefined
  if (loaded.fresh && loaded.origin !== 'scene' && opening !== undefined) leaveScene(opening)
  if (loaded.fresh && loaded.origin === 'editor') leaveScene(packed ? 'from the link' : 'edited here', true)
  if (loaded.fresh && loaded.urdf) askAboutUrdf(loaded.urdf)
  element('title', HTMLElement).textContent = loaded.title
  document.title = `${loaded.title} · Limber studio`
  showLane(loaded)
  layOut()
  tellIgnored(loaded, readAgain, {
    openOther: (main) => link.send({ type: 'files', files: dropped, main, lanes: app.lanes }),
    open: () => element('file', HTMLInputElement).click(),
  })
  if (loaded.fresh) readAgain = false
  app.emit('loaded', loaded)
  if (loaded.fresh) app.setPlaying(app.playing)
  if (loaded.fresh && linkedStart) link.send({ type: 'reset', keyframe: linkedStart })
  linkedStart = undefined
  // a robot is there to be commanded
  if (loaded.fresh && loaded.origin === 'file' && loaded.actuators > 0) tabs.open('control')
  if (loaded.fresh && loaded.origin === 'file' && loaded.start) say(`Starts at keyframe '${loaded.start}'; Control has what else there is.`)
  app.changed()
}

function askAboutUrdf(urdf: UrdfInfo): void {
  const files = dropped
  const ask = (setting: UrdfSetting) => {
    // others may have been dropped since, and refused
    dropped = files
    readAgain = true
    link.send({ type: 'files', files, main: urdf.main, urdf: setting, lanes: app.lanes })
  }
  import('./forms/urdf-form.js')
    .then(({ showUrdf }) => {
      // something else may be shown by now
      if (app.loaded?.urdf === urdf) showUrdf(element('parameters', HTMLFormElement), urdf, ask)
    })
    .catch((error: Error) => app.fail('The form of the URDF could not be shown', [error.message]))
}

function showLane(loaded: Loaded): void {
  const input = { solvers: app.solvers, info: loaded.lanes[0], settings: () => app.lanes[0] ?? {}, refusals: loaded.refusals }
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
      app.select(news.body)
      // a body that is dragged is picked as well, but the panels stay as they are
      if (news.body >= 0 && !news.dragged) sides.openPanel('inspect')
      return
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
  if (!scene) return app.fail('No such scene', [`there is no scene '${name}'; pick one from the gallery`], otherScenes())
  hideMessages()
  packed = undefined
  fileName = undefined
  if (!keepLanes) app.lanes = [{}]
  showScene(scene, values)
  openScene(name, values, camera)
}

function showScene(scene: SceneInfo, values: ParameterValues): void {
  element('description', HTMLElement).textContent = scene.description
  showParameters(element('parameters', HTMLFormElement), scene, values, (next) => openScene(scene.name, next))
}

/** The forms are those of what is shown again, though something else was being opened. */
tellCrashes(app, recovery, otherScenes()[0], (from) => {
  opening = undefined
  app.lanes = from.lanes
  const scene = from.type === 'scene' && findScene(from.name)
  if (!scene) return sceneName === undefined ? undefined : leaveScene(app.loaded?.title ?? '')
  if (sceneName === scene.name && parameters === from.values) return
  sceneName = scene.name
  parameters = from.values
  showScene(scene, from.values)
})

function leaveScene(text: string, edited = false): void {
  opening = undefined
  fileName = edited ? undefined : text
  sceneName = undefined
  parameters = {}
  element('description', HTMLElement).textContent = text
  showParameters(element('parameters', HTMLFormElement), undefined, {}, () => {})
}

acceptFiles(
  (files) => {
    dropped = files
    // what is shown stays as it is, in name too, where the files cannot be loaded
    readAgain = false
    opening = files.length > 6 ? `${files.length} files` : files.map((file) => file.name).join(', ')
    link.send({ type: 'files', files, lanes: [{}] })
  },
  (message) => app.fail('These files cannot be read', [message], [{ text: 'Open…', act: () => element('file', HTMLInputElement).click() }]),
)

// address

function writeAddress(): void {
  if (!linked) history.replaceState(null, '', address())
}

function address(): string {
  return writeView({
    ...(sceneName ? { scene: sceneName } : {}),
    ...(packed ? { model: packed } : {}),
    ...(fileName && !packed ? { file: fileName } : {}),
    ...(app.loaded && app.loaded.start !== usualStart ? { start: app.loaded.start || 'initial' } : {}),
    parameters: Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, String(value)])),
    lanes: app.lanes,
    speed: app.speed,
    camera: picture.camera,
    show: [...app.show],
    colors: app.colors,
    ...(app.side ? { arrangement: 'side' } : {}),
    follow: app.follow,
    ...(sides.isOpen('tools') ? { panel: tabs.current } : {}),
    ...(app.plots.join() === usualPlots.join() ? {} : { plots: app.plots.map((name) => name.replace(/[%,]/g, encodeURIComponent)).join() }),
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
  const [upper = '', lower = ''] = view.plots?.split(',').map(decodeURIComponent) ?? []
  app.setPlots([upper || usualPlots[0], lower || usualPlots[1]])
  app.side = view.arrangement === 'side'
  picture.send({ type: 'side', on: app.side })
  app.follow = view.follow
  picture.send({ type: 'follow', on: view.follow })
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
  linkedStart = view.start
  if (view.model) {
    linked = undefined
    return openPacked(view.model)
  }
  const wanted = view.scene ?? new URLSearchParams(location.search).get('scene')
  const known = wanted && findScene(wanted)
  if (wanted && !known && !allScenes) return link.send({ type: 'scenes' })
  linked = undefined
  chooseScene(known ? wanted : firstScene, known ? view.parameters : {}, true, view.camera)
  const lost =
    wanted && !known
      ? `there is no scene '${wanted}' here`
      : view.file
        ? `it was made from ${view.file}, which stayed where it was: drop it here`
        : ''
  if (lost === '') return
  const remedies = [...otherScenes(), ...(view.file ? [{ text: 'Open…', act: () => element('file', HTMLInputElement).click() }] : [])]
  showMessage({
    heading: 'This link leads nowhere',
    lines: [`${lost}. Shown instead: ${findScene(firstScene)?.title ?? firstScene}.`],
    kind: 'error',
    cause: 'link',
    remedies,
  })
}

/** A link that holds the model itself. */
function openPacked(text: string): void {
  import('./shell/model-link.js')
    .then(({ unpackModel }) => unpackModel(text))
    .then((scene) => {
      link.send({ type: 'text', text: scene, apply: true, lanes: app.lanes })
      packed = text
    })
    .catch(() => {
      chooseScene(firstScene)
      const lines = ['the model in it is damaged or cut short; ask for the link again']
      showMessage({ heading: 'This link leads nowhere', lines, kind: 'error', cause: 'link', remedies: otherScenes() })
    })
}

// panels beside the picture

element('gallery-open', HTMLButtonElement).onclick = () => gallery.open()
element('theme', HTMLButtonElement).onclick = () => {
  theme.toggle()
  app.changed()
}
element('share', HTMLButtonElement).onclick = share
element('help-open', HTMLButtonElement).onclick = () => openHelp(app.fail)

function share(): void {
  const { loaded } = app
  if (!loaded) return say('There is nothing to link to yet.')
  const springs = edits.has('spring')
  const missing = edits.list.filter((name) => name !== 'springs')
  if (loaded.origin === 'trajectory') return copyLink(address(), ['the recording', 'the model'])
  if (loaded.origin === 'scene' && !springs) return copyLink(address(), missing)
  // what is in no gallery goes into the link itself
  Promise.all([link.ask({ type: 'export', format: 'scene' }), import('./shell/model-link.js')])
    .then(([answer, { packModel }]) => (answer.type === 'exported' ? packModel(new TextDecoder().decode(answer.bytes)) : undefined))
    .then((text) => {
      packed = text
      if (text) sceneName = undefined
      copyLink(address(), text ? missing : ['the model, which is too large for a link: send the file', ...missing])
    })
    .catch((error: Error) => app.fail('The link could not be made', [error.message]))
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
  c: () => app.setFollow(!app.follow),
  l: share,
  n: () => theme.toggle(),
  '?': () => openHelp(app.fail),
  Escape: () => {
    picture.send({ type: 'cancel' })
    hideMessages()
  },
})
returnFocus(() => picture.canvas)

sides.start()
restore()
showHint()
