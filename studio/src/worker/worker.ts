/**
 * The worker that owns the simulation: takes requests from the page, keeps pace with the clock, sends frames.
 */
import { buildModel, createData, createState, formatProblem, forwardKinematics, ModelError, type Spec } from 'limber'
import { rigidScenes } from 'limber-scenes/rigid'
import type { Feed, UsedFrame } from '../view/view-protocol.js'
import { poseOf } from './frame.js'
import { canShare } from './outlet.js'
import type { Inspection, LaneSettings, Opening, Reply, Request, Sketch, WatchTopic } from './protocol.js'
import { createSceneList, describeScene } from './scene-list.js'
import { createSession } from './session.js'
import type { Setup, Source } from './setup.js'
import { described, fetchSolvers } from './solvers.js'
import type { Watch } from './watch.js'

const inspectEvery = 100
const reply = (message: Reply) => postMessage(message)
let viewPort: MessagePort | undefined
const toView = (feed: Feed, transfer: Transferable[] = []) => viewPort?.postMessage(feed, transfer)
const session = createSession({ toPage: reply, toView }, afterFrame)
const sceneList = createSceneList((text) => reply({ type: 'busy', text }))
const io = () => import('./io.js')
let inspected = -1
let lastInspection = 0

/** questions about what is there, and the way to the view: they need not wait for a scene or solver that is being fetched */
const unordered: ReadonlySet<Request['type']> = new Set(['export', 'motion', 'sketch', 'scenes', 'schema', 'view', 'camera', 'ping'])
let before = Promise.resolve()

self.onmessage = ({ data: request }: MessageEvent<Request>) => {
  const done = (unordered.has(request.type) ? answer(request) : before.then(() => answer(request))).catch((error: unknown) => {
    const problems = describe(error)
    if ('id' in request) reply({ type: 'failed', id: request.id, problems })
    else reply({ type: 'refused', problems })
  })
  // what was asked for first happens first, also where it has to be fetched
  if (!unordered.has(request.type)) before = done
}

function describe(error: unknown): string[] {
  if (error instanceof ModelError) return error.problems.map(formatProblem)
  return [error instanceof Error ? error.message : String(error)]
}

async function answer(request: Request): Promise<void> {
  switch (request.type) {
    case 'scene':
    case 'files':
    case 'text': {
      const source = await open(request)
      return source && session.load(source, source.recording ? [] : request.lanes)
    }
    case 'restore': {
      const source = await open(request.from)
      await fetchFor(request.kept.settings, source?.spec)
      return source && session.restore(source, request.kept)
    }
    case 'ping':
      return reply({ type: 'pong' })
    case 'lanes':
      await fetchFor(request.lanes, session.setup?.source.spec)
      return session.setLanes(request.lanes)
    case 'play':
      return session.setPlaying(request.playing)
    case 'speed':
      return session.setSpeed(request.speed)
    case 'step':
      return session.step()
    case 'reset':
      return session.reset(request.keyframe)
    case 'control':
      return session.setControl(request.actuator, request.value)
    case 'joint':
      return session.setJoint(request.iq, request.iv, request.value)
    case 'handles': {
      const { describeHandles } = await import('./handles.js')
      if (session.setup) reply({ type: 'handles', handles: { ...describeHandles(session.setup), driven: session.driving } })
      return
    }
    case 'watch':
      return watch(request.topic, request.channels, request.version)
    case 'seek':
      return session.seek(request.frame)
    case 'drag':
      return session.drag(request.grip, request.target)
    case 'release':
      return session.release()
    case 'push':
      return session.push(request.grip, request.impulse)
    case 'pin':
      return session.setPins([...(session.setup?.pinned ?? []), request.grip])
    case 'unpin':
      return session.setPins([])
    case 'spring':
      return session.addSpring(request.spring)
    case 'inspect':
      inspected = request.body
      lastInspection = 0
      if (session.setup) inspectNow(session.setup)
      return
    case 'export':
    case 'motion':
      return take(request)
    case 'sketch':
      return reply({ type: 'sketch', name: request.name, sketch: await sketchOf(request.name) })
    case 'scenes':
      return reply({ type: 'scenes', scenes: (await sceneList.all()).map(describeScene) })
    case 'schema':
      return reply({ type: 'schema', schema: (await io()).sceneJsonSchema() })
    case 'view':
      viewPort = request.port
      viewPort.onmessage = ({ data }: MessageEvent<UsedFrame>) => session.recycle(data.buffer)
      return session.introduce()
    case 'contacts':
      return session.setContacts(request.on)
    case 'camera':
      return session.setCamera(request.place)
  }
}

