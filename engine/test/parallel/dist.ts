/**
 * The engine as it is built, because threads load their part from a file of it: `npm test` builds before it tests.
 */
import { fileURLToPath } from 'node:url'

export const DIST = new URL('../../dist/', import.meta.url)

type Limber = typeof import('limber')
type Redmax = typeof import('../../src/solvers/redmax/redmax.js')
type Threads = typeof import('../../src/parallel/column-threads.js')

/** Modules of the built engine; the same ones for every caller. */
export async function loadBuilt(): Promise<Limber & Pick<Redmax, 'redmaxWith'> & Pick<Threads, 'startColumnThreads'>> {
  const load = async (path: string): Promise<unknown> => import(/* @vite-ignore */ fileURLToPath(new URL(path, DIST)))
  const all = (await load('index.js')) as Limber
  const { redmaxWith } = (await load('solvers/redmax/redmax.js')) as Redmax
  const { startColumnThreads } = (await load('parallel/column-threads.js')) as Threads
  return { ...all, redmaxWith, startColumnThreads }
}
