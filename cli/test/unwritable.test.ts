/**
 * Targets that cannot be written, and readers that go away: what was there stays, the command says why, and nobody is shown a stack.
 */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { pendulum, temporaryFolder } from './limber.js'

const folder = temporaryFolder()
folder.put('pendulum.xml', pendulum)
const model = join(folder.path, 'pendulum.xml')
const program = fileURLToPath(new URL('../bin/limber.js', import.meta.url))
const limber = (args: readonly string[], cwd = folder.path) => spawnSync(process.execPath, [program, ...args], { cwd, encoding: 'utf8' })

const STACK = /\n\s+at /

describe('a folder that may only be read', () => {
  const place = join(folder.path, 'read-only')
  mkdirSync(place)
  // root may write wherever there is a right to be had: for it the disk itself must refuse
  const isRoot = process.getuid?.() === 0
  const mounted = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place]).status === 0
  for (const name of ['motion.csv', 'model.json', 'run.checkpoint', 'domain.reduced']) writeFileSync(join(place, name), 'old')
  if (mounted) spawnSync('mount', ['-o', 'remount,ro', place])
  else chmodSync(place, 0o555)
  afterAll(() => {
    if (mounted) spawnSync('umount', [place])
    else chmodSync(place, 0o755)
  })

  it.skipIf(isRoot && !mounted).each([
    ['a recording', 'motion.csv', ['run', model, '--duration', '0.1', '--out', join(place, 'motion.csv')]],
    ['a recording that is new', 'new.npy', ['run', model, '--duration', '0.1', '--out', join(place, 'new.npy')]],
    ['a conversion', 'model.json', ['convert', model, join(place, 'model.json')]],
    ['a checkpoint', 'new.checkpoint', ['run', model, '--duration', '0.1', '--checkpoint', join(place, 'new.checkpoint')]],
  ])('%s is refused there, and what was there stays', (_, name, args) => {
    const { status, stderr, stdout } = limber(args)
    expect(status).not.toBe(0)
    expect(stderr + stdout).toMatch(/cannot be written|no right|read-only/i)
    expect(stderr).not.toMatch(STACK)
    expect(existsSync(join(place, name)) ? readFileSync(join(place, name), 'utf8') : 'old').toBe('old')
    expect(readdirSync(place).sort()).toEqual(['domain.reduced', 'model.json', 'motion.csv', 'run.checkpoint'])
  })
})

/** Runs the command with one end of a pipe closed as soon as it begins. */
function withClosed(
  stream: 'stdout' | 'stderr',
  args: readonly string[],
): Promise<{ code: number | null; signal: string | null; other: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: folder.path })
    let other = ''
    child[stream].destroy()
    child[stream === 'stdout' ? 'stderr' : 'stdout'].on('data', (data: Buffer) => {
      other += data.toString()
    })
    child.on('close', (code, signal) => resolve({ code, signal, other }))
  })
}

describe('a reader that goes away', () => {
  it.each([
    ['a scene', ['scene', 'crowd']],
    ['a summary', ['run', model, '--duration', '0.2', '--json']],
    ['a description', ['info', 'humanoid', '--all', '--json']],
  ])('of %s is no error', async (_, args) => {
    const { code, signal, other } = await withClosed('stdout', args)
    expect({ code, signal }).toEqual({ code: 0, signal: null })
    expect(other).not.toMatch(STACK)
  })

  it('of messages does not stop a run that records', async () => {
    const out = join(folder.path, 'unheard.csv')
    rmSync(out, { force: true })
    const { code, signal } = await withClosed('stderr', ['run', model, '--duration', '0.2', '--out', out])
    expect({ code, signal }).toEqual({ code: 0, signal: null })
    expect(readFileSync(out, 'utf8').split('\n').length).toBeGreaterThan(5)
  })

  it('of messages does not change what a failure is', async () => {
    const { code, signal, other } = await withClosed('stderr', ['run', join(folder.path, 'none.xml')])
    expect({ code, signal, other }).toEqual({ code: 2, signal: null, other: '' })
  })
})
