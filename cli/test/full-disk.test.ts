/**
 * A disk that is full before a run is over: the recording holds what fitted, its own reader takes it, and the command says so.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { validateBytes } from 'gltf-validator'
import { buildModel, readCsv, readMcap, readNpy, readTrajectoryJson, recordedModel } from 'limber'
import { loadSpec } from 'limber/node'
import { afterAll, describe, expect, it } from 'vitest'
import { pendulum, temporaryFolder } from './limber.js'

const folder = temporaryFolder()
folder.put('pendulum.xml', pendulum)
const model = recordedModel(buildModel(loadSpec(join(folder.path, 'pendulum.xml'))))
const program = fileURLToPath(new URL('../bin/limber.js', import.meta.url))
const fps = 500
const readers: Readonly<Record<string, (bytes: Buffer) => Promise<number | undefined>>> = {
  csv: async (bytes) => readCsv(bytes.toString()).times.length,
  json: async (bytes) => readTrajectoryJson(bytes.toString()).times.length,
  npy: async (bytes) => readNpy(bytes, model).times.length,
  mcap: async (bytes) => (await readMcap(bytes)).times.length,
  glb: async (bytes) => {
    const { issues } = (await validateBytes(new Uint8Array(bytes))) as { issues: { numErrors: number } }
    expect(issues.numErrors).toBe(0)
    return undefined
  },
}
const formats = Object.entries(readers)

async function expectCut(
  cwd: string,
  out: string,
  { status, stderr }: { status: number | null; stderr: string },
  read: (typeof readers)['csv'],
) {
  expect(stderr).toMatch(/there is no space left.*; motion\.\w+ holds \d+ frames, up to t = [\d.]+ s/)
  expect(status).toBe(1)
  const said = Number(/holds (\d+) frames/.exec(stderr)?.[1])
  expect((await read(readFileSync(join(cwd, out)))) ?? said).toBe(said)
  expect(said).toBeGreaterThan(20)
  expect(readdirSync(cwd)).toEqual([out])
}

const command = (out: string): string[] => [
  program,
  'run',
  join(folder.path, 'pendulum.xml'),
  '--duration',
  '400',
  '--fps',
  String(fps),
  '--out',
  out,
]

const disk = join(folder.path, 'disk')
mkdirSync(disk)
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1500k', 'tmpfs', disk]).status === 0
afterAll(() => {
  if (mounted) spawnSync('umount', [disk])
})

describe('where a file may not become longer', () => {
  // all of them where no disk can be filled
  it.each(mounted ? formats.slice(0, 1) : formats)('a .%s ends earlier', async (suffix, read) => {
    const cwd = join(folder.path, `limit-${suffix}`)
    mkdirSync(cwd)
    const out = `motion.${suffix}`
    const ended = spawnSync('sh', ['-c', 'ulimit -f 600 && exec "$@"', 'sh', process.execPath, ...command(out)], { cwd, encoding: 'utf8' })
    await expectCut(cwd, out, ended, read)
  })

  it('nothing is left of a recording that has room for no frame, and what was there stays', () => {
    const cwd = join(folder.path, 'none')
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'motion.csv'), 'old')
    const { status, stderr } = spawnSync('sh', ['-c', 'ulimit -f 1 && exec "$@"', 'sh', process.execPath, ...command('motion.csv')], {
      cwd,
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/motion\.csv: cannot be written: there is no space left/)
    expect(status).toBe(1)
    expect(readdirSync(cwd)).toEqual(['motion.csv'])
    expect(readFileSync(join(cwd, 'motion.csv'), 'utf8')).toBe('old')
  })
})

describe('on a disk of a megabyte and a half', () => {
  it.skipIf(!mounted).each(formats)('a .%s holds what fitted (skipped where no disk may be mounted)', async (suffix, read) => {
    const cwd = join(disk, suffix)
    mkdirSync(cwd)
    const out = `motion.${suffix}`
    const ended = spawnSync(process.execPath, command(out), { cwd, encoding: 'utf8' })
    await expectCut(cwd, out, ended, read)
    rmSync(cwd, { recursive: true })
  })
})
