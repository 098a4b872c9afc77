/**
 * The inspector: the tree of bodies and joints as a table, live numbers of the one that is picked, and fields to set its joints.
 */
import type { App } from '../shell/app.js'
import { create, setRows } from '../shell/dom.js'
import type { CoordinateInfo, Inspection, Loaded } from '../worker/protocol.js'

/** more rows than this make the page slow; the filter finds the rest */
const rowsMost = 400

export function showInspector(app: App, host: HTMLElement): void {
  const heading = create('h3', {}, 'Nothing picked')
  const numbers = create('dl', { className: 'numbers' })
  const filter = create('input', { type: 'search', placeholder: 'Filter by name or joint type' })
  filter.setAttribute('aria-label', 'Filter bodies by name or joint type')
  const body = create('tbody')
  const table = create('table', { className: 'tree' }, create('thead', {}, headRow()), body)
  const note = create('p', { className: 'quiet' })
  const unpin = create('button', { type: 'button' }, 'Unpin all')
  unpin.onclick = () => app.link.send({ type: 'unpin' })
  const fields = create('form', { className: 'set-values' })
  fields.onsubmit = (event) => event.preventDefault()
  host.append(
    heading,
    numbers,
    fields,
    create('div', { className: 'row' }, filter, unpin),
    create('div', { className: 'scroll' }, table),
    note,
  )

  const fill = () => {
    const { loaded } = app
    if (!loaded) return
    const rows = listRows(loaded, filter.value.trim().toLowerCase())
    body.replaceChildren(...rows.slice(0, rowsMost).map((row) => makeRow(row, app)))
    note.textContent = rows.length > rowsMost ? `${rows.length - rowsMost} more; narrow the filter to see them.` : ''
    mark()
  }
  const mark = () => {
    const { loaded, selected } = app
    for (const row of body.rows) row.setAttribute('aria-selected', String(Number(row.dataset['body']) === selected))
    const info = loaded?.bodies[selected]
    heading.textContent = info ? info.name : 'Nothing picked'
    if (!info) setRows(numbers, [['', 'Click a body in the picture or in the table.']])
    if (info && !app.handles) app.wantHandles()
    setters = offer()
  }
  let setters: { info: CoordinateInfo; field: HTMLInputElement }[] = []
  const offer = () => {
    const own = app.handles?.coordinates.filter(({ body: moved }) => moved === app.selected) ?? []
    const made = own.map((info) => ({ info, field: setField(app, info) }))
    fields.replaceChildren(
      ...(made.length > 0 ? [create('h3', {}, 'Set values')] : []),
      ...made.map(({ info, field }) =>
        create(
          'label',
          { className: 'wide', title: 'Pauses, and puts the joint there' },
          create('span', {}, info.name),
          field,
          create('small', {}, info.unit),
        ),
      ),
    )
    return made
  }
  app.on('handles', mark)
  filter.oninput = fill
  app.on('loaded', fill)
  app.on('selected', () => {
    // numbers of another body would stand under this one's name
    setRows(numbers, [])
    mark()
  })
  app.on('inspection', (inspection) => {
    if (!app.loaded || inspection.body !== app.selected) return
    setRows(numbers, describe(app.loaded, inspection, app.handles?.coordinates ?? []))
    for (const { info, field } of setters) {
      if (document.activeElement !== field) field.value = short(inspection.q[info.iq - firstOf(app.loaded, inspection.body).iq])
    }
  })
  fill()
}

interface Row {
  readonly body: number
  readonly depth: number
  readonly name: string
  readonly joints: string
  readonly mass: number
}

function listRows({ bodies, joints }: Loaded, wanted: string): Row[] {
  const depth = new Int32Array(bodies.length)
  const byBody = new Map<number, string[]>()
  for (const { body, type } of joints) byBody.set(body, [...(byBody.get(body) ?? []), type])
  return bodies.flatMap(({ name, parent, mass }, body) => {
    if (body === 0) return []
    depth[body] = depth[parent] + 1
    const types = byBody.get(body)?.join(', ') ?? 'fixed'
    if (wanted && !`${name} ${types}`.toLowerCase().includes(wanted)) return []
    return [{ body, depth: wanted ? 1 : depth[body], name, joints: types, mass }]
  })
}

