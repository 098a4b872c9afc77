/**
 * Solver, time step and options of a lane as form fields, made from the table that the worker sent.
 */
import type { OptionInfo, OptionValue } from 'limber'
import { create } from '../shell/dom.js'
import type { LaneInfo, LaneSettings, SolverInfo } from '../worker/protocol.js'

export interface SolverFormInput {
  readonly solvers: readonly SolverInfo[]
  readonly info: LaneInfo
  /** as they are when asked: a field may be changed before the worker has taken over the one before */
  settings(): LaneSettings
  /** why a solver cannot run the model, null when it can */
  readonly refusals: Readonly<Record<string, string | null>>
}

/** Fills the form for one lane; calls back with the new settings. A field in which one is writing stays until one has left it. */
export function showSolver(form: HTMLFormElement, input: SolverFormInput, changed: (settings: LaneSettings) => void): void {
  const { activeElement: field } = document
  form.onfocusout = null
  if (field instanceof HTMLInputElement && form.contains(field) && field.value !== field.defaultValue) {
    form.onfocusout = () => fill(form, input, changed)
    return
  }
  fill(form, input, changed)
}

function fill(form: HTMLFormElement, input: SolverFormInput, changed: (settings: LaneSettings) => void): void {
  const { solvers, info, refusals } = input
  form.onfocusout = null
  form.replaceChildren()
  form.onsubmit = (event) => event.preventDefault()

  const list = create('select', { name: 'solver' })
  for (const { name, description } of solvers) {
    const refusal = refusals[name] ?? null
    list.append(create('option', { value: name, disabled: refusal !== null, title: refusal ?? description }, name))
  }
  list.value = info.solver
  list.onchange = () => {
    const { timestep } = input.settings()
    changed({ solver: list.value, ...(timestep ? { timestep } : {}) })
  }
  form.append(
    create('label', { className: 'wide', title: describe(solvers, info.solver) }, create('span', {}, 'solver'), list, create('small')),
  )

  const step = create('input', { type: 'number', name: 'timestep', min: '1e-9', step: 'any', value: String(info.timestep) })
  step.onchange = () => {
    if (step.reportValidity()) changed({ solver: info.solver, ...input.settings(), timestep: Number(step.value) })
  }
  form.append(
    create(
      'label',
      { className: 'wide', title: 'time step of the simulation' },
      create('span', {}, 'time step'),
      step,
      create('small', {}, 's'),
    ),
  )

  const table = solvers.find(({ name }) => name === info.solver)?.options ?? {}
  const rows = Object.entries(table).map(([key, option]) =>
    optionRow(key, option, info.options[key] ?? option.default, (value) => {
      const settings = input.settings()
      changed({ solver: info.solver, ...settings, options: { ...settings.options, [key]: value } })
    }),
  )
  form.append(...rows.slice(0, 3))
  if (rows.length > 3) form.append(create('details', {}, create('summary', {}, 'more'), ...rows.slice(3)))
  for (const warning of info.warnings) form.append(create('p', { className: 'quiet' }, warning))
  if (info.refusal) form.append(create('p', { className: 'refusal' }, `${info.refusal}. Running ${info.solver} instead.`))
}

function describe(solvers: readonly SolverInfo[], name: string): string {
  return solvers.find((solver) => solver.name === name)?.description ?? ''
}

function optionRow(key: string, info: OptionInfo, value: OptionValue, changed: (value: OptionValue) => void): HTMLElement {
  const { choices, min, max, description } = info
  const label = create('label', { className: 'wide', title: description }, create('span', {}, key))
  if (choices) {
    const list = create('select', { name: key }, ...choices.map((text) => create('option', {}, text)))
    list.value = String(value)
    list.onchange = () => changed(list.value)
    label.append(list)
  } else if (typeof info.default === 'boolean') {
    const box = create('input', { type: 'checkbox', name: key, checked: value === true })
    box.onchange = () => changed(box.checked)
    label.append(box)
  } else {
    const field = create('input', {
      type: typeof info.default === 'number' ? 'number' : 'text',
      name: key,
      step: 'any',
      value: String(value),
    })
    if (min !== undefined) field.min = String(min)
    if (max !== undefined) field.max = String(max)
    field.onchange = () => {
      if (field.reportValidity()) changed(typeof info.default === 'number' ? Number(field.value) : field.value)
    }
    label.append(field)
  }
  label.append(create('small'))
  return label
}
