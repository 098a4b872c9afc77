/**
 * A scene: a set-up as code with named parameters, and the check of what a caller gives for them.
 */
import { type Model, ModelError, type Problem, type Spec, type State } from 'limber'

/** A number between `min` and `max`, or one of `choices`. */
export interface Parameter {
  readonly default: number | string
  readonly unit?: string
  readonly description: string
  readonly min?: number
  readonly max?: number
  /** whole numbers only */
  readonly integer?: boolean
  readonly choices?: readonly string[]
}

export type ParameterValues = Readonly<Record<string, number | string>>

/** What `build` receives: a number or a string for each parameter, after its default. */
export type ValuesOf<P extends Readonly<Record<string, Parameter>>> = {
  readonly [K in keyof P]: P[K] extends { readonly choices: readonly (infer C)[] } ? C : number
}

export interface Scene {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly parameters: Readonly<Record<string, Parameter>>
  /** where to look at it from, six numbers: place of the camera, and the point in its middle. Default: from where all of it is seen */
  readonly camera?: readonly number[]
  /** as it is without values, for those that take seconds to build: bodies and degrees of freedom */
  readonly size?: SceneSize
  /** values with which a gallery opens it, where the defaults show less */
  readonly shown?: ParameterValues
  /** what moves its actuators before each step: writes state.control. Without it they are as a user sets them */
  readonly drive?: (model: Model) => Drive
  build(values: ParameterValues): Spec
}

/** Reads t and q. Writes control. */
export type Drive = (state: State) => void

export interface SceneSize {
  readonly bodies: number
  readonly dof: number
}

/** A scene whose `build` sees the types its parameters declare. Its `build` checks the values first. */
export function defineScene<const P extends Readonly<Record<string, Parameter>>>(scene: {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly parameters: P
  readonly camera?: readonly number[]
  readonly size?: SceneSize
  readonly shown?: ParameterValues
  readonly drive?: (model: Model) => Drive
  build(values: ValuesOf<P>): Spec
}): Scene {
  return { ...scene, build: (values) => scene.build(checkValues(scene.name, scene.parameters, values) as ValuesOf<P>) }
}

/** Fills in defaults; throws a ModelError that lists every value that is unknown, of the wrong type or out of range. */
function checkValues(scene: string, parameters: Readonly<Record<string, Parameter>>, given: ParameterValues): ParameterValues {
  const problems: Problem[] = []
  const values: Record<string, number | string> = {}
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(parameters, key)) continue
    problems.push({ path: `${scene}/${key}`, message: `unknown parameter; expected one of ${Object.keys(parameters).join(', ')}` })
  }
  for (const [key, parameter] of Object.entries(parameters)) {
    const value = given[key] ?? parameter.default
    const message = wrongValue(parameter, value)
    if (message) problems.push({ path: `${scene}/${key}`, message })
    else values[key] = parameter.choices ? value : Number(value)
  }
  if (problems.length > 0) throw new ModelError(problems)
  return values
}

/** What is wrong with a value for this parameter; undefined if nothing is. */
export function wrongValue(parameter: Parameter, value: number | string): string | undefined {
  const { choices, integer, min = -Infinity, max = Infinity } = parameter
  if (choices) return choices.includes(String(value)) ? undefined : `expected ${choices.join(' or ')}, got ${value}`
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  const inside = Number.isFinite(number) && number >= min && number <= max && (!integer || Number.isInteger(number))
  return inside ? undefined : `expected ${describeRange(parameter)}, got ${value}`
}

/** `a whole number from 1 to 10000`, for messages and listings. */
export function describeRange({ choices, integer, min, max }: Parameter): string {
  if (choices) return choices.join(' or ')
  const from = min === undefined ? '' : ` from ${min}`
  const to = max === undefined ? '' : ` to ${max}`
  return `a ${integer ? 'whole ' : ''}number${from}${to}`
}
