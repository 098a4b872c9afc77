/** Threads within the page: the simulation, itself in a worker, shares its columns with another one. */
import { describe, expect, it } from 'vitest'
import { noBrowser, patience, runFor, seek, slowly, small, useStudio } from './harness.js'

const FRAME = 20
const view = (workers: number): string =>
  `#scene=umbrella&segments=8&solver=redmax&solver.linear=pcg&solver.scheme=linear&timestep=0.01&solver.workers=${workers}`

describe.skipIf(noBrowser)('solver.workers', () => {
  const studio = useStudio()

  it(
    'starts threads in the page, and changes no bit of the motion',
    async () => {
      const hashes: string[] = []
      for (const workers of [0, 1]) {
        await studio.visit({ ...small, hash: view(workers) }, async (page) => {
          const threads = (): number => page.workers().filter((worker) => /column-worker/.test(worker.url())).length
          if (workers > 0) await expect.poll(threads, slowly).toBe(workers)
          else expect(threads()).toBe(0)
          await runFor(page, 1)
          hashes.push(await seek(page, FRAME))
        })
      }
      expect(hashes[0]).not.toBe('')
      expect(hashes[1]).toBe(hashes[0])
    },
    2 * patience,
  )
})
