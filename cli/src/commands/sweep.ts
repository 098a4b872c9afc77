/**
 * `limber sweep`: many simulations of one model, on threads or on workers anywhere; one table at the end.
 */
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'
import { act, addCommand, failure, type Session, success } from '../command.js'
import { interruption } from '../interruption.js'
import { count, type Output, short } from '../output.js'
import { refuse } from '../problem.js'
import { countFailed, type Description, openFolder, readFolder, type SweepFolder } from '../sweep/folder.js'
import { valuesOf } from '../sweep/jobs.js'
import { keyForms } from '../sweep/keys.js'
import { type Address, readAddress } from '../sweep/nats/address.js'
import { runOnNats } from '../sweep/nats/coordinator.js'
import { type Link, openLink } from '../sweep/nats/link.js'
import { removeStreams } from '../sweep/nats/streams.js'
import { runWorker } from '../sweep/nats/worker.js'
import { runOnThreads } from '../sweep/pool.js'
import { type Asked, prepare } from '../sweep/prepare.js'
import { createProgress } from '../sweep/progress.js'
import { encode, type SweepTask, sweepId } from '../sweep/task.js'
import type { Work } from '../sweep/work.js'
import { collectSetting, positiveNumber, wholeNumber } from '../values.js'

interface SweepOptions extends Asked {
  readonly json?: boolean
  readonly out: string
  readonly resume?: boolean
  readonly threads?: number
  readonly nats?: string
  readonly retryAfter: number
}

export function registerSweep(program: Command, session: Session): void {
  const width = Math.max(...keyForms.map(([form]) => form.length))
  const command = addCommand(program, {
    name: 'sweep',
    usage: '[model]',
    summary: 'run many simulations of a model with varied numbers',
    description:
      'Runs a model once for every combination of the values that vary, and writes one table of results: DIR/results.csv and, with the last states,\n' +
      'DIR/results.jsonl. A simulation that fails is a row. The same command again, or --resume, goes on where a sweep was interrupted.\n' +
      'Results do not depend on threads, workers or interruptions.',
    examples: [
      'limber sweep chain --vary links=10:100:10 --duration 2 --out chains',
      'limber sweep robot.xml --vary q.knee=-1:1:21 --vary damping.knee=0.01:10:7:log --out knees',
      'limber sweep robot.xml --vary solver=ode,redmax --vary timestep=1e-4:1e-2:5:log --out steps',
      'limber sweep robot.xml --random 1000 --seed 7 --vary gravity=1.6:9.81 --vary mass.torso=5:9 --out samples',
      'limber sweep --resume --out samples',
      'limber sweep robot.xml --vary v.hip=0:5:5000 --out far --nats nats://host:4222',
    ],
  })
    .option(
      '--vary <key=values>',
      'key=a:b:n (n values from a to b), key=a:b:n:log, or key=v1,v2,v3; repeat for all combinations',
      collectText,
    )
    .requiredOption('-o, --out <dir>', 'folder of the results')
    .option(
      '--random <n>',
      'draw n random samples instead of all combinations; --vary key=a:b or key=a:b:log gives a range',
      wholeNumber(1),
    )
    .option('--seed <s>', 'of the random samples', wholeNumber(0), 1)
    .option('--duration <seconds>', 'simulated time of each job (default: 1)', positiveNumber)
    .option('--timestep <seconds>', 'step (default: what the model suggests)', positiveNumber)
    .option('--solver <name>', 'auto, or a name that limber info lists (default: auto)')
    .option('--set <key=value>', 'fix a key, of the solver or any other that can vary; repeat for more', collectSetting)
    .option('--keyframe <name>', 'start from this keyframe of the model, its controls included')
    .option('--state <file>', 'start from {"q": [...], "v": [...], "tau": [...]}; keys that vary win')
    .option('--threads <n>', 'threads of this process (default: one for each processor; with --nats: none)', wholeNumber(0))
    .option('--resume', 'go on with the sweep in DIR, and refuse to begin one; MODEL and --vary may be left out')
    .option('--nats <url>', 'let workers do the jobs: see limber worker. NATS_USER, NATS_PASSWORD or NATS_TOKEN may hold the credentials')
    .option('--retry-after <seconds>', 'with --nats: a job whose worker is silent this long goes to another', positiveNumber, 30)
  command.addHelpText('after', `\nKeys:\n${keyForms.map(([form, meaning]) => `  ${form.padEnd(width)}  ${meaning}`).join('\n')}`)
  act<SweepOptions>(command, session, async ([file], options, output) => {
    const address = options.nats === undefined ? undefined : readAddress(options.nats)
    const sweep = await askedSweep(file, options)
    const folder = await openFolder(options.out, sweep.description, sweep.taskText)
    try {
      return await runSweep(folder, sweep, options, address, output)
    } finally {
      folder.close()
    }
  })
}

