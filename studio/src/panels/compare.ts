/**
 * The same scene by two or three solvers or settings at once: as ghosts or side by side, on one clock.
 */

import { showSolver } from '../forms/solver-form.js'
import type { App } from '../shell/app.js'
import { create } from '../shell/dom.js'
import { laneColors } from '../shell/looks.js'
import { type LaneSettings, type Loaded, statistic, statisticsAt } from '../worker/protocol.js'

export function showCompare(app: App, host: HTMLElement): void {
  const add = create('button', { type: 'button' }, 'Add a lane')
  const side = create('input', { type: 'checkbox', checked: app.side })
  const restart = create('button', { type: 'button' }, 'Start together')
  const lanes = create('div')
  const results = create('table', { className: 'results' })
  host.append(
    create('p', { className: 'quiet' }, 'Runs the scene several times on one clock. Lane 1 is set in the Scene panel.'),
    create('div', { className: 'row' }, add, restart, create('label', { className: 'check' }, side, 'side by side')),
    lanes,
    results,
  )
  restart.title = 'All lanes from the start'
  restart.onclick = () => app.link.send({ type: 'reset' })
  side.onchange = () => {
    app.setSide(side.checked)
  }
  add.onclick = () => app.setLanes([...app.lanes, another(app)])

  const fill = (loaded: Loaded) => {
    add.disabled = loaded.lanes.length >= 3 || loaded.origin === 'trajectory'
    lanes.replaceChildren(
      ...loaded.lanes.slice(1).map((info, i) => {
        const k = i + 1
        const form = create('form')
        showSolver(form, { solvers: app.solvers, info, settings: () => app.lanes[k] ?? {}, refusals: loaded.refusals }, (settings) =>
          app.setLanes(app.lanes.map((lane, at) => (at === k ? settings : lane))),
        )
        const remove = create('button', { type: 'button', className: 'link' }, 'remove')
        remove.onclick = () => app.setLanes(app.lanes.filter((_, at) => at !== k))
        const heading = create('h3', {}, swatch(k), `Lane ${k + 1}`, remove)
        return create('section', { className: 'lane' }, heading, form)
      }),
    )
  }
  let last = 0
  app.on('loaded', fill)
  app.on('frame', (block) => {
    const { loaded } = app
    const now = performance.now()
    if (!loaded || host.offsetParent === null || now - last < 250) return
    last = now
    const rows = loaded.lanes.map(({ solver, timestep, options }, k) => {
      const read = (name: keyof typeof statistic) => block[statisticsAt(k) + statistic[name]]
      const method = 'method' in options ? ` ${String(options['method'])}` : ''
      return create(
        'tr',
        {},
        create('td', {}, swatch(k), `${solver}${method}`),
        create('td', {}, String(timestep)),
        create('td', {}, short(read('cost'))),
        create('td', {}, k === 0 ? '–' : short(read('difference'))),
      )
    })
    const head = ['solver', 'step, s', 'cost, s per s', 'difference, m'].map((text) =>
      Object.assign(create('th', {}, text), { scope: 'col' }),
    )
    results.replaceChildren(create('thead', {}, create('tr', {}, ...head)), create('tbody', {}, ...rows))
  })
  if (app.loaded) fill(app.loaded)
}

/** What one would compare with: another solver, or the same at half the step. */
function another({ loaded, solvers }: App): LaneSettings {
  const first = loaded?.lanes[0]
  const other = solvers.find(({ name }) => name !== first?.solver && loaded?.refusals[name] === null)
  if (other) return { solver: other.name }
  return { solver: first?.solver ?? 'auto', timestep: (first?.timestep ?? 0.002) / 2 }
}

function swatch(k: number): HTMLElement {
  const mark = create('i', { className: 'swatch' })
  mark.style.background = laneColors[k] ?? ''
  return mark
}

function short(x: number): string {
  return Number.isFinite(x) ? (x === 0 ? '0' : x.toPrecision(3)) : '…'
}
