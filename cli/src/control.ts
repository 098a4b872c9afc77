/**
 * `--control NAME=VALUE`: what the actuators of a model are told during the whole run.
 */
import { InvalidArgumentError } from 'commander'
import type { Model } from 'limber'
import { refuse } from './problem.js'
import { hint } from './suggest.js'

/** By name, as the user wrote them. */
export type Controls = Readonly<Record<string, number>>

/** For `--control`, given any number of times. */
export function collectControl(text: string, before: Controls = {}): Controls {
  const at = text.lastIndexOf('=')
  const [name, value] = [text.slice(0, at), text.slice(at + 1)]
  if (at <= 0 || value.trim() === '' || !Number.isFinite(Number(value)))
    throw new InvalidArgumentError('Expected NAME=VALUE, the value a number.')
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`The actuator ${name} was given twice.`)
  return { ...before, [name]: Number(value) }
}

/** By number of the actuator; refuses unknown names with the nearest known one. */
export function findControls({ actuators: { names } }: Model, controls: Controls): Record<string, number> {
  const found: Record<string, number> = {}
  for (const [name, value] of Object.entries(controls)) {
    // those without a name go by their number
    const k = names.includes(name) ? names.indexOf(name) : /^\d+$/.test(name) && Number(name) < names.length ? Number(name) : -1
    if (k < 0) {
      const known = names.map((known, i) => known || String(i))
      refuse(
        `--control ${name}`,
        known.length > 0 ? `the model has no actuator of this name${hint(name, known)}` : 'the model has no actuators',
      )
    }
    if (Object.hasOwn(found, k)) refuse(`--control ${name}`, 'this actuator was given twice, by its name and by its number')
    found[k] = value
  }
  return found
}
