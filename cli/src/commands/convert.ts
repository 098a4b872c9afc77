/**
 * `limber convert`: between MJCF, URDF, scene JSON and glTF.
 */
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { buildModel } from 'limber'
import { act, addCommand, type Session, success } from '../command.js'
import { checkFolder, modelFormat, modelSuffixes } from '../formats.js'
import { type ModelOptions, readSpec } from '../model-file.js'
import { count } from '../output.js'
import { inFile, refuse } from '../problem.js'
import { writeBeside } from '../write-beside.js'

export function registerConvert(program: Command, session: Session): void {
  const command = addCommand(program, {
    name: 'convert',
    usage: '<in> <out>',
    summary: 'convert a model between MJCF, URDF, scene JSON and glTF',
    description: `Converts a model; formats by suffix. Reads .xml (MJCF or URDF), .urdf, .json, .jsonc; writes ${modelSuffixes.join(', ')}.\nSays what the formats could not carry over.`,
    examples: [
      'limber convert robot.urdf robot.json',
      'limber convert robot.xml robot.glb',
      'limber convert robot.urdf robot.xml --base free --floor --actuators position',
    ],
  })
  act<ModelOptions & { json?: boolean }>(command, session, async ([from = '', to = ''], options, output) => {
    const format = modelFormat(to)
    checkFolder(to)
    if (resolve(from) === resolve(to)) refuse(to, 'the result would overwrite the file that is read; give another name')
    const spec = await readSpec(from, options)
    // a model that cannot be built is not worth converting
    await inFile(from, () => buildModel(spec))
    const { content, files, dropped } = await inFile(from, () => format.write(spec))
    // what it refers to is there before the model is
    for (const { path, text } of files) writeBeside(join(dirname(to), path), text)
    writeBeside(to, content)
    const ignored = spec.ignored ?? []
    output.line(
      `wrote ${to}: ${format.name}, ${count(spec.bodies.length, 'body', 'bodies')}${files.length > 0 ? `, with ${files.map((f) => f.path).join(', ')}` : ''}`,
    )
    if (ignored.length > 0) output.line(`not read from ${from}:`)
    for (const { path, what, why } of ignored) output.line(`  ${path}: ${what}: ${why}`)
    if (dropped.length > 0) output.line(`not expressible in ${format.name}:`)
    for (const { path, what, why } of dropped) output.line(`  ${path}: ${what}: ${why}`)
    output.document({
      in: from,
      out: to,
      format: format.name,
      bodies: spec.bodies.length,
      files: files.map((f) => f.path),
      ignored,
      dropped,
    })
    return success
  })
}
