/**
 * Live plots of the statistics of every lane, and of joints, actuators, contact forces and heights of the first by their names, with export.
 */
import type { App } from '../shell/app.js'
import { create } from '../shell/dom.js'
import { laneColors } from '../shell/looks.js'
import { save } from '../shell/save.js'
import { type Statistic, statistic, statistics } from '../worker/protocol.js'
import { type Chart, createChart, type Series } from './chart.js'
import { createTraces } from './traces.js'

interface PlotInfo {
  readonly title: string
  readonly unit: string
  readonly log?: boolean
  /** what is drawn: of each lane, or of the first alone */
  readonly series: readonly { readonly label: string; readonly color: string; value(row: Float64Array, lane: number): number }[]
  readonly perLane: boolean
}

const width = statistics.length
const read = (name: Statistic) => (row: Float64Array, lane: number) => row[lane * width + statistic[name]]
const total = (row: Float64Array, lane: number) => read('kinetic')(row, lane) + read('potential')(row, lane)
const one = (title: string, unit: string, name: Statistic, log = false): PlotInfo => ({
  title,
  unit,
  log,
  perLane: true,
  series: [{ label: title.toLowerCase(), color: '', value: read(name) }],
})

/** The plots by name. */
const table: Readonly<Record<string, PlotInfo>> = {
  energy: {
    title: 'Energy',
    unit: 'J',
    perLane: false,
    series: [
      { label: 'kinetic', color: '#f2a93c', value: read('kinetic') },
      { label: 'potential', color: '#3e7bfa', value: read('potential') },
      { label: 'total', color: '#30a46c', value: total },
    ],
  },
  total: { title: 'Total energy', unit: 'J', perLane: true, series: [{ label: 'total', color: '', value: total }] },
  residual: one('Constraint residual', 'm or rad', 'residual', true),
  stepTime: one('Step time', 'ms', 'stepTime'),
  iterations: one('Iterations a step', '', 'iterations'),
  evaluations: one('Evaluations a step', '', 'evaluations'),
  order: one('Order', '', 'order'),
  stepSize: one('Internal step size', 's', 'stepSize', true),
  rejected: one('Rejected a step', '', 'rejected'),
  difference: one('Difference to lane 1', 'm rms', 'difference', true),
  cost: one('Cost', 's per simulated s', 'cost'),
  active: one('Active joints', '', 'active'),
  neglected: one('Neglected acceleration', '', 'neglected'),
}

const refreshEvery = 150
/** more names than this make a list slow; the filter finds the rest */
const namesMost = 300
/** of what is plotted by name: a letter for what it is, then the name of the part */
const isChannel = (name: string) => /^[a-z]:/.test(name)

