/**
 * `limber bench`: timings against the engines that are installed.
 */
import type { Command } from 'commander'
import { act, addCommand, type Session } from '../command.js'
import { refuse } from '../problem.js'

export function registerBench(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'bench',
    summary: 'time the engine against others that are installed, ratios in one run',
    examples: ['limber bench', 'limber bench --quick --json'],
  }).option('--quick', 'a short version: fewer samples, smaller models')
  act<{ json?: boolean; quick?: boolean }>(command, session, async () => refuse('bench', 'not there yet'))
}
