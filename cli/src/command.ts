/**
 * What every command has in common: `--json`, examples in its help, an output of its own, an exit code.
 */
import { type Command, Option } from 'commander'
import { createOutput, type Output } from './output.js'

/** exit codes: the run went well, the run failed, the input or the usage was bad */
export const success = 0
export const failure = 1
export const badInput = 2

export interface CommandInfo {
  readonly name: string
  /** as commander writes them: `<model>`, `[name]` */
  readonly usage?: string
  readonly summary: string
  readonly description?: string
  readonly examples: readonly string[]
}

/** Where a command leaves its exit code for `main`. */
export interface Session {
  code: number
}

export type Register = (program: Command, session: Session) => void

/** Adds a command; the caller adds its options and calls `act`. */
export function addCommand(program: Command, info: CommandInfo): Command {
  const command = program
    .command(info.usage ? `${info.name} ${info.usage}` : info.name)
    .summary(info.summary)
    .description(info.description ?? `${info.summary.charAt(0).toUpperCase()}${info.summary.slice(1)}.`)
    .option('--json', 'print one JSON document on stdout and nothing else there')
  if (/<model>|\[model\]|<in>/.test(info.usage ?? '')) {
    command
      .option('--allow-outside', 'let the model read files outside its folder and project; only where you trust it')
      .addOption(
        new Option('--base <how>', 'of a URDF: whether its root link moves (default: as the file has it)').choices(['free', 'fixed']),
      )
      .option('--floor', 'of a URDF: add a floor; a free base stands on it')
      .addOption(
        new Option('--actuators <kind>', 'of a URDF: one for each joint with an effort limit').choices(['position', 'velocity', 'motor']),
      )
  }
  command.addHelpText('after', `\nExamples:\n${info.examples.map((line) => `  ${line}`).join('\n')}`)
  return command
}

/** The action of a command: arguments, options and output in, exit code out. */
export function act<O extends { json?: boolean }>(
  command: Command,
  session: Session,
  action: (args: readonly string[], options: O, output: Output) => number | Promise<number>,
): void {
  command.action(async () => {
    const options = command.opts<O>()
    session.code = await action(command.args, options, createOutput(options.json === true))
  })
}
