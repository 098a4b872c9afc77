/**
 * What a reader did not take over, told apart: what the model's own notes tell, because the motion depends on it, and the rest.
 */
import type { Ignored, Model } from 'limber'

/** Whether the notes of the model tell it already. */
export const isTold = (model: Pick<Model, 'notes'>, { path, what }: Ignored): boolean =>
  model.notes.some((note) => note.startsWith(`${what} (${path})`))
