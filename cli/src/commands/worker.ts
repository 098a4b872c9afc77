/**
 * `limber worker`: runs jobs of sweeps that others have put on a NATS server.
 */
import { availableParallelism, hostname } from 'node:os'
import type { Command } from 'commander'
import { act, addCommand, type Session, success } from '../command.js'
import { interruption } from '../interruption.js'
import { count, short } from '../output.js'
import { readAddress } from '../sweep/nats/address.js'
import { openLink } from '../sweep/nats/link.js'
import { runWorker } from '../sweep/nats/worker.js'
import { positiveNumber, wholeNumber } from '../values.js'

interface WorkerOptions {
  readonly json?: boolean
  readonly nats: string
  readonly threads?: number
  readonly idle?: number
}

export function registerWorker(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'worker',
    summary: 'run jobs of sweeps from a NATS server',
    description:
      'Joins the sweeps that limber sweep --nats has put on a server, from any machine, and runs their jobs. Needs no files: models come with the sweep.\n' +
      'Stays until it is stopped (Ctrl-C gives its jobs back), and connects again when server or network were gone.',
    examples: ['limber worker --nats nats://host:4222', 'limber worker --nats nats://host:4222 --threads 8 --idle 60'],
  })
    .requiredOption('--nats <url>', 'the server; NATS_USER, NATS_PASSWORD or NATS_TOKEN may hold the credentials')
    .option('--threads <n>', 'jobs at a time (default: one for each processor)', wholeNumber(1))
    .option('--idle <seconds>', 'end after this long without work (default: stay)', positiveNumber)
  act<WorkerOptions>(command, session, async (_, options, output) => {
    const threads = options.threads ?? availableParallelism()
    const begin = performance.now()
    const note = (text: string): void => output.note(text)
    const link = await openLink(readAddress(options.nats), `limber worker on ${hostname()}`, note)
    const { signal, release } = interruption()
    try {
      note(`limber: worker with ${count(threads, 'thread')} on ${link.shown}`)
      const { jobs, failed } = await runWorker(link, { threads, idle: options.idle, signal, note })
      const seconds = (performance.now() - begin) / 1000
      output.document({ jobs, failed, seconds })
      output.line(`${count(jobs, 'job')} run${failed > 0 ? `, ${failed} of them failed` : ''}, ${short(seconds)} s`)
      return success
    } finally {
      release()
      await link.close()
    }
  })
}
