/**
 * `kill -9` at any moment of a run with checkpoints: every file under the name of a result is whole, old or absent, and the run goes on to the bits of
 * one that was never interrupted.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limberBeside, temporaryFolder } from './limber.js'
import { type Case, checkpoint, expected, expectTidy, expectWhole, old, resultOf } from './whole.js'

const folder = temporaryFolder()

/** of a last step that is shorter than the others, too */
const cases: readonly Case[] = [
  { args: ['chain', '--solver', 'ode', '--set', 'method=gear', '--duration', '2.0005'], out: 'gear.csv' },
  { args: ['double-pendulum', '--solver', 'ode', '--set', 'method=rk4', '--duration', '3'], out: 'rk4.npy' },
  { args: ['four-bar', '--solver', 'redmax', '--duration', '1.5'], out: 'redmax.mcap' },
  { args: ['chain', '--solver', 'position', '--timestep', '0.01', '--duration', '2.003'], out: 'position.json' },
  { args: ['chain', '--solver', 'ode', '--set', 'method=bdf', '--duration', '1'], out: 'bdf.glb' },
]
const kills = 10
/** runs that may end before they are killed */
const most = 60

/** numbers from 0 to 1 that are the same in every run of the tests */
function seeded(seed: number): () => number {
  let x = seed
  return () => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0
    return x / 2 ** 32
  }
}

describe('kill -9 at a random moment', () => {
  it.concurrent.each(cases.map((one, k) => [one.out, k + 1, one] as const))(
    'of a run that records %s, seed %i',
    async (_name, seed, one) => {
      const { args, out } = one
      const { result, recording } = await expected(folder.path, one)
      const cwd = join(folder.path, `killed-${out}`)
      const random = seeded(seed)
      const begin = ['run', ...args, '--out', out, '--checkpoint', checkpoint, '--checkpoint-every', '0.02', '--json']
      const goOn = ['run', args[0] ?? '', '--resume', checkpoint, '--json']
      const fresh = () => {
        rmSync(cwd, { recursive: true, force: true })
        mkdirSync(cwd)
        if (random() < 0.5) writeFileSync(join(cwd, out), old)
      }
      /** Whether a checkpoint was written from now on. */
      const written = () => {
        const inode = () => statSync(join(cwd, checkpoint), { throwIfNoEntry: false })?.ino
        const before = inode()
        return () => inode() !== before
      }

      // how long it takes here and now
      fresh()
      const first = await limberBeside(begin, { cwd, since: written() })
      expect(resultOf(first)).toEqual(result)
      expect(expectWhole(cwd, out, recording)).toBe('finished')

      let killed = 0
      const found = { absent: 0, stepping: 0, finished: 0 }
      fresh()
      // kills that find nothing begun, or all done, prove little: until one finds it at work
      for (let attempt = 0; killed < kills || found.stepping === 0; attempt++) {
        expect(attempt).toBeLessThan(most)
        const args = existsSync(join(cwd, checkpoint)) ? goOn : begin
        // every second one dies between its first checkpoint and its end, the others at any time
        const moment =
          attempt % 2 === 0 ? { killAfter: random() * first.milliseconds } : { killAfter: random() * first.after, since: written() }
        const ended = await limberBeside(args, { cwd, ...moment })
        const stands = expectWhole(cwd, out, recording)
        if (ended.signal === 'SIGKILL') {
          killed++
          found[stands]++
        } else expect(resultOf(ended)).toEqual(result)
        if (stands === 'finished') fresh()
      }
      const last = await limberBeside(existsSync(join(cwd, checkpoint)) ? goOn : begin, { cwd })
      expect(resultOf(last)).toEqual(result)
      expect(readFileSync(join(cwd, out)).equals(recording)).toBe(true)
      expectTidy(cwd, out)
    },
  )
})
