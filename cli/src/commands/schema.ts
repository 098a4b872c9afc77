/**
 * `limber schema`: prints the JSON Schema of scene files.
 */
import type { Command } from 'commander'
import { sceneJsonSchema } from 'limber'
import { act, addCommand, type Session, success } from '../command.js'
import { checkFolder } from '../formats.js'
import { writeBeside } from '../write-beside.js'

export function registerSchema(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'schema',
    summary: 'print the JSON Schema of scene files',
    examples: ['limber schema --out scene.schema.json', 'then begin a scene file with: { "$schema": "./scene.schema.json", "bodies": [] }'],
  }).option('-o, --out <file>', 'write to a file instead of stdout')
  act<{ json?: boolean; out?: string }>(command, session, async (_args, { out }, output) => {
    const text = `${JSON.stringify(sceneJsonSchema(), undefined, 2)}\n`
    if (out === undefined) process.stdout.write(text)
    else {
      checkFolder(out)
      writeBeside(out, text)
      output.line(`wrote ${out}`)
      output.document({ file: out })
    }
    return success
  })
}
