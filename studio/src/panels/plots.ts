/**
 * Live plots of the statistics of every lane, with export.
 */
import type { App } from '../shell/app.js'
import { create } from '../shell/dom.js'
import { laneColors } from '../shell/looks.js'
import { save } from '../shell/save.js'
import { type Statistic, statistic, statistics } from '../worker/protocol.js'
import { type Chart, createChart, type Series } from './chart.js'

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

export function showPlots(app: App, host: HTMLElement): void {
  const list = create('select')
  const area = create('div', { className: 'charts' })
  const second = create('select')
  const remark = create('p', { className: 'quiet' })
  for (const select of [list, second]) {
    select.append(...Object.entries(table).map(([name, { title }]) => create('option', { value: name }, title)))
  }
  const choose = () => {
    const known = (name: string, usual: string) => (Object.hasOwn(table, name) ? name : usual)
    list.value = known(app.plots[0], 'energy')
    second.value = known(app.plots[1], 'stepTime')
  }
  choose()
  const csv = create('button', { type: 'button' }, 'CSV')
  const png = create('button', { type: 'button' }, 'PNG')
  csv.title = 'All statistics as a table'
  png.title = 'The upper plot as a picture'
  host.append(create('div', { className: 'row' }, label('Upper plot', list), label('Lower plot', second), csv, png), area, remark)

  let charts: { chart: Chart; info: PlotInfo }[] = []
  let drawn = -1
  let last = 0
  const rebuild = () => {
    for (const { chart } of charts) chart.destroy()
    const lanes = app.loaded?.lanes.length ?? 1
    charts = [list.value, second.value].map((name) => {
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
    drawn = -1
  }
  for (const select of [list, second]) select.onchange = () => app.setPlots([list.value, second.value])
  app.on('plots', () => {
    choose()
    rebuild()
  })
  app.on('loaded', rebuild)
  app.on('theme', rebuild)
  app.on('frame', () => {
    const now = performance.now()
    if (host.offsetParent === null || app.samples.version === drawn || now - last < refreshEvery) return
    last = now
    drawn = app.samples.version
    const { times, rows } = app.samples
    const lanes = app.loaded?.lanes.length ?? 1
    for (const { chart, info } of charts) {
      chart.setData([Float64Array.from(times), ...columnsOf(info, rows, lanes)])
    }
  })
  csv.onclick = () => save(new Blob([tableText(app)], { type: 'text/csv' }), 'statistics.csv')
  png.onclick = () =>
    charts[0]?.chart.picture().then(
      (blob) => save(blob, `${list.value}.png`),
      (error: Error) => app.fail('The plot could not be saved', [error.message]),
    )
  rebuild()
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
