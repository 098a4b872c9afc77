/**
 * The running show: the present set-up, the hands on it, the moments behind it.
 */
import type { BodySpec, PointSpec, Recording, Spec } from 'limber'
import { createBlock, takeFrame } from './frame.js'
import { applyHands, createGrip, locate, type Push } from './grips.js'
import { createHistory, type Moment } from './history.js'
import { followCamera } from './importance.js'
import { createJointPull, type JointPull, pullJoint } from './joint-pull.js'
import { clearRecent, type Lane, stepLane } from './lane.js'
import { createOutlet, type Lines, type Outlet } from './outlet.js'
import { createPacer } from './pacer.js'
import { type BodyPoint, type Grip, header, headSize, type Kept, type LaneSettings, type Loaded, type NewSpring } from './protocol.js'
import { changedGroups, packContacts } from './seen.js'
import {
  carryOver,
  createSetup,
  describeForView,
  describeKept,
  describeSetup,
  restoreSetup,
  type Setup,
  type Source,
  withAdded,
  withPins,
} from './setup.js'

/** seconds between frames at speed 1 */
const frameInterval = 1 / 60
/** seconds a push lasts */
const pushTime = 0.05

/** bytes and milliseconds: states larger than that are handed to the page less often */
const largeState = 250e3
const keepEvery = 200

const nothing = new Float64Array(0)

