/**
 * Bad input: thrown from anywhere, printed in one place.
 */
// of the core: the studio needs no more of the engine
import { ModelError } from 'limber/core'

/** Refuses one thing: `where` is an option, a file or a place in one. */
export function refuse(where: string, message: string): never {
  throw new ModelError([{ path: where, message }])
}

/** Runs `action`, and names `file` in the problems it throws where they do not. */
export async function inFile<T>(file: string, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    throw new ModelError(
      error.problems.map((problem) => {
        if (problem.place) return { ...problem, place: { file, ...problem.place } }
        if (problem.path.startsWith('-') || problem.path.startsWith(file)) return problem
        return { ...problem, path: problem.path ? `${file}: ${problem.path}` : file }
      }),
    )
  }
}