interface Sweep {
  readonly description: Description
  readonly task: SweepTask
  readonly taskText: string
}

/** From the command line, or from the folder where `--resume` stands alone. */
async function askedSweep(file: string | undefined, options: SweepOptions): Promise<Sweep> {
  if (options.resume) {
    const before = readFolder(options.out)
    if (file === undefined && (options.vary ?? []).length === 0) return before
  }
  if (file === undefined) return refuse('MODEL', 'expected a model file or the name of a built-in scene; only --resume goes without')
  const { task, ensemble, jobs } = await prepare(file, options)
  const { fixed, keyframe, state } = task
  const taskText = encode(task)
  const description = {
    id: sweepId(taskText, ensemble),
    limber: task.limber,
    model: file,
    content: createHash('sha256').update(encode(task.model)).digest('hex'),
    jobs,
    keys: task.keys,
    ensemble,
    options: { ...fixed, ...(keyframe === undefined ? {} : { keyframe }), ...(state === undefined ? {} : { state }) },
  }
  return { description, task, taskText }
}

async function runSweep(
  folder: SweepFolder,
  { description, task, taskText }: Sweep,
  options: SweepOptions,
  address: Address | undefined,
  output: Output,
): Promise<number> {
  const { id, jobs, ensemble } = description
  const { journal } = folder
  const begin = performance.now()
  const report = (done: number, failed: number): number => {
    const seconds = (performance.now() - begin) / 1000
    output.document({ jobs, done, failed, seconds, out: options.out })
    if (done < jobs) {
      output.note(
        `limber: interrupted with ${done} of ${jobs} jobs done; go on with the same command, or: limber sweep --resume --out ${options.out}`,
      )
      return failure
    }
    output.line(`${count(jobs, 'job')} in ${options.out}: ${failed === 0 ? 'none failed' : `${failed} failed`}, ${short(seconds)} s`)
    output.line('  results.csv    a line for each job')
    output.line('  results.jsonl  the same with the last states')
    return failed === jobs ? failure : success
  }
  if (!journal) {
    output.note(`limber: the sweep in ${options.out} is complete already`)
    return report(jobs, await countFailed(folder.path))
  }
  if (journal.count > 0) output.note(`limber: ${journal.count} of ${jobs} jobs were done before`)

  const progress = createProgress(output, jobs, journal.count)
  const { signal, release } = interruption()
  const work: Work = {
    id,
    task,
    taskText,
    *missing() {
      for (let job = 1; job <= jobs; job++) if (!journal.has(job)) yield job
    },
    left: () => jobs - journal.count,
    isMissing: (job) => job >= 1 && job <= jobs && !journal.has(job),
    valuesOf: (job) => valuesOf(ensemble, job),
    done(job, result) {
      const fresh = journal.append(job, result)
      progress.update(journal.count, journal.failed)
      return fresh
    },
    signal,
  }
  try {
    const link = address && (await openLink(address, 'limber sweep', (text) => output.note(text)))
    try {
      if (journal.count === jobs) progress.end()
      else if (link) await runFar(work, link, options, output)
      else await runOnThreads(work, options.threads || Math.min(availableParallelism(), jobs - journal.count))
      progress.end()
      journal.flush()
      const { count: done, failed } = journal
      if (done === jobs) {
        folder.writeTables()
        if (link)
          await removeStreams(link, id).catch((error: Error) => output.note(`limber: the sweep stays on ${link.shown}: ${error.message}`))
        folder.finish()
      }
      return report(done, failed)
    } finally {
      await link?.close()
    }
  } finally {
    progress.end()
    release()
  }
}

/** On the server and its workers, and on threads of this process where some are asked for. */
async function runFar(work: Work, link: Link, { threads = 0, retryAfter }: SweepOptions, output: Output): Promise<void> {
  const note = (text: string): void => output.note(text)
  const helped = new AbortController()
  const helping = threads > 0 ? runWorker(link, { threads, only: work.id, signal: helped.signal, note: () => {} }) : undefined
  try {
    await runOnNats(work, link, { retryAfter, note })
  } finally {
    helped.abort()
    await helping
  }
}

function collectText(text: string, before: readonly string[] = []): readonly string[] {
  if (!text.includes('=')) throw new InvalidArgumentError('Expected key=a:b:n or key=v1,v2,v3.')
  return [...before, text]
}
