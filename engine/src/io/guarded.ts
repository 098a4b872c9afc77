/**
 * The last resort of every reader: what still exhausts the stack or the memory, which differ from one JavaScript engine to the next, is bad input like any other.
 */
import { isExhausted, LIMITS } from '../model/limits.js'
import { ModelError, type Place } from '../model/model-error.js'

/** Gives what `read` gives; where that runs out of stack or memory, a `ModelError`. */
export function guarded<T>(file: string | undefined, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw isExhausted(error) ? tooLarge(file) : error
  }
}

/** Refuses text or bytes that are longer than a file may be. */
export function checkSize(file: string | undefined, data: string | Uint8Array): void {
  if (data.length <= LIMITS.bytes) return
  throw new ModelError([
    { path: file ?? '', message: `expected at most ${LIMITS.bytes} bytes, got ${data.length}; split the file, or simplify it` },
  ])
}

function tooLarge(file: string | undefined): ModelError {
  const place: Place = { ...(file === undefined ? {} : { file }), line: 1, column: 1 }
  return new ModelError([{ path: '', place, message: 'too large or nested too deeply to be read here; split it, or simplify it' }])
}
