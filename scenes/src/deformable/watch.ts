/**
 * Word of what a build is at, for whoever shows it: reduction takes seconds.
 */
import type { Mesh, ReduceOptions } from 'limber'

type Listener = (what: string, done: number) => void

let listener: Listener = () => {}

/** Hears of every reduction from now on, instead of the listener before: what is done, and how much of it. */
export function watchReduction(next: Listener): void {
  listener = next
}

/** For `reduce`: passes its progress on. */
export function tellReduction({ corners, elements }: Mesh, { modes }: ReduceOptions): NonNullable<ReduceOptions['progress']> {
  const what = `a mesh of ${(elements.length / corners).toLocaleString('en')} elements to ${modes} modes`
  return (done, step) => listener(`Reducing ${what}: ${step}`, done)
}
