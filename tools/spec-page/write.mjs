/**
 * Writes docs/spec.md, the page that lists every key of a Spec, from the schema of the built package:
 *
 *   npx tsc -b && node tools/spec-page/write.mjs
 */
import { writeFileSync } from 'node:fs'
import { sceneJsonSchema } from 'limber'
import { missingExamples, specPage } from './page.mjs'
import { scenes } from './scenes.mjs'

const schema = sceneJsonSchema()
const missing = missingExamples(schema, scenes)
if (missing.length > 0) {
  process.stderr.write(`no example of ${missing.join(', ')}; add them to tools/spec-page/scenes.mjs\n`)
  process.exitCode = 1
}
writeFileSync(new URL('../../docs/spec.md', import.meta.url), specPage(schema, scenes))
