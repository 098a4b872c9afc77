/**
 * The engine's only exception: bad input, with every problem found, each with its place.
 */

/** A position in a source file; line and column count from 1. */
export interface Place {
  readonly file?: string
  readonly line: number
  readonly column: number
}

/** One thing wrong with an input. */
export interface Problem {
  /** where in the document, for example `bodies/3/inertia/mass` or `mujoco/worldbody/body[2]/geom` */
  readonly path: string
  /** what was expected, what was found, and what to do about it */
  readonly message: string
  readonly place?: Place
}

export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(formatProblem).join('\n'))
    this.problems = problems
  }
}

/** `file:line:column: path: message`, with the parts that are known. */
export function formatProblem(problem: Problem): string {
  const { path, message, place } = problem
  const parts: string[] = []
  if (place) parts.push(`${place.file ? `${place.file}:` : ''}${place.line}:${place.column}`)
  if (path) parts.push(path)
  parts.push(message)
  return parts.join(': ')
}
