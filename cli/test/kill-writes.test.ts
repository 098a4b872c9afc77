/**
 * `kill -9` in the middle of every single change of a file that a run with checkpoints makes: half a write, before a renaming, before a removal.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { limber, limberKilledAt, temporaryFolder } from './limber.js'
import { type Case, checkpoint, expected, expectTidy, expectWhole, old, resultOf } from './whole.js'

const folder = temporaryFolder()
/** one checkpoint between its first and its last step */
const one: Case = { args: ['double-pendulum', '--duration', '0.03'], out: 'motion.csv' }
const begin = ['run', ...one.args, '--out', one.out, '--checkpoint', checkpoint, '--checkpoint-every', '0.02', '--json']
const goOn = ['run', 'double-pendulum', '--resume', checkpoint, '--json']

it('a run that is killed in any change of a file goes on to the same bits, and leaves nothing that is not whole', async () => {
  const { result, recording } = await expected(folder.path, one)
  const make = (name: string): string => {
    const cwd = join(folder.path, name)
    mkdirSync(cwd)
    writeFileSync(join(cwd, one.out), old)
    return cwd
  }
  const counted = /(\d+) changes/.exec((await limberKilledAt(undefined, begin, { cwd: make('counted') })).stderr)
  const changes = Number(counted?.[1])
  expect(changes).toBeGreaterThan(20)

  const at = async (n: number): Promise<void> => {
    const cwd = make(`change-${n}`)
    expect((await limberKilledAt(n, begin, { cwd })).signal).toBe('SIGKILL')
    let stands = expectWhole(cwd, one.out, recording)
    // some are killed again while they go on
    if (stands === 'stepping' && n % 4 === 0) {
      await limberKilledAt(2 + (n % 14), goOn, { cwd })
      stands = expectWhole(cwd, one.out, recording)
    }
    // what is whole for this process is so for another
    const last = await limber(stands === 'absent' ? begin : goOn, { cwd })
    // of a run that was finished the result is printed again, with a word about it
    expect(resultOf(stands === 'finished' ? { ...last, stderr: '' } : last)).toEqual(result)
    expect(readFileSync(join(cwd, one.out)).equals(recording)).toBe(true)
    expect(readdirSync(cwd).filter((name) => name.includes('.frames-'))).toEqual([])
    if (stands !== 'finished') expectTidy(cwd, one.out)
  }
  const numbers = Array.from({ length: changes }, (_, k) => k + 1)
  const serve = async (): Promise<void> => {
    for (let n = numbers.shift(); n !== undefined; n = numbers.shift()) await at(n)
  }
  await Promise.all([serve(), serve()])
})
