/**
 * What a thread other than the first one is given, and does.
 */
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { serveProcessor as serve } from './crew.js'
import type { Link } from './link.js'

/** Structured data: functions cannot be handed to a thread, so that forces of the user's own come from a module. */
export interface ProcessorTask {
  readonly model: Model
  /** address of a module whose `forces`, a list or a function of the model that makes one, act on bodies of each processor */
  readonly forces?: string
}

export type ForcesModule = { readonly forces: readonly Force[] | ((model: Model) => readonly Force[]) }

/** Serves until its work is done. */
export async function serveProcessor(link: Link, task: unknown): Promise<void> {
  const { model, forces } = task as ProcessorTask
  serve(model, link, forces === undefined ? [] : await loadForces(forces, model))
}

export async function loadForces(module: string, model: Model): Promise<readonly Force[]> {
  const { forces } = (await import(/* @vite-ignore */ module)) as ForcesModule
  return typeof forces === 'function' ? forces(model) : forces
}
