/**
 * Level of detail: how many joints may move, what that leaves out, and whether it follows the camera. There only for a solver that has one.
 */
import type { App } from '../shell/app.js'
import { create, element, setRows } from '../shell/dom.js'
import { short } from '../shell/facts.js'
import { groupPrefix } from '../shell/looks.js'
import { statistic, statisticsAt } from '../worker/protocol.js'
import { budgetAt, placeOf } from './budget-scale.js'

/** milliseconds between numbers */
const refreshEvery = 200
/** steps of the slider */
const fine = 400
const plots = ['energy', 'neglected'] as const

export function createDetailForm(app: App): void {
  const form = element('detail', HTMLFormElement)
  const slider = create('input', { type: 'range', name: 'budget-share', min: '0', max: String(fine), step: '1' })
  const budgetText = create('output')
  const follow = create('input', { type: 'checkbox', name: 'follow', checked: true })
  const color = create('input', { type: 'checkbox', name: 'color-active' })
  const numbers = create('dl')
  form.onsubmit = (event) => event.preventDefault()
  form.append(
    create('h3', {}, 'Level of detail'),
    create(
      'label',
      { className: 'slider', title: 'most joints that move at a time; the others are held' },
      create('span', {}, 'joints'),
      slider,
    ),
    budgetText,
    create(
      'div',
      { className: 'row' },
      create('label', { className: 'check', title: 'motion counts less the farther it is from the camera' }, follow, 'by distance'),
      create('label', { className: 'check', title: 'bodies whose joint moves' }, color, 'in colour'),
    ),
    numbers,
  )

  const joints = () => app.loaded?.joints.length ?? 1
  const trees = () => app.loaded?.lanes[0]?.trees ?? 0
  /** 0: no limit */
  let budget = 0
  const setBudget = (next: number) => {
    budget = next
    const most = budget || joints()
    const each = trees() > 1 ? `, ${short(most / trees())} for each of ${trees().toLocaleString('en')}` : ''
    budgetText.textContent = `${budget === 0 ? 'all ' : ''}${most.toLocaleString('en')} of ${joints().toLocaleString('en')}${each}`
  }
  const tellCamera = () => {
    if (!form.hidden) app.link.send({ type: 'camera', place: follow.checked ? app.picture.camera.slice(0, 3) : [] })
  }
  slider.oninput = () => setBudget(budgetAt(Number(slider.value) / fine, joints()))
  slider.onchange = () => {
    const [settings = {}, ...others] = app.lanes
    const solver = app.loaded?.lanes[0].solver
    if (solver) app.setLanes([{ ...settings, solver, options: { ...settings.options, budget } }, ...others])
  }
  follow.onchange = tellCamera
  color.onchange = () => app.setColors(color.checked && app.groups[0] ? `${groupPrefix}${app.groups[0]}` : 'own')
  const showColor = () => {
    color.checked = app.groups.some((name) => app.colors === `${groupPrefix}${name}`)
    color.disabled = app.groups.length === 0
  }
  app.on('colors', showColor)
  app.on('groups', showColor)

  app.on('loaded', ({ fresh, lanes: [lane] }) => {
    const before = form.hidden
    form.hidden = lane.trees === 0
    if (form.hidden) return
    setBudget(Number(lane.options['budget'] ?? 0))
    slider.value = String(Math.round(fine * placeOf(budget, joints())))
    tellCamera()
    // what is left out belongs beside the energy, unless other plots were chosen
    if ((fresh || before) && app.plots.join() === 'energy,stepTime') app.setPlots(plots)
  })
  app.picture.onNews((news) => {
    if (news.type === 'camera' && follow.checked) tellCamera()
  })

  let last = 0
  app.on('frame', (block) => {
    const now = performance.now()
    if (form.hidden || now - last < refreshEvery) return
    last = now
    const read = (name: keyof typeof statistic) => block[statisticsAt(0) + statistic[name]]
    const [active, neglected] = [read('active'), read('neglected')]
    setRows(numbers, [
      ['joints that move', Number.isFinite(active) ? active.toLocaleString('en') : '–'],
      ['neglected acceleration', Number.isFinite(neglected) ? short(neglected) : '–'],
    ])
  })
}
