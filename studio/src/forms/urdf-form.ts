/**
 * What a URDF does not say, asked for beside the picture: whether its base is fixed, whether there is a floor, what drives its joints.
 */
import { create } from '../shell/dom.js'
import type { UrdfInfo, UrdfSetting } from '../worker/protocol.js'

const bases = ['fixed', 'free'] satisfies UrdfInfo['base'][]
const kinds = ['none', 'position', 'velocity', 'motor'] satisfies UrdfInfo['actuators'][]

/** Fills the form; calls back with the choice whenever it was changed. A form that shows the same file keeps its fields, and their focus. */
export function showUrdf(form: HTMLFormElement, info: UrdfInfo, changed: (setting: UrdfSetting) => void): void {
  if (form.querySelector<HTMLElement>('[data-urdf]')?.dataset['urdf'] !== info.main) {
    form.replaceChildren(
      field('base', choice('base', bases), 'fixed: the root link stands still; free: it moves, as that of a robot that walks or flies'),
      field('floor', choice('floor', ['no', 'yes']), 'a plane below the robot; a free base stands on it'),
      field('actuators', choice('actuators', kinds), 'one for each joint with an effort limit; Control has their sliders'),
    )
    for (const label of form.querySelectorAll('label')) label.dataset['urdf'] = info.main
  }
  const select = (name: keyof UrdfSetting) => form.elements.namedItem(name) as HTMLSelectElement
  select('base').value = info.base
  select('floor').value = info.floor ? 'yes' : 'no'
  select('actuators').value = info.actuators
  form.onsubmit = (event) => event.preventDefault()
  form.onchange = ({ target }) => {
    const setting: Required<UrdfSetting> = {
      base: select('base').value as UrdfInfo['base'],
      floor: select('floor').value === 'yes',
      actuators: select('actuators').value as UrdfInfo['actuators'],
    }
    const { base, actuators } = setting
    // another base has a floor where it needs one
    changed(target === select('base') ? { base, actuators } : setting)
  }
}

function choice(name: string, choices: readonly string[]): HTMLSelectElement {
  return create('select', { name }, ...choices.map((text) => create('option', {}, text)))
}

function field(name: string, select: HTMLSelectElement, title: string): HTMLLabelElement {
  return create('label', { title, className: 'wide' }, create('span', {}, name), select, create('small', {}))
}
