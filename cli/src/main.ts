/**
 * The command line `limber`: reads arguments, runs a command, turns every error into a message and an exit code.
 */
import { Command, CommanderError } from 'commander'
import { badInput, failure, type Register, type Session, success } from './command.js'
import { stringify } from './output.js'
import { version } from './version.js'

/** in the order of the help; loaded one by one, for most of a short command's time is loading what it works with */
const commands: Readonly<Record<string, () => Promise<Register>>> = {
  run: async () => (await import('./commands/run.js')).registerRun,
  sweep: async () => (await import('./commands/sweep.js')).registerSweep,
  worker: async () => (await import('./commands/worker.js')).registerWorker,
  eval: async () => (await import('./commands/eval.js')).registerEval,
  info: async () => (await import('./commands/info.js')).registerInfo,
  convert: async () => (await import('./commands/convert.js')).registerConvert,
  scene: async () => (await import('./commands/scene.js')).registerScene,
  schema: async () => (await import('./commands/schema.js')).registerSchema,
  reduce: async () => (await import('./commands/reduce.js')).registerReduce,
  reproduce: async () => (await import('./commands/reproduce.js')).registerReproduce,
  bench: async () => (await import('./commands/bench.js')).registerBench,
  studio: async () => (await import('./commands/studio.js')).registerStudio,
}

/** Runs one command line and returns its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  // a closed pipe (`limber … | head`) is the reader's choice, not an error
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? success : failure))
  // nobody listens: the work goes on, and its exit code says how it ended
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  const json = args.includes('--json')
  const session: Session = { code: success }
  const program = await createProgram(session, json, args)
  try {
    await program.parseAsync(args, { from: 'user' })
    return session.code
  } catch (error) {
    return report(error, json)
  }
}

async function createProgram(session: Session, json: boolean, args: readonly string[]): Promise<Command> {
  const program = new Command('limber')
    .description('Articulated-body dynamics: simulate, evaluate, inspect and convert mechanisms.')
    .version(version)
    .exitOverride()
    .configureOutput(json ? { writeErr: () => {} } : {})
    .showHelpAfterError('(limber --help lists the commands, limber COMMAND --help their options)')
    .showSuggestionAfterError()
  program.addHelpText(
    'after',
    [
      '',
      'A MODEL is an MJCF or URDF file, a scene file, the name of a built-in scene, or - to read one from a pipe.',
      'Exit codes: 0 success, 1 failed run, 2 bad input or usage.',
      '',
      'Examples:',
      '  limber run chain --duration 5 --out chain.glb',
      '  limber info robot.urdf',
      '  limber scene',
      '  limber scene chain --set links=50 | limber run -',
    ].join('\n'),
  )
  for (const name of needed(args)) (await commands[name]?.())?.(program, session)
  return program
}

/** Names of the commands that this line can need: the one it begins with, none for the version, else all, for the help or to find the nearest. */
function needed([first = '']: readonly string[]): string[] {
  if (Object.hasOwn(commands, first)) return [first]
  return first === '--version' || first === '-V' ? [] : Object.keys(commands)
}

/** Prints an error, as JSON on stdout when asked for, and gives the exit code. */
async function report(error: unknown, json: boolean): Promise<number> {
  if (error instanceof CommanderError) {
    // help and version arrive here too
    if (error.exitCode === 0) return success
    if (json) print([{ path: 'arguments', message: error.message.replace(/^error: /, '') }])
    return badInput
  }
  const { formatProblem, ModelError } = await import('limber/core')
  if (error instanceof ModelError) {
    if (json) print(error.problems)
    else for (const problem of error.problems) process.stderr.write(`limber: ${formatProblem(problem)}\n`)
    return badInput
  }
  const message = error instanceof Error ? error.message : String(error)
  if (json) print([{ path: '', message }])
  else process.stderr.write(`limber: ${message}\n`)
  if (process.env['LIMBER_DEBUG'] && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  return failure
}

function print(problems: readonly object[]): void {
  process.stdout.write(`${stringify({ error: { problems } })}\n`)
}