export function createSession(lines: Lines, afterFrame: (setup: Setup) => void) {
  const { toPage: reply, toView } = lines
  const pacer = createPacer()
  const history = createHistory<Setup>()
  /** simulations that are not closed yet */
  const open = new Set<Lane>()
  let setup: Setup | undefined
  let outlet: Outlet | undefined
  let block = new Float64Array(0)
  let position = -1
  let playing = true
  let speed = 1
  let dragged: { readonly at: BodyPoint; readonly grips: readonly Grip[] } | undefined
  let pushes: readonly (readonly Push[])[] = []
  let shownSpec: object | undefined
  let wantsContacts = false
  let groups: Record<string, Int32Array> = {}
  let camera: readonly number[] | undefined
  /** the scene moves the actuators, until someone else does */
  let driving = true
  let pulled: JointPull | undefined
  let lastKept = 0

  const time = () => (setup?.source.recording ? (history.moments[position]?.t ?? 0) : (setup?.lanes[0].simulation.state.t ?? 0))

  /** Makes a set-up the present one and tells the page. */
  const present = (next: Setup, fresh: boolean): void => {
    setup = next
    closeDropped(next)
    block = createBlock(next)
    outlet = createOutlet(block.length, headSize(next.lanes.length), lines)
    dragged = undefined
    pulled = undefined
    pushes = []
    pacer.rebase(time())
    const played = next.source.recording ? history.moments[position]?.block : undefined
    if (played) block.set(played)
    else look(next)
    const { ring } = outlet
    const loaded: Loaded = { type: 'loaded', fresh, frameSize: block.length, ...describeSetup(next), ...(ring ? { ring } : {}) }
    reply(loaded)
    introduce(fresh)
    // page and view forget them with the mechanism
    if (fresh) groups = {}
    tellGroups(next)
  }

  /** Closes the simulations that neither the present nor a moment of the history needs. */
  const closeDropped = (present: Setup): void => {
    const needed = new Set([present, ...history.moments.map((moment) => moment.setup)].flatMap(({ lanes }) => lanes))
    for (const lane of needed) open.add(lane)
    for (const lane of open) {
      if (needed.has(lane)) continue
      lane.simulation.close()
      open.delete(lane)
    }
  }

  /** Tells the view what it is going to see. */
  const introduce = (fresh: boolean): void => {
    if (!setup || !outlet) return
    const { ignored: _, places: __, ...spec } = setup.source.spec
    const known = shownSpec === setup.source.spec && !fresh
    shownSpec = setup.source.spec
    const first = block.slice()
    stamp(first)
    const { ring } = outlet
    toView({ type: 'scene', fresh, first, ...describeForView(setup), ...(known ? {} : { spec }), ...(ring ? { ring } : {}) })
  }

  const tellGroups = ({ lanes: [{ simulation }] }: Setup): void => {
    const changed = changedGroups(simulation.report.groups, groups)
    if (!changed) return
    groups = changed
    toView({ type: 'groups', groups })
    reply({ type: 'groups', names: Object.keys(groups) })
  }

  /** What a frame says about the history around it. */
  const stamp = (to: Float64Array): void => {
    to[header.frame] = position
    to[header.frames] = history.moments.length
    to[header.epoch] = setup?.epoch ?? 0
    to[header.playing] = playing ? 1 : 0
  }

  /** Takes a frame, and lets the level of detail follow the camera from there. */
  const look = (from: Setup): void => {
    takeFrame(from, block)
    for (const { simulation, data } of from.lanes) {
      const detail = simulation.detail
      if (detail) followCamera(detail, data, camera)
    }
  }

  /** Keeps the present as a moment and shows it. */
  const emit = (known?: Float64Array): void => {
    if (!setup || !outlet) return
    look(setup)
    const snapshots = setup.lanes.map(({ simulation }) => simulation.snapshot())
    const kept = block.slice()
    const contacts = known ?? (wantsContacts ? packContacts(setup.lanes[0].simulation.contacts()) : nothing)
    const size = kept.byteLength + contacts.byteLength + snapshots.reduce((sum, bytes) => sum + bytes.length, 0)
    history.cut(position)
    history.add({ setup, t: block[header.t], snapshots, block: kept, contacts, size })
    position = history.moments.length - 1
    stamp(block)
    outlet.send(block)
    if (wantsContacts) toView({ type: 'contacts', list: contacts })
    tellGroups(setup)
    keep(setup, snapshots, contacts)
    afterFrame(setup)
  }

  /** Hands the page what it would need if this worker ended now. */
  const keep = (from: Setup, snapshots: readonly Uint8Array[], contacts: Float64Array): void => {
    const now = performance.now()
    const size = snapshots.reduce((sum, bytes) => sum + bytes.length, 0)
    if (playing && size > largeState && now - lastKept < keepEvery) return
    lastKept = now
    const kept: Kept = { ...describeKept(from), driving, t: time(), frame: position, snapshots, contacts }
    reply({ type: 'kept', kept })
  }

  const keepNow = (from: Setup): void => {
    keep(
      from,
      from.lanes.map(({ simulation }) => simulation.snapshot()),
      wantsContacts ? packContacts(from.lanes[0].simulation.contacts()) : nothing,
    )
  }

  const load = (source: Source, settings: readonly LaneSettings[]): void => {
    const next = createSetup(source, settings)
    history.clear()
    position = -1
    driving = true
    if (source.recording) return play(next, source.recording)
    present(next, true)
    emit()
  }

  /** A recording becomes moments without snapshots: they are played, not simulated. */
  const play = (next: Setup, recording: Recording): void => {
    const { simulation, data } = next.lanes[0]
    const { nq, nv } = next.model
    for (let f = 0; f < recording.times.length; f++) {
      const { state } = simulation
      state.t = recording.times[f]
      state.q.set(recording.q.subarray(f * nq, (f + 1) * nq))
      state.v.set(recording.v.subarray(f * nv, (f + 1) * nv))
      const moment = createBlock(next)
      takeFrame({ model: next.model, lanes: [{ ...next.lanes[0], data }], residual: next.residual }, moment)
      history.add({ setup: next, t: state.t, snapshots: [], block: moment, contacts: nothing, size: moment.byteLength })
    }
    position = 0
    present(next, true)
    show(history.moments[0])
  }

  const show = (moment: Moment<Setup> | undefined): void => {
    if (!moment || !outlet) return
    block.set(moment.block)
    stamp(block)
    outlet.send(block)
    if (wantsContacts) toView({ type: 'contacts', list: moment.contacts })
    keep(moment.setup, moment.snapshots, moment.contacts)
    afterFrame(moment.setup)
  }

  const fail = (reason: string): undefined => {
    playing = false
    reply({ type: 'stopped', reason })
    if (setup) afterFrame(setup)
    return undefined
  }

  /** One step of the first lane, and of the others as far as they do not overtake it; the new time, or undefined on failure. */
  const advance = (): number | undefined => {
    if (!setup) return undefined
    const { lanes, model, pins, drives } = setup
    const before = lanes[0].simulation.state.t
    for (const [k, lane] of lanes.entries()) {
      const { simulation, data } = lane
      const end = k === 0 ? before + simulation.timestep : lanes[0].simulation.state.t
      while (simulation.state.t + simulation.timestep <= end + 1e-9) {
        const { t } = simulation.state
        const hands = dragged ? [...pins[k], dragged.grips[k]] : pins[k]
        if (driving) drives[k]?.(simulation.state)
        applyHands(model, data, simulation.state, hands, pushes[k]?.filter(({ until }) => until > t) ?? [])
        if (pulled) pullJoint(pulled, simulation.state)
        if (!stepLane(lane)) return fail(`${lanes.length > 1 ? `${lane.info.solver}: ` : ''}${simulation.report.message}`)
        if (k === 0) break
      }
    }
    const t = lanes[0].simulation.state.t
    const slot = (at: number) => Math.floor(at / (frameInterval * speed) + 1e-6)
    if (slot(t) > slot(before)) emit()
    return t
  }

  const replay = (): void => {
    const begin = history.moments[position]
    const now = pacer.now()
    let next = position
    while (next + 1 < history.moments.length && history.moments[next + 1].t <= now) next++
    if (next === history.moments.length - 1 && next === position) {
      playing = false
      show(begin)
    } else if (next !== position) {
      position = next
      show(history.moments[next])
    }
  }

  return {
    load,
    /** Goes on where another worker was, and stands there. */
    restore(source: Source, kept: Kept): void {
      const next = restoreSetup(source, kept)
      history.clear()
      position = -1
      driving = kept.driving
      playing = false
      // another solver or pin, so to say: whoever watches goes on watching
      present(next, false)
      // those of the last step, which this simulation has not made
      emit(kept.contacts)
    },
    get setup() {
      return setup
    },
    get moments() {
      return history.moments
    },

    tick(): void {
      if (!setup || !playing) return
      if (setup.source.recording) replay()
      else pacer.catchUp(time(), advance)
    },
    setPlaying(next: boolean): void {
      const atEnd = position === history.moments.length - 1
      if (next && setup?.source.recording && atEnd) position = 0
      playing = next
      pacer.rebase(time())
      if (!setup) return
      for (const lane of setup.lanes) clearRecent(lane)
      if (next || setup.source.recording) return
      // what stands is shown as it stands, though numbers of the last frames were left out
      keepNow(setup)
      afterFrame(setup)
    },
    setSpeed(next: number): void {
      speed = next
      pacer.setSpeed(next, time())
    },
    step(): void {
      if (!setup) return
      if (setup.source.recording) {
        position = Math.min(position + 1, history.moments.length - 1)
        show(history.moments[position])
      } else {
        const kept = history.moments.length
        const at = position
        if (advance() !== undefined && position === at && history.moments.length === kept) emit()
      }
    },
    /** `keyframe`: starts from that one from now on, −1 or an unknown name from none */
    reset(keyframe?: number | string): void {
      if (!setup) return
      if (setup.source.recording) {
        position = 0
        return show(history.moments[0])
      }
      const { source, settings, model, start } = setup
      history.clear()
      position = -1
      driving = true
      present(
        createSetup(
          source,
          settings,
          model,
          typeof keyframe === 'string' ? model.keyframes.findIndex(({ name }) => name === keyframe) : (keyframe ?? start),
        ),
        false,
      )
      emit()
    },
    get playing() {
      return playing
    },
    get driving() {
      return driving && (setup?.drives.length ?? 0) > 0
    },
    /** Tells an actuator of every lane; without a number the scene moves them again, if it can. */
    setControl(actuator: number, value?: number): void {
      if (!setup || setup.source.recording) return
      driving = value === undefined
      if (value === undefined) return
      for (const { simulation } of setup.lanes) if (actuator < setup.model.nu) simulation.state.control[actuator] = value
      if (playing) return
      keepNow(setup)
      afterFrame(setup)
    },
    /** Puts a coordinate of a mechanism that stands where it should be; pulls that of one that runs. */
    setJoint(iq: number, iv: number, value: number): void {
      if (!setup || setup.source.recording || !(iq < setup.model.nq)) return
      const { lanes, model } = setup
      if (playing) {
        pulled = pulled?.iv === iv ? { ...pulled, target: value } : createJointPull(model, lanes[0], iq, iv, value)
        return
      }
      for (const { simulation } of lanes) {
        const { t, q, control } = simulation.state
        q[iq] = value
        simulation.reset({ t, q: q.slice(), control: control.slice() })
      }
      // in place of the moment it changes
      history.cut(position)
      position--
      emit()
    },
    seek(frame: number): void {
      const k = Math.min(Math.max(0, Math.round(frame)), history.moments.length - 1)
      const moment = history.moments[k]
      if (!moment) return
      position = k
      for (const [i, bytes] of moment.snapshots.entries()) moment.setup.lanes[i].simulation.restore(bytes)
      if (moment.setup !== setup) present(moment.setup, moment.setup.source.spec !== setup?.source.spec)
      playing = false
      pacer.rebase(moment.t)
      show(moment)
      reply({ type: 'sought', frame: k, t: moment.t, hash: hashOf(moment.snapshots) })
    },
    setLanes(settings: readonly LaneSettings[]): void {
      if (!setup || setup.source.recording) return
      history.cut(position)
      present(carryOver(createSetup(setup.source, settings, setup.model, setup.start), setup), false)
      emit()
    },
    addSpring({ a, b, stiffness, damping }: NewSpring): void {
      if (!setup || setup.source.recording) return
      const { spec } = setup.source
      const [from, to] = [a, b].map((at) => springEnd(spec, setup?.model.bodies[at.body]?.name ?? 'world', at))
      const springs = [{ a: from.end, b: to.end, stiffness, damping, rest: 0.9 * gap(setup, a, b) }]
      history.cut(position)
      const source = withAdded(setup.source, { springs, bodies: [...from.bodies, ...to.bodies] })
      present(carryOver(createSetup(source, setup.settings), setup), false)
      emit()
    },
    setPins(pinned: readonly BodyPoint[]): void {
      if (!setup || setup.source.recording) return
      present(withPins(setup, pinned), false)
      emit()
    },
    drag(at: BodyPoint, target: readonly number[]): void {
      if (!setup || setup.source.recording) return
      if (dragged && dragged.at.body === at.body && dragged.at.point.every((x, r) => x === at.point[r])) {
        for (const grip of dragged.grips) grip.target = [target[0], target[1], target[2]]
        return
      }
      const { model } = setup
      const grips = setup.lanes.map(({ simulation, data }) => createGrip(model, data, simulation.state, at, target, simulation.timestep))
      dragged = { at, grips }
    },
    release(): void {
      dragged = undefined
      pulled = undefined
    },
    push(at: BodyPoint, impulse: readonly number[]): void {
      if (!setup) return
      pushes = setup.lanes.map(({ simulation: { state, timestep } }, k) => {
        // at least one step, and the same impulse whatever its length
        const lasting = Math.max(pushTime, timestep)
        const steps = Math.max(1, Math.round(lasting / timestep))
        const force = impulse.map((x) => x / (steps * timestep))
        const old = pushes[k]?.filter(({ until }) => until > state.t) ?? []
        return [...old, { ...at, force, until: state.t + (steps - 0.5) * timestep }]
      })
    },
    recycle: (buffer: ArrayBuffer) => outlet?.recycle(buffer),
    /** a view that comes late sees what is there */
    introduce(): void {
      shownSpec = undefined
      introduce(true)
      toView({ type: 'groups', groups })
    },
    setCamera(place: readonly number[]): void {
      camera = place.length === 3 ? place : undefined
    },
    setContacts(on: boolean): void {
      wantsContacts = on
      if (!setup || !on) return
      // those of the last step, which is what is shown unless one has gone back in time
      const atEnd = position === history.moments.length - 1
      toView({
        type: 'contacts',
        list: atEnd ? packContacts(setup.lanes[0].simulation.contacts()) : (history.moments[position]?.contacts ?? nothing),
      })
    },
  }
}

/** A point for a spring; on a body that deforms that of a body without mass, which moves with the nearest vertex. */
function springEnd({ bodies }: Spec, name: string, { point, mesh }: BodyPoint): { end: PointSpec; bodies: readonly BodySpec[] } {
  if (!mesh) return { end: { body: name, point }, bodies: [] }
  const vertex = mesh.vertices[mesh.weights.indexOf(Math.max(...mesh.weights))]
  const own = `${name} at vertex ${vertex}`
  const known = bodies.some((body) => body.name === own)
  return { end: { body: own }, bodies: known ? [] : [{ name: own, parent: name, attach: { vertex } }] }
}

function gap({ model, lanes: [{ data, simulation }] }: Setup, a: BodyPoint, b: BodyPoint): number {
  const [p, q] = [a, b].map((at) => locate(model, data, simulation.state.q, at))
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
}

/** Of all bytes of the snapshots (FNV-1a), as eight digits. */
function hashOf(snapshots: readonly Uint8Array[]): string {
  let h = 0x811c9dc5
  for (const bytes of snapshots) for (const byte of bytes) h = Math.imul(h ^ byte, 0x01000193)
  return (h >>> 0).toString(16).padStart(8, '0')
}
