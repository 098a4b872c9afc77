/** Starts programs of tests with Open MPI, bounded in time; nothing of them stays. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

const MPIRUN = '/usr/bin/mpirun.openmpi'

/** Why there is no MPI here, or undefined. */
export const noMpi: string | undefined = existsSync(MPIRUN) ? undefined : 'skipped: apt-get install openmpi-bin libopenmpi-dev'

export interface MpiResult {
  /** 128 and its number after a signal, as of a shell */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly seconds: number
}

export interface MpiRunOptions {
  /** arguments of mpirun, before the program */
  readonly options?: readonly string[]
  /** words before mpirun */
  readonly within?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** called with the process of mpirun and all that was printed so far, whenever there is more */
  readonly onOutput?: (child: ChildProcess, stdout: string) => void
}

/** what hangs ends after so many seconds */
const LONGEST = 60

/** Runs n processes of a program (its words), and resolves when all have ended, well or not. */
export function mpirun(
  n: number,
  program: readonly string[],
  { options = [], within = [], env = {}, onOutput }: MpiRunOptions = {},
): Promise<MpiResult> {
  const words = [...within, MPIRUN, '--allow-run-as-root', '--oversubscribe', '--bind-to', 'none', ...options, '-n', String(n), ...program]
  const began = performance.now()
  const child = spawn(words[0], words.slice(1), { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    onOutput?.(child, stdout)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  // mpirun ends its processes when it is asked to end; they end by themselves where it is killed
  const timers = [setTimeout(() => child.kill('SIGTERM'), 1000 * LONGEST), setTimeout(() => child.kill('SIGKILL'), 1000 * (LONGEST + 10))]
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      timers.forEach(clearTimeout)
      resolve({ code: code ?? 128 + (signal === 'SIGKILL' ? 9 : 15), stdout, stderr, seconds: (performance.now() - began) / 1000 })
    })
  })
}
