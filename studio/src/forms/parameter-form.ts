/**
 * The parameters of a scene as sliders and fields.
 */
import type { Parameter, ParameterValues } from 'limber-scenes'
import { create } from '../shell/dom.js'
import type { SceneInfo } from '../worker/protocol.js'

/** Fills the form; calls back with all values that differ from the defaults whenever a valid one was changed. */
export function showParameters(
  form: HTMLFormElement,
  scene: SceneInfo | undefined,
  values: ParameterValues,
  changed: (values: ParameterValues) => void,
): void {
  form.replaceChildren()
  form.onsubmit = (event) => event.preventDefault()
  const fields = new Map<string, HTMLInputElement | HTMLSelectElement>()
  const parameters = scene?.parameters ?? {}
  for (const [key, parameter] of Object.entries(parameters)) {
    const value = String(values[key] ?? parameter.default)
    const title = `${parameter.description}: ${parameter.range}`
    const label = create('label', { title }, create('span', {}, key))
    const field = parameter.choices ? choice(parameter.choices, value) : numberField(parameter, value)
    field.name = key
    fields.set(key, field)
    const slider = parameter.choices ? undefined : sliderFor(parameter, field as HTMLInputElement)
    if (slider) {
      slider.setAttribute('aria-label', `${key}, slider`)
      label.append(slider)
    }
    label.classList.toggle('wide', !slider)
    label.append(field, create('small', {}, parameter.unit ?? ''))
    form.append(label)
  }
  form.onchange = () => {
    if (!form.reportValidity()) return
    const given = [...fields].map(([key, field]) => [key, field.value] as const)
    changed(Object.fromEntries(given.filter(([key, value]) => value !== String(parameters[key]?.default))))
  }
}

function choice(choices: readonly string[], value: string): HTMLSelectElement {
  const field = create('select', {}, ...choices.map((text) => create('option', {}, text)))
  field.value = value
  return field
}

function numberField({ integer, min, max }: Parameter, value: string): HTMLInputElement {
  const field = create('input', { type: 'number', step: integer ? '1' : 'any', value })
  if (min !== undefined) field.min = String(min)
  if (max !== undefined) field.max = String(max)
  return field
}

/** Bounds in a scene are wide; the slider covers what one would try: a tenth to ten times the default, or all where that is less. */
function sliderFor(
  { default: start, integer, min = -Infinity, max = Infinity }: Parameter,
  field: HTMLInputElement,
): HTMLInputElement | undefined {
  const middle = Number(start)
  const reach = Math.abs(middle) || 1
  const low = Math.max(min, middle < 0 || (min < 0 && Number.isFinite(min)) ? -5 * reach : integer ? 1 : 0)
  const high = Math.min(max, integer ? Math.max(10, 5 * reach) : 5 * reach)
  if (!(high > low)) return undefined
  const step = integer ? 1 : Number(((high - low) / 200).toPrecision(1))
  const slider = create('input', { type: 'range', min: String(integer ? Math.ceil(low) : low), max: String(high), step: String(step) })
  slider.value = field.value
  slider.oninput = () => {
    // the slider's zero may lie outside of what the scene takes
    const value = Math.min(Math.max(Number(slider.value), min), max)
    field.value = String(integer ? Math.round(value) : Number(value.toPrecision(4)))
  }
  field.addEventListener('input', () => {
    slider.value = field.value
  })
  return slider
}
