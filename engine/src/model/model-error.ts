/**
 * The engine's only exception: bad input, with every problem found, each with its place. Of very many the first are told, and how many there are.
 */
import { LIMITS } from './limits.js'

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
    const told = tellable(problems)
    super(told.map(formatProblem).join('\n'))
    this.problems = told
  }
}

/** A file of a million mistakes makes no message of a million lines. */
function tellable(problems: readonly Problem[]): readonly Problem[] {
  const { problems: most, message: longest, path: longestPath } = LIMITS
  const clip = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)
  // of a path the end says most
  const clipPath = (path: string): string => (path.length > longestPath ? `…${path.slice(path.length - longestPath + 1)}` : path)
  const isLong = (problem: Problem): boolean => problem.message.length > longest || problem.path.length > longestPath
  const first = problems.length > most ? problems.slice(0, most) : problems
  const told = first.some(isLong)
    ? first.map((problem) => ({ ...problem, path: clipPath(problem.path), message: clip(problem.message) }))
    : first
  return told.length === problems.length ? told : [...told, { path: '', message: `and ${problems.length - told.length} more problems` }]
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
