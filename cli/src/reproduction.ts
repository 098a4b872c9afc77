/**
 * Runs a reproduction and shows it: tables on the terminal or one JSON document; with --out a page with plots and the numbers as JSON.
 */
import { join } from 'node:path'
import type { Reproduction, ReproductionOptions } from 'limber-bench'
import { success } from './command.js'
import { makeFolder } from './formats.js'
import { type Output, stringify } from './output.js'
import { writeBeside } from './write-beside.js'

/** The modules of the bench are loaded when they are needed: no other command waits for them. */
type Bench = typeof import('limber-bench')

export function reproduction(
  name: string,
  choose: (bench: Bench) => (options: ReproductionOptions) => Reproduction | Promise<Reproduction>,
) {
  return async (options: { readonly quick?: boolean; readonly out?: string }, output: Output): Promise<number> => {
    if (options.out !== undefined) await makeFolder(options.out)
    const bench = await import('limber-bench')
    const { report, data } = await choose(bench)({ quick: options.quick === true, progress: (text) => output.progress(text) })
    output.progress('')
    const files: string[] = []
    if (options.out !== undefined) {
      files.push(join(options.out, `${name}.html`), join(options.out, `${name}.json`))
      writeBeside(files[0], bench.writeHtml(report))
      writeBeside(files[1], `${stringify(data)}\n`)
    }
    output.line(bench.writeText(report))
    for (const file of files) output.line(`wrote ${file}`)
    output.document({ report, data, files })
    return success
  }
}
