/**
 * The inspector: the tree of bodies and joints as a table, and live numbers of the one that is picked.
 */
import type { App } from '../shell/app.js'
import { create, setRows } from '../shell/dom.js'
import type { Inspection, Loaded } from '../worker/protocol.js'

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
  host.append(heading, numbers, create('div', { className: 'row' }, filter, unpin), create('div', { className: 'scroll' }, table), note)

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
  }
  filter.oninput = fill
  app.on('loaded', fill)
  app.on('selected', mark)
  app.on('inspection', (inspection) => {
    if (app.loaded && inspection.body === app.selected) setRows(numbers, describe(app.loaded, inspection))
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

function describe(loaded: Loaded, { body, q, v, tau, velocity }: Inspection): [string, string][] {
  const info = loaded.bodies[body]
  const rows: [string, string][] = [
    ['mass', `${short(info.mass)} kg`],
    ['parent', loaded.bodies[info.parent]?.name ?? 'world'],
    ['angular velocity', `${list(velocity.slice(0, 3))} rad/s`],
    ['velocity', `${list(velocity.slice(3, 6))} m/s`],
  ]
  const own = loaded.joints.filter((joint) => joint.body === body)
  const [iq, iv] = [Math.min(...own.map((joint) => joint.iq)), Math.min(...own.map((joint) => joint.iv))]
  for (const joint of own) {
    rows.push([`${joint.name} (${joint.type}) q`, list(q.slice(joint.iq - iq, joint.iq - iq + joint.nq))])
    const part = (x: readonly number[]) => list(x.slice(joint.iv - iv, joint.iv - iv + joint.nv))
    rows.push([`${joint.name} v`, part(v)])
    if (tau.some((x) => x !== 0)) rows.push([`${joint.name} hand's τ`, part(tau)])
  }
  return rows
}

function list(numbers: readonly number[]): string {
  return numbers.map(short).join('  ')
}

function short(x: number): string {
  return x !== 0 && Math.abs(x) < 1e-4 ? x.toExponential(1) : String(Number(x.toPrecision(4)))
}
