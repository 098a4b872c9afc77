/** The models that the readers are tested on, through every writer. */
import { validateBytes } from 'gltf-validator'
import { describe, expect, it } from 'vitest'
import { buildModel } from '../../src/build/build-model.js'
import type { Spec } from '../../src/build/spec.js'
import { energy, forwardDynamics } from '../../src/forces/dynamics.js'
import { writeGlb } from '../../src/io/gltf/write-glb.js'
import { parseMjcf } from '../../src/io/mjcf/parse-mjcf.js'
import { parseScene } from '../../src/io/scene/parse-scene.js'
import { writeScene } from '../../src/io/scene/write-scene.js'
import { parseUrdf } from '../../src/io/urdf/parse-urdf.js'
import { writeMjcf } from '../../src/io/write/mjcf/write-mjcf.js'
import { createData } from '../../src/model/data.js'
import { createState } from '../../src/model/state.js'
import { loadModels } from '../oracles/models.js'
import { compileMjcf } from './mujoco.js'

/** tensors go through principal axes once more */
const TOLERANCE = 1e-9

/** Accelerations and energies from the start, with every joint moving. */
function dynamics(spec: Spec): number[] {
  const model = buildModel(spec)
  const state = createState(model)
  const data = createData(model)
  for (let k = 0; k < model.nv; k++) state.v[k] = Math.sin(k + 1)
  forwardDynamics(model, data, state)
  const { kinetic, potential } = energy(model, data, state)
  return [...data.a, kinetic, potential]
}

describe.each(loadModels())('$name', ({ format, text, files }) => {
  const read = format === 'mjcf' ? parseMjcf : parseUrdf
  // MuJoCo's own files are flat: the last part of a path tells them apart
  const last = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
  const spec = read(text, { resolve: (path) => files[path] ?? Object.entries(files).find(([key]) => last(key) === last(path))?.[1] })

  it('has the same dynamics when written as MJCF and read again, and MuJoCo takes it', async () => {
    const written = writeMjcf(spec)
    const model = await compileMjcf(written.text)
    model.delete()
    const expected = dynamics(spec)
    const found = dynamics(parseMjcf(written.text))
    const scale = Math.max(1, ...expected.map(Math.abs))
    expect(found.length).toBe(expected.length)
    for (const [k, x] of expected.entries()) expect(Math.abs(found[k] - x), `number ${k}`).toBeLessThan(TOLERANCE * scale)
  })

  it('comes back from a scene file unchanged', () => {
    const { places: _, ...expected } = spec
    const { places: __, ...found } = parseScene(writeScene(spec))
    expect(found).toEqual(expected)
  })

  it('makes a glTF file without errors or warnings', async () => {
    const { issues } = (await validateBytes(writeGlb(spec))) as { issues: { numErrors: number; numWarnings: number } }
    expect([issues.numErrors, issues.numWarnings]).toEqual([0, 0])
  })
})
