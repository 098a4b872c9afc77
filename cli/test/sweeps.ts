/**
 * Sweeps in processes of their own, which tests watch and kill; and what they leave behind.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'

const program = fileURLToPath(new URL('../bin/limber.js', import.meta.url))

export interface Process {
  readonly child: ChildProcess
  /** what it has said so far */
  stderr(): string
  stdout(): string
  /** its exit code, null when it was killed */
  readonly ended: Promise<number | null>
}

/** Starts a program for the test that runs; `limber` is ours. */
export function start(command: readonly string[], env: Record<string, string> = {}): Process {
  const words = command.flatMap((word) => (word === 'limber' ? [process.execPath, program] : [word]))
  const child = spawn(words[0] ?? '', words.slice(1), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FORCE_COLOR: undefined, ...env },
  })
  let over = false
  // no test leaves a process behind, whatever it found
  onTestFinished(() => {
    if (!over) child.kill('SIGKILL')
  })
  let [out, err] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      over = true
      resolve(code)
    })
  })
  return { child, ended, stdout: () => out, stderr: () => err }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Waits until it is so; fails with what `describe` says when it takes too long. */
export async function until(isSo: () => boolean | Promise<boolean>, describe: () => string, seconds = 60): Promise<void> {
  const end = performance.now() + 1000 * seconds
  while (!(await isSo())) {
    if (performance.now() > end) expect.fail(`waited ${seconds} s: ${describe()}`)
    await sleep(20)
  }
}

export interface Row {
  readonly job: number
  readonly values: Record<string, unknown>
  readonly status: string
  readonly hash?: string
  readonly q?: number[]
  readonly v?: number[]
  readonly time?: number
  readonly wall?: number
}

/** Rows of the complete table. */
export function rowsOf(folder: string): Row[] {
  return readFileSync(join(folder, 'results.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

/** All of the rows that does not depend on the clock. */
export function timeless(rows: readonly Row[]): object[] {
  return rows.map((row) => {
    const { wall: _, ...rest } = row
    return rest
  })
}

/** Lines of the CSV table, without the column of the clock. */
export function csvOf(folder: string): string[][] {
  const lines = readFileSync(join(folder, 'results.csv'), 'utf8').trimEnd().split('\n')
  const table = lines.map((line) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) => cell ?? '').slice(0, lines[0]?.split(',').length),
  )
  const clock = table[0]?.indexOf('wall') ?? -1
  return table.map((row) => row.filter((_, k) => k !== clock))
}

/** Whole lines of the journal: rows as they are so far. */
export function journalOf(folder: string): Row[] {
  const path = join(folder, 'journal.jsonl')
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line.slice(line.indexOf(' ') + 1)) as Row)
}
