/**
 * The parameters of a scene as form fields.
 */
import { describeRange, type ParameterValues, type Scene } from 'limber-scenes'
import { create } from './dom.js'

/** Fills the form for a scene at its defaults; calls back with all values whenever a valid one was changed. */
export function showParameters(form: HTMLFormElement, scene: Scene | undefined, changed: (values: ParameterValues) => void): void {
  form.replaceChildren()
  form.onsubmit = (event) => event.preventDefault()
  for (const [key, parameter] of Object.entries(scene?.parameters ?? {})) {
    const field = parameter.choices
      ? create('select', {}, ...parameter.choices.map((choice) => create('option', {}, choice)))
      : create('input')
    field.name = key
    field.title = `${parameter.description}: ${describeRange(parameter)}`
    field.value = String(parameter.default)
    if (field instanceof HTMLInputElement) {
      field.type = 'number'
      field.step = parameter.integer ? '1' : 'any'
      if (parameter.min !== undefined) field.min = String(parameter.min)
      if (parameter.max !== undefined) field.max = String(parameter.max)
    }
    form.append(create('label', { title: field.title }, create('span', {}, key), field, create('small', {}, parameter.unit ?? '')))
  }
  form.onchange = () => {
    if (form.reportValidity())
      changed(Object.fromEntries([...new FormData(form)].flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : []))))
  }
}
