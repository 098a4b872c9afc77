/**
 * The robot at hand: keyframes, a slider for every actuator, and one for every joint, which poses a mechanism that stands and pulls one that runs.
 */
import type { App } from '../shell/app.js'
import { create } from '../shell/dom.js'
import type { ActuatorInfo, CoordinateInfo, Handles, Watched } from '../worker/protocol.js'

/** more rows than this make the page slow; the filter finds the rest */
const rowsMost = 150

interface Row {
  readonly host: HTMLElement
  /** shows the number, unless one is just setting it */
  show(value: number): void
}

export function showControl(app: App, host: HTMLElement): void {
  const keyframes = create('select')
  const again = create('button', { type: 'button', title: 'Back to this keyframe (R)' }, 'Reset to it')
  const label = create('label', { className: 'field' }, create('span', {}, 'Keyframe'), keyframes)
  const start = create('div', { className: 'row' }, label, again)
  const drive = create('input', { type: 'checkbox' })
  const driven = create('label', { className: 'check' }, drive, 'the scene moves the actuators')
  const filter = create('input', { type: 'search', placeholder: 'Filter by name' })
  filter.setAttribute('aria-label', 'Filter actuators and joints by name')
  const actuators = create('div', { className: 'sliders' })
  const joints = create('div', { className: 'sliders' })
  const actuatorTitle = create('h3')
  const jointTitle = create('h3')
  const actuatorNote = create('p', { className: 'quiet' })
  const jointNote = create('p', { className: 'quiet' })
  host.append(start, driven, filter, actuatorTitle, actuatorNote, actuators, jointTitle, jointNote, joints)

  let version = 0
  let rows: Row[] = []
  let channels: string[] = []
  let listening = false
  /** what the rows were made from: the same robot from another start keeps them, and whoever has the focus in one */
  let filled = ''

  const listen = (on: boolean) => {
    listening = on
    app.link.send({ type: 'watch', topic: 'control', channels: on ? channels : [], version: ++version })
  }

  const setActuator = (a: number, value: number) => {
    app.link.send({ type: 'control', actuator: a, value })
    drive.checked = false
  }
  const settingOf = ({ iq, iv, servo }: CoordinateInfo): Setting => {
    const set = (value: number) => {
      if (app.playing && servo >= 0) setActuator(servo, value)
      else app.link.send({ type: 'joint', iq, iv, value })
    }
    return {
      set,
      put(value) {
        // a number is not held, so nothing would pull the joint there
        if (app.playing && servo < 0) app.setPlaying(false)
        set(value)
      },
      release: () => app.link.send({ type: 'release' }),
    }
  }

  const fill = () => {
    const { handles } = app
    if (!handles) return app.wantHandles()
    const wanted = filter.value.trim().toLowerCase()
    const fits = ({ name }: { readonly name: string }) => !wanted || name.toLowerCase().includes(wanted)
    const shownActuators = [...handles.actuators.entries()].filter(([, one]) => fits(one)).slice(0, rowsMost)
    const shownJoints = handles.coordinates.filter(fits).slice(0, rowsMost)
    const many = handles.actuators.length + handles.coordinates.length > 24
    filter.hidden = !many
    fillKeyframes(handles)
    driven.hidden = !handles.driven && !drive.checked && driven.dataset['scene'] !== app.loaded?.title
    if (handles.driven) driven.dataset['scene'] = app.loaded?.title ?? ''
    drive.checked = handles.driven
    actuatorTitle.textContent = `Actuators (${handles.actuators.length})`
    jointTitle.textContent = `Joints (${handles.coordinates.length})`
    actuatorNote.textContent =
      handles.actuators.length === 0
        ? 'This model has no actuators; its joints can be posed and pulled below.'
        : hidden(handles.actuators, shownActuators)
    const shown = JSON.stringify([shownActuators, shownJoints])
    if (shown !== filled) {
      filled = shown
      makeRows(shownActuators, shownJoints)
    }
    listen(host.offsetParent !== null)
    tellMode()
  }
  const makeRows = (shownActuators: readonly (readonly [number, ActuatorInfo])[], shownJoints: readonly CoordinateInfo[]) => {
    const actuatorRows = shownActuators.map(([a, info]) => {
      const set = (value: number) => setActuator(a, value)
      return actuatorRow(info, { set, put: set, release: () => {} })
    })
    const jointRows = shownJoints.map((info) => jointRow(info, settingOf(info)))
    actuators.replaceChildren(...actuatorRows.map((row) => row.host))
    joints.replaceChildren(...jointRows.map((row) => row.host))
    rows = [...actuatorRows, ...jointRows]
    channels = [...shownActuators.map(([, { name }]) => `u:${name}`), ...shownJoints.map(({ name }) => `q:${name}`)]
  }
  const fillKeyframes = ({ keyframes: names, start: now }: Handles) => {
    label.hidden = names.length === 0
    again.textContent = names.length > 0 ? 'Reset to it' : 'Reset'
    const options = [['-1', 'initial position'], ...names.map((name, k) => [String(k), name])]
    keyframes.replaceChildren(...options.map(([value, text]) => create('option', { value }, text)))
    keyframes.value = String(now)
  }
  const tellMode = () => {
    jointNote.textContent = !app.handles?.coordinates.length
      ? 'No joint of this model has a coordinate to set one by one; drag its bodies instead.'
      : app.playing
        ? 'Running: a slider tells the servo of its joint, or pulls the joint while you hold it. Pause to pose.'
        : `Paused: a slider puts its joint there${app.loaded?.hasConstraints ? '; loops close again when you play' : ''}.`
  }

  const go = () => {
    app.link.send({ type: 'reset', keyframe: Number(keyframes.value) })
  }
  keyframes.onchange = go
  again.onclick = go
  drive.onchange = () => {
    if (drive.checked) app.link.send({ type: 'control', actuator: -1 })
    else app.link.send({ type: 'control', actuator: -1, value: 0 })
  }
  filter.oninput = fill
  app.on('handles', fill)
  app.on('playing', tellMode)
  app.on('loaded', () => {
    if (host.offsetParent !== null) app.wantHandles()
  })
  app.on('frame', () => {
    const visible = host.offsetParent !== null
    if (visible && !app.handles) app.wantHandles()
    if (visible !== listening && app.handles) listen(visible)
  })
  app.link.onReply((reply) => {
    if (reply.type === 'watched' && reply.topic === 'control' && reply.version === version) show(reply)
  })
  const show = ({ rows: [numbers] }: Watched) => numbers?.forEach((value, k) => rows[k]?.show(value))
  fill()
}