export function showPlots(app: App, host: HTMLElement): void {
  const list = create('select')
  const area = create('div', { className: 'charts' })
  const second = create('select')
  const remark = create('p', { className: 'quiet' })
  const filter = create('input', { type: 'search', placeholder: 'Find by name' })
  filter.setAttribute('aria-label', 'Find what to plot by name')
  const traces = createTraces(app.link)
  const units = new Map<string, string>()
  const fillNames = () => {
    if (!app.handles) return app.wantHandles()
    units.clear()
    const wanted = filter.value.trim().toLowerCase()
    let left = namesMost
    const groups = app.handles.channels.map(({ title, channels }) => {
      const fitting = channels.filter(({ id, name, unit }) => {
        units.set(id, `${title}: ${name}${unit ? ` (${unit})` : ''}`)
        return app.plots.includes(id) || !wanted || name.toLowerCase().includes(wanted)
      })
      const shown = fitting.slice(0, Math.max(1, left))
      left -= shown.length
      return { title, shown }
    })
    for (const select of [list, second]) {
      const parts = groups
        .filter(({ shown }) => shown.length > 0)
        .map(({ title, shown }) =>
          create(
            'optgroup',
            { label: title },
            ...shown.map(({ id, name }) => create('option', { value: id }, `${name} · ${title.toLowerCase()}`)),
          ),
        )
      const own = create('optgroup', { label: 'Simulation' }, ...statisticOptions())
      // what is looked for comes first
      select.replaceChildren(...(wanted ? [...parts, own] : [own, ...parts]))
    }
    choose()
    rebuild()
  }
  for (const select of [list, second]) select.append(...statisticOptions())
  const known = (name: string, usual: string) => (Object.hasOwn(table, name) || units.has(name) ? name : usual)
  const choose = () => {
    list.value = known(app.plots[0], 'energy')
    second.value = known(app.plots[1], 'stepTime')
  }
  choose()
  const csv = create('button', { type: 'button' }, 'CSV')
  const png = create('button', { type: 'button' }, 'PNG')
  csv.title = 'What is plotted by name, or all statistics, as a table'
  png.title = 'The upper plot as a picture'
  host.append(create('div', { className: 'row' }, label('Upper plot', list), label('Lower plot', second), filter, csv, png), area, remark)

  let charts: { chart: Chart; info: PlotInfo | string }[] = []
  let drawn = -1
  let last = 0
  const rebuild = () => {
    for (const { chart } of charts) chart.destroy()
    const lanes = app.loaded?.lanes.length ?? 1
    charts = [list.value, second.value].map((name) => {
      if (isChannel(name)) {
        const title = units.get(name) ?? name.slice(2)
        const series = [{ label: name.slice(2) || 'all', color: laneColors[0] }]
        return { chart: createChart(area, { title, log: false, series }), info: name }
      }
      const info = table[name]
      const chart = createChart(area, {
        title: info.unit ? `${info.title} (${info.unit})` : info.title,
        log: info.log === true,
        series: seriesOf(app, info, lanes),
      })
      return { chart, info }
    })
    const missing = [list.value, second.value].includes('residual') && !app.loaded?.hasConstraints
    remark.textContent = missing ? 'This model has no constraints, so there is no residual.' : ''
    traces.want([list.value, second.value].filter(isChannel))
    drawn = -1
  }
  filter.oninput = fillNames
  app.on('handles', fillNames)
  for (const select of [list, second]) select.onchange = () => app.setPlots([list.value, second.value])
  app.on('plots', () => {
    choose()
    rebuild()
  })
  app.on('loaded', ({ fresh }) => {
    if (fresh && host.offsetParent !== null) app.wantHandles()
    rebuild()
  })
  app.on('theme', rebuild)
  app.on('frame', () => {
    const now = performance.now()
    if (host.offsetParent === null) return
    if (!app.handles) app.wantHandles()
    const newest = app.samples.version + traces.version
    if (newest === drawn || now - last < refreshEvery) return
    last = now
    drawn = newest
    const { times, rows } = app.samples
    const lanes = app.loaded?.lanes.length ?? 1
    for (const { chart, info } of charts) {
      if (typeof info === 'string') chart.setData([Float64Array.from(traces.times), traces.column(info)])
      else chart.setData([Float64Array.from(times), ...columnsOf(info, rows, lanes)])
    }
  })
  csv.onclick = () => {
    const named = [list.value, second.value].filter(isChannel)
    const text = named.length > 0 ? traceText(traces.times, named, traces.column) : tableText(app)
    save(new Blob([text], { type: 'text/csv' }), named.length > 0 ? 'plots.csv' : 'statistics.csv')
  }
  png.onclick = () =>
    charts[0]?.chart.picture().then(
      (blob) => save(blob, `${list.value.replace(/[^\w-]+/g, '-')}.png`),
      (error: Error) => app.fail('The plot could not be saved', [error.message]),
    )
  rebuild()
  fillNames()
}

function statisticOptions(): HTMLOptionElement[] {
  return Object.entries(table).map(([name, { title }]) => create('option', { value: name }, title))
}

function traceText(times: readonly number[], names: readonly string[], column: (name: string) => Float64Array): string {
  const columns = names.map(column)
  const lines = times.map((t, i) => [t, ...columns.map((one) => one[i])].join(','))
  return `${['time', ...names.map((name) => `"${name.replaceAll('"', '""')}"`)].join(',')}\n${lines.join('\n')}\n`
}

function label(text: string, field: HTMLElement): HTMLElement {
  return create('label', { className: 'field' }, create('span', { className: 'hidden-label' }, text), field)
}

function seriesOf(app: App, { series, perLane }: PlotInfo, lanes: number): Series[] {
  if (!perLane) return series.map(({ label: text, color }) => ({ label: text, color }))
  return Array.from({ length: lanes }, (_, k) => ({
    label: lanes > 1 ? `${k + 1} ${app.loaded?.lanes[k]?.solver ?? ''}` : series[0].label,
    color: laneColors[k] ?? laneColors[0],
  }))
}

function columnsOf({ series, perLane }: PlotInfo, rows: readonly Float64Array[], lanes: number): Float64Array[] {
  if (!perLane) return series.map(({ value }) => Float64Array.from(rows, (row) => value(row, 0)))
  return Array.from({ length: lanes }, (_, k) =>
    Float64Array.from(rows, (row) => (row.length >= (k + 1) * width ? series[0].value(row, k) : Number.NaN)),
  )
}

function tableText({ samples: { times, rows }, loaded }: App): string {
  const lanes = loaded?.lanes.length ?? 1
  const names = Array.from({ length: lanes }, (_, k) => statistics.map((name) => (lanes > 1 ? `${k + 1}.${name}` : name))).flat()
  const lines = rows.map((row, i) => [times[i], ...Array.from({ length: names.length }, (_, c) => row[c] ?? '')].join(','))
  return `${['time', ...names].join(',')}\n${lines.join('\n')}\n`
}
