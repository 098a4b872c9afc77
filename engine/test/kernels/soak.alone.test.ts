/** Memory of a process in which models come and go; `node --expose-gc scripts/soak.mjs` does it for longer. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const script = fileURLToPath(new URL('../../../scripts/soak.mjs', import.meta.url))

it('does not grow while models, simulations and batches are made and dropped', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, '--minutes', '0.25', '--json'])
  const { rounds, flat, growth } = JSON.parse(stdout)
  expect(rounds).toBeGreaterThan(30)
  expect({ flat, growth }).toMatchObject({ flat: true })
})