function hidden(all: readonly unknown[], shown: readonly unknown[]): string {
  return all.length > shown.length ? `${all.length - shown.length} more; narrow the filter to see them.` : ''
}

function actuatorRow(info: ActuatorInfo, setting: Setting): Row {
  const { name, unit, low, high, stated, moves } = info
  const title = `moves ${moves}, ${short(low)} … ${short(high)} ${unit}${stated ? '' : ' (no range in the file)'}`
  const row = sliderRow({ name, unit, low, high, title }, setting)
  // the engine holds a control to its range, where the file states one
  return stated ? { ...row, show: (value) => row.show(Math.min(Math.max(value, low), high)) } : row
}

function jointRow(info: CoordinateInfo, setting: Setting): Row {
  const { name, unit, servo } = info
  const limited = Number.isFinite(info.low) && Number.isFinite(info.high)
  const reach = unit === 'rad' ? Math.PI : 1
  const [low, high] = limited ? [info.low, info.high] : [-reach, reach]
  const title = `${limited ? `limits ${short(low)} … ${short(high)} ${unit}` : 'no limits'}${servo >= 0 ? ', has a servo' : ''}`
  return sliderRow({ name, unit, low, high, title }, setting)
}

/** What is done with the number of a row. */
interface Setting {
  /** while the slider is held */
  set(value: number): void
  /** when a number is written */
  put(value: number): void
  /** when the slider is let go */
  release(): void
}

interface SliderInfo {
  readonly name: string
  readonly unit: string
  readonly low: number
  readonly high: number
  readonly title: string
}

/** Name, slider with its range below, number, unit. */
function sliderRow({ name, unit, low, high, title }: SliderInfo, { set, put, release }: Setting): Row {
  const slider = create('input', { type: 'range', min: String(low), max: String(high), step: String((high - low) / 400) })
  const field = create('input', { type: 'number', step: 'any' })
  slider.setAttribute('aria-label', `${name}, slider`)
  field.setAttribute('aria-label', `${name}${unit ? `, ${unit}` : ''}`)
  const scale = create('span', { className: 'scale' }, create('span', {}, short(low)), create('span', {}, short(high)))
  const host = create(
    'div',
    { className: 'slider-row', title },
    create('span', { className: 'name' }, name),
    create('span', { className: 'track' }, slider, scale),
    field,
    create('small', {}, unit),
  )
  /** by a pointer or a key that is down; a slider that comes back to where it was reports no change */
  let grasped = false
  let held = false
  const letGo = () => {
    grasped = false
    if (held) release()
    held = false
  }
  for (const event of ['pointerdown', 'keydown']) slider.addEventListener(event, () => void (grasped = true))
  for (const event of ['pointerup', 'pointercancel', 'keyup', 'blur']) slider.addEventListener(event, letGo)
  slider.oninput = () => {
    held = true
    field.value = short(Number(slider.value))
    set(Number(slider.value))
  }
  slider.onchange = () => {
    if (!grasped) letGo()
  }
  field.onchange = () => {
    const value = Number(field.value)
    if (field.value === '' || !Number.isFinite(value)) return
    slider.value = String(value)
    put(value)
  }
  return {
    host,
    show(value) {
      if (!Number.isFinite(value) || held) return
      if (document.activeElement !== field) field.value = short(value)
      slider.value = String(value)
    },
  }
}

function short(x: number): string {
  if (Math.abs(x) < 5e-4) return '0'
  return Math.abs(x) < 0.1 ? String(Number(x.toFixed(4))) : String(Number(x.toPrecision(Math.abs(x) >= 1000 ? 4 : 3)))
}