function headRow(): HTMLTableRowElement {
  const cells = ['Body', 'Joints', 'kg'].map((text) => Object.assign(create('th', {}, text), { scope: 'col' }))
  return create('tr', {}, ...cells)
}

function makeRow({ body, depth, name, joints, mass }: Row, app: App): HTMLTableRowElement {
  const button = create('button', { type: 'button', className: 'link' }, name)
  button.onclick = () => app.select(body)
  const first = create('td', {}, button)
  first.style.paddingLeft = `${Math.min(depth - 1, 12) * 10}px`
  const row = create('tr', {}, first, create('td', {}, joints), create('td', {}, String(Number(mass.toPrecision(3)))))
  row.dataset['body'] = String(body)
  return row
}

/** A field that puts a coordinate of a paused mechanism. */
function setField(app: App, { name, iq, iv, low, high }: CoordinateInfo): HTMLInputElement {
  const field = create('input', { type: 'number', step: 'any' })
  field.setAttribute('aria-label', `Set ${name}`)
  if (Number.isFinite(low)) field.min = String(low)
  if (Number.isFinite(high)) field.max = String(high)
  field.onchange = () => {
    if (field.value === '' || !field.reportValidity()) return
    if (app.playing) app.setPlaying(false)
    app.link.send({ type: 'joint', iq, iv, value: Number(field.value) })
  }
  return field
}

function firstOf({ joints }: Loaded, body: number): { iq: number; iv: number } {
  const own = joints.filter((joint) => joint.body === body)
  return { iq: Math.min(...own.map(({ iq }) => iq)), iv: Math.min(...own.map(({ iv }) => iv)) }
}

/** Roll, pitch and yaw about the world's axes, in degrees. */
function turnOf([w, x, y, z]: readonly number[]): number[] {
  const roll = Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
  const pitch = Math.asin(Math.min(1, Math.max(-1, 2 * (w * y - z * x))))
  const yaw = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
  return [roll, pitch, yaw].map((angle) => (180 / Math.PI) * angle)
}

function describe(
  loaded: Loaded,
  { body, q, v, tau, velocity, pose }: Inspection,
  coordinates: readonly CoordinateInfo[],
): [string, string][] {
  const info = loaded.bodies[body]
  const rows: [string, string][] = [
    ['mass', `${short(info.mass)} kg`],
    ['parent', loaded.bodies[info.parent]?.name ?? 'world'],
    ['position', `${list(pose.slice(0, 3))} m`],
    [
      'roll, pitch, yaw',
      `${turnOf(pose.slice(3))
        .map((x) => x.toFixed(1).replace(/^-0\.0$/, '0.0'))
        .join('  ')} °`,
    ],
    ['orientation w x y z', list(pose.slice(3).map((x) => Number(x.toFixed(6))))],
    ['angular velocity', `${list(velocity.slice(0, 3))} rad/s`],
    ['velocity', `${list(velocity.slice(3, 6))} m/s`],
  ]
  const own = loaded.joints.filter((joint) => joint.body === body)
  const { iq, iv } = firstOf(loaded, body)
  for (const joint of own) {
    const [number] = coordinates.filter((one) => one.iv === joint.iv)
    const unit = number && joint.nv === 1 ? ` ${number.unit}` : ''
    rows.push([`${joint.name} (${joint.type}) q`, `${list(q.slice(joint.iq - iq, joint.iq - iq + joint.nq))}${unit}`])
    const part = (x: readonly number[]) => list(x.slice(joint.iv - iv, joint.iv - iv + joint.nv))
    rows.push([`${joint.name} v`, `${part(v)}${unit && `${unit}/s`}`])
    if (unit && Number.isFinite(number.low + number.high)) rows.push(['limits', `${short(number.low)} … ${short(number.high)}${unit}`])
    if (tau.some((x) => x !== 0)) rows.push([`${joint.name} hand's τ`, part(tau)])
  }
  return rows
}

function list(numbers: readonly number[]): string {
  return numbers.map(short).join('  ')
}

function short(x: number): string {
  if (!Number.isFinite(x)) return '–'
  if (Math.abs(x) < 1e-9) return '0'
  return x !== 0 && Math.abs(x) < 1e-4 ? x.toExponential(1) : String(Number(x.toPrecision(4)))
}
