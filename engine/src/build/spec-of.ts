/**
 * The spec that a model was built from, for what needs its shapes: a model itself has none to draw. A copy of a model has lost it.
 */
import type { Model } from '../model/model.js'
import type { PlacedSpec as Spec } from './spec.js'

const specs = new WeakMap<Model, Spec>()

export function rememberSpec(model: Model, spec: Spec): void {
  specs.set(model, spec)
}

export function specOf(model: Model): Spec | undefined {
  return specs.get(model)
}
