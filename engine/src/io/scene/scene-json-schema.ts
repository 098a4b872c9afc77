/**
 * The scene format as a published JSON Schema, for editors and validators.
 */
import * as z from 'zod'
import { sceneSchema } from './scene-schema.js'

/** JSON Schema (draft 2020-12) of scene files. */
export function sceneJsonSchema(): object {
  const { $schema, ...rest } = z.toJSONSchema(sceneSchema, { target: 'draft-2020-12', io: 'input' })
  return {
    $schema,
    $id: 'urn:limber:schema:scene',
    title: 'Limber scene',
    description:
      'A mechanism for the Limber articulated-body engine. Metres, kilograms, seconds, radians; right-handed, z up; quaternions w x y z. ' +
      'Comments and trailing commas are allowed in files.',
    ...rest,
  }
}
