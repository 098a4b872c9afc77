import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { crc32 } from './crc32.js'
import { writeBeside } from './write-beside.js'

const root = mkdtempSync(join(tmpdir(), 'limber-write-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let made = 0
const folder = (): string => {
  const path = join(root, String(++made))
  mkdirSync(path)
  return path
}
const host = hostname()
  .replace(/[^\w-]/g, '-')
  .slice(0, 40)

describe('writeBeside', () => {
  it('writes text and bytes, in folders that are not there yet, and leaves nothing beside', () => {
    const at = join(folder(), 'a', 'b')
    writeBeside(join(at, 'text'), 'one')
    writeBeside(join(at, 'text'), 'two')
    writeBeside(join(at, 'bytes'), Uint8Array.of(0, 255))
    expect(readFileSync(join(at, 'text'), 'utf8')).toBe('two')
    expect([...readFileSync(join(at, 'bytes'))]).toEqual([0, 255])
    expect(readdirSync(at).sort()).toEqual(['bytes', 'text'])
  })

  it('keeps the rights of the file that it replaces, and the link that leads to it', () => {
    const at = folder()
    writeFileSync(join(at, 'file'), 'old')
    chmodSync(join(at, 'file'), 0o640)
    symlinkSync('file', join(at, 'link'))
    writeBeside(join(at, 'link'), 'new')
    expect(readFileSync(join(at, 'file'), 'utf8')).toBe('new')
    expect(statSync(join(at, 'file')).mode & 0o777).toBe(0o640)
    expect(readdirSync(at).sort()).toEqual(['file', 'link'])
  })

  it('takes names as long as a folder takes them', () => {
    const at = folder()
    writeBeside(join(at, 'ö'.repeat(120)), 'long')
    expect(readdirSync(at)).toEqual(['ö'.repeat(120)])
  })

  it('leaves the old file, and nothing beside it, where the new one cannot take its place', () => {
    const at = folder()
    mkdirSync(join(at, 'folder', 'in it'), { recursive: true })
    expect(() => writeBeside(join(at, 'folder'), 'x')).toThrow(/folder: cannot be written: .*What was there before is as it was/)
    expect(() => writeBeside(join(at, 'folder', 'x\0y'), 'x')).toThrow(/cannot be written/)
    expect(readdirSync(at)).toEqual(['folder'])
    writeFileSync(join(at, 'file'), 'old')
    expect(() => writeBeside(join(at, 'file', 'below'), 'x')).toThrow(/below: cannot be written/)
    expect(readFileSync(join(at, 'file'), 'utf8')).toBe('old')
  })

  it('removes what dead processes of this machine left, and nothing else', () => {
    const at = folder()
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    const part = (machine: string, id: number, n = 1) => `result.csv.limber-${machine}-${id}-0-${n}.part`
    const kept = [part(host, process.ppid), part('elsewhere', dead), part(host, process.pid, 1e9), `result.csv.${dead}.part`, 'mine.part']
    const gone = [part(host, dead), part(host, dead, 7), part(host, process.pid, 2e9)]
    for (const name of [...kept, ...gone]) writeFileSync(join(at, name), 'half')
    // written before this process began, by one that had its number
    utimesSync(join(at, part(host, process.pid, 2e9)), 1, 1)
    writeBeside(join(at, 'result.csv'), 'whole')
    expect(readdirSync(at).sort()).toEqual([...kept, 'result.csv'].sort())
  })

  it.skipIf(!existsSync('/dev/full'))('writes to devices as they are, and says when they are full', () => {
    expect(() => writeBeside('/dev/full', 'x')).toThrow(/\/dev\/full: cannot be written: there is no space left for it \(ENOSPC\)/)
    expect(statSync('/dev/full').isFile()).toBe(false)
  })

  it('leaves the old file on a disk that is full', ({ skip }) => {
    const at = folder()
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', at]).status === 0
    if (!mounted) skip('no right to mount a small disk here')
    try {
      writeBeside(join(at, 'result'), 'old')
      expect(() => writeBeside(join(at, 'result'), Buffer.alloc(1 << 20))).toThrow(/no space left for it \(ENOSPC\); make room/)
      expect(readFileSync(join(at, 'result'), 'utf8')).toBe('old')
      expect(readdirSync(at)).toEqual(['result'])
    } finally {
      spawnSync('umount', [at])
    }
  })

  it('leaves a folder without the right to write as it was', ({ skip }) => {
    if (process.getuid?.() === 0 && !process.seteuid) skip('this thread cannot become another user')
    const at = folder()
    writeFileSync(join(at, 'result'), 'old')
    chmodSync(at, 0o555)
    chmodSync(root, 0o755)
    // the system's administrator may write everywhere: asked as somebody else
    const user = process.getuid?.() === 0 ? 65_534 : undefined
    if (user !== undefined) process.seteuid?.(user)
    try {
      for (const file of ['result', 'other']) {
        expect(() => writeBeside(join(at, file), 'new')).toThrow(/cannot be written: there is no right to write there \(EACCES\)/)
      }
    } finally {
      if (user !== undefined) process.seteuid?.(0)
    }
    chmodSync(at, 0o755)
    expect(readdirSync(at)).toEqual(['result'])
    expect(readFileSync(join(at, 'result'), 'utf8')).toBe('old')
  })

  it('is what every command writes with', () => {
    const source = fileURLToPath(new URL('.', import.meta.url))
    const writing = /\b(writeFile|writeFileSync|writeSync|appendFile\w*|createWriteStream|copyFile\w*|rename\w*|openSync)\b/
    const files = (readdirSync(source, { recursive: true }) as string[]).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    )
    const writers = files.filter((name) => writing.test(readFileSync(join(source, name), 'utf8')))
    // the frames beside a checkpoint count as far as it says; checkpoints are opened to be read
    expect(writers.sort()).toEqual(['checkpoint.ts', 'frames-file.ts', 'sweep/journal.ts', 'sweep/lock.ts', 'write-beside.ts'])
  })
})

describe('crc32', () => {
  it('is that of the standard, and can be carried on', () => {
    const bytes = Buffer.from('123456789')
    expect(crc32(bytes)).toBe(0xcbf43926)
    expect(crc32(bytes.subarray(4), crc32(bytes.subarray(0, 4)))).toBe(0xcbf43926)
    expect(crc32(new Uint8Array())).toBe(0)
  })
})
