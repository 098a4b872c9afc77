/**
 * What runs with checkpoints may leave behind when they are killed, and what they must come to.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readCheckpoint } from '../src/checkpoint.js'
import { readFrames } from '../src/frames-file.js'
import { limberBeside, type Result } from './limber.js'

export const checkpoint = 'run.checkpoint'
/** of the file that a result is to replace */
export const old = 'what was there before\n'

export interface Case {
  readonly args: readonly string[]
  readonly out: string
}

/** What it must come to: a run that is not interrupted, without checkpoints. */
export async function expected(folder: string, { args, out }: Case): Promise<{ result: unknown; recording: Buffer }> {
  const cwd = join(folder, `whole-${out}`)
  mkdirSync(cwd)
  const ended = await limberBeside(['run', ...args, '--out', out, '--json'], { cwd })
  return { result: resultOf(ended), recording: readFileSync(join(cwd, out)) }
}

/** All that a run prints but the time it took. */
export function resultOf({ code, stdout, stderr }: Result): unknown {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { wall, ...result } = JSON.parse(stdout) as { wall: number }
  expect(wall).toBeGreaterThan(0)
  return result
}

/** Every file in the folder is a result that is whole, or is named as one that is being made. */
export function expectWhole(cwd: string, out: string, recording: Buffer): 'absent' | 'stepping' | 'finished' {
  for (const name of readdirSync(cwd)) {
    if (name === out) expect([old, recording.toString('latin1')]).toContain(readFileSync(join(cwd, name), 'latin1'))
    else expect(name).toMatch(/^run\.checkpoint$|^run\.checkpoint\.frames-[ab]$|\.limber-[\w-]+-\d+-\d+-\d+\.part$/)
  }
  const file = join(cwd, checkpoint)
  if (!existsSync(file)) return 'absent'
  const { finished, recording: frames } = readCheckpoint(file)
  if (!frames) throw new Error('the checkpoint knows nothing of the recording')
  if (finished) {
    expect(readFileSync(join(cwd, out)).equals(recording)).toBe(true)
    return 'finished'
  }
  expect([...readFrames(file, frames)].reduce((sum, rows) => sum + rows.byteLength, 0)).toBe(frames.bytes)
  return 'stepping'
}

/** After the last run: nothing but results, nothing half made. */
export function expectTidy(cwd: string, out: string): void {
  expect(readdirSync(cwd).sort()).toEqual([out, checkpoint].sort())
}
