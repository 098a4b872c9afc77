/**
 * The command line `limber`: reads arguments, runs a command, turns every error into a message and an exit code.
 */
import { Command, CommanderError } from 'commander'
import { formatProblem, ModelError } from 'limber'
import { badInput, failure, type Register, type Session, success } from './command.js'
import { registerBench } from './commands/bench.js'
import { registerConvert } from './commands/convert.js'
import { registerEval } from './commands/eval.js'
import { registerInfo } from './commands/info.js'
import { registerReproduce } from './commands/reproduce.js'
import { registerRun } from './commands/run.js'
import { registerScene } from './commands/scene.js'
import { registerSchema } from './commands/schema.js'
import { registerStudio } from './commands/studio.js'
import { stringify } from './output.js'
import { version } from './version.js'

const commands: readonly Register[] = [
  registerRun,
  registerEval,
  registerInfo,
  registerConvert,
  registerScene,
  registerSchema,
  registerReproduce,
  registerBench,
  registerStudio,
]

/** Runs one command line and returns its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  // a closed pipe (`limber … | head`) is the reader's choice, not an error
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? success : failure))
  const json = args.includes('--json')
  const session: Session = { code: success }
  const program = createProgram(session, json)
  try {
    await program.parseAsync(args, { from: 'user' })
    return session.code
  } catch (error) {
    return report(error, json)
  }
}

function createProgram(session: Session, json: boolean): Command {
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
  for (const register of commands) register(program, session)
  return program
}

/** Prints an error, as JSON on stdout when asked for, and gives the exit code. */
function report(error: unknown, json: boolean): number {
  if (error instanceof CommanderError) {
    // help and version arrive here too
    if (error.exitCode === 0) return success
    if (json) print([{ path: 'arguments', message: error.message.replace(/^error: /, '') }])
    return badInput
  }
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
