/**
 * `--state FILE`: coordinates, velocities, joint forces and accelerations as JSON with comments, checked against the model.
 */
import { readFile } from 'node:fs/promises'
import { type GivenState, type Model, ModelError, parseState, type State } from 'limber'

/** Reads and checks a state file; throws a ModelError that names each entry that is wrong and the joint it belongs to. */
export async function readStateFile(file: string, model: Model): Promise<GivenState> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new ModelError([
      { path: file, message: missing ? 'no such file; check the path' : `cannot be read: ${(error as Error).message}` },
    ])
  }
  return parseState(text, model, { file })
}

/** Copies what was given; the rest stays as it was. */
export function applyState(state: State, given: GivenState): void {
  if (given.t !== undefined) state.t = given.t
  if (given.q) state.q.set(given.q)
  if (given.v) state.v.set(given.v)
  if (given.tau) state.tau.set(given.tau)
  if (given.control) state.control.set(given.control)
  if (given.act) state.act.set(given.act)
}