/** The mechanism that is asked for, and the solvers for it; undefined where a text is not to be used, or cannot. */
async function open(request: Opening): Promise<Source | undefined> {
  const { lanes, opening } = request
  const openings = opening === undefined ? [] : [opening]
  switch (request.type) {
    case 'scene': {
      const { spec, title, drive } = await sceneList.build(request.name, request.values)
      await fetchFor(lanes, spec)
      return { spec, title, origin: 'scene', openings, ...(drive ? { drive } : {}) }
    }
    case 'files': {
      const { readModel, readTrajectory } = await io()
      const played = await readTrajectory(request.files, session.setup)
      // after that of its model
      if (played) return { ...played, openings: [...(played.openings ?? []).slice(0, 1), ...openings] }
      const { spec, main, others, urdf } = readModel(request.files, request.main, request.urdf)
      await fetchFor(lanes, spec)
      return { spec, title: spec.name || main, origin: 'file', openings, others, ...(urdf ? { urdf } : {}) }
    }
    case 'text': {
      const { checkScene, parseScene } = await io()
      // a text may ask for whatever `auto` takes
      await fetchSolvers(['redmax', 'substructuring'])
      const problems = checkScene(request.text)
      reply({ type: 'checked', problems, text: request.text })
      if (!request.apply || problems.length > 0) return undefined
      const spec = parseScene(request.text)
      await fetchFor(lanes, spec)
      return { spec, title: spec.name || 'Edited scene', origin: 'editor', openings }
    }
  }
}

/** The solvers that these lanes name, the one that the file suggests, and those that `auto` may take where it suggests none. */
function fetchFor(lanes: readonly LaneSettings[], spec: Spec | undefined): Promise<void> {
  const deforms = spec?.bodies.some(({ domain, deformation }) => domain !== undefined || deformation !== undefined)
  const suggested = spec?.solver?.name
  const free = suggested === undefined || !Object.hasOwn(described, suggested)
  const own = [suggested, ...(deforms ? ['substructuring'] : []), ...(deforms || free ? ['redmax'] : [])]
  return fetchSolvers([...own, ...lanes.map(({ solver }) => solver)])
}

async function take(request: Extract<Request, { type: 'export' | 'motion' }>): Promise<void> {
  const { setup, moments } = session
  if (!setup) throw new Error('nothing is loaded yet; open a scene first')
  const { writeFile, motionOf } = await io()
  if (request.type === 'motion') return reply({ type: 'motion', id: request.id, ...motionOf(setup, moments) })
  const { bytes, name } = await writeFile(setup, moments, request.format)
  postMessage({ type: 'exported', id: request.id, bytes, name } satisfies Reply, { transfer: [bytes.buffer] })
}

let watchNow: ((setup: Setup) => void) | undefined

async function watch(topic: WatchTopic, channels: readonly string[], version: number): Promise<void> {
  const { createWatch } = await import('./watch.js')
  const { tell, set } = (watching ??= createWatch(reply, () => session.playing))
  watchNow = tell
  set(topic, channels, version, session.setup, session.moments)
}
let watching: Watch | undefined

function afterFrame(setup: Setup): void {
  inspectNow(setup)
  watchNow?.(setup)
}

/** Numbers of the body that the inspector shows, a few times a second. */
function inspectNow({ model, lanes: [{ simulation, data }] }: Setup): void {
  const now = performance.now()
  // of a mechanism that stands there may be no later frame to make up for one that is left out
  const soon = session.playing && now - lastInspection < inspectEvery
  if (inspected < 0 || inspected >= model.nbody || soon) return
  lastInspection = now
  const i = inspected
  const { t, q, v, tau } = simulation.state
  // those of the joints, then those of the modes
  const { row, start } = model.modes
  const more = row[i] < 0 ? 0 : start[row[i] + 1] - start[row[i]]
  const inspection: Inspection = {
    body: i,
    t,
    pose: poseOf(data, i),
    q: [...q.subarray(model.iq[i], model.iqEnd[i] + more)],
    v: [...v.subarray(model.iv[i], model.ivEnd[i] + more)],
    tau: [...tau.subarray(model.iv[i], model.ivEnd[i] + more)],
    velocity: [...data.V.subarray(6 * i, 6 * i + 6)],
  }
  reply({ type: 'inspection', inspection })
}

async function sketchOf(name: string): Promise<Sketch> {
  const { spec } = await sceneList.build(name, {})
  const model = buildModel(spec)
  const data = createData(model)
  const { q, v } = createState(model)
  forwardKinematics(model, data, q, v)
  const points: number[] = []
  for (let i = 0; i < model.nbody; i++) points.push(...data.X_WB.subarray(12 * i + 9, 12 * i + 12))
  return { solver: model.solver, nbody: model.nbody, nv: model.nv, points, parents: [...model.parent] }
}

function tick(): void {
  setTimeout(tick, 4)
  try {
    session.tick()
  } catch (error) {
    // a step that throws would throw again at the next tick
    session.setPlaying(false)
    reply({ type: 'stopped', reason: describe(error).join('; ') })
  }
}

reply({
  type: 'ready',
  scenes: rigidScenes.map(describeScene),
  solvers: Object.values(described).map(({ name, description, options }) => ({ name, description, options })),
  shared: canShare,
})
// whoever waits for this lock gets it when this worker has ended, for whatever reason; only safe origins have locks
if (isSecureContext && self.name) {
  void navigator.locks.request(self.name, () => {
    reply({ type: 'held' })
    return new Promise(() => {})
  })
}
tick()
