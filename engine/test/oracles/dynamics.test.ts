/**
 * Limber against MuJoCo on every model of this folder: total mass, initial position, poses, mass matrix, energies, forward and
 * inverse dynamics. What is outside of the engine's scope must be listed as changing the motion, and nothing else may be.
 */
import type { Spec } from 'limber'
import { parseMjcf, parseUrdf } from 'limber'
import { describe, expect, it } from 'vitest'
import { compare, type Differences } from './compare.js'
import { loadModels, type OracleModel } from './models.js'
import { createOracle } from './mujoco.js'

/** Issue A's figure. Rounding reaches 1e-12 (moments of an ellipsoid shell, which MuJoCo takes by differences), the rest 1e-13. */
const AGREEMENT = 1e-8

/** The initial state at rest, then three random ones: enough for every branch of a slack tendon to be met. */
const SEEDS = [0, 1, 2, 3]

/** What the readers say about something that they leave out and the motion depends on. */
const CHANGES_MOTION = /affects motion/

/** Models whose motion Limber does not have in full, and what `spec.ignored` must name. */
const OUT_OF_SCOPE: Readonly<Record<string, readonly RegExp[]>> = {
  composite: [/composite/],
  flex: [/flexcomp/],
  'fluid-mesh': [/fluidshape='ellipsoid' of a mesh/],
  // MuJoCo's hull of so many corners depends on the order in which its library finds them
  'mesh-bounded-hull': [/maxhullvert="8" of a hull with 20 corners/],
  'polynomial-springs': [/joint.*stiffness beyond/, /joint.*damping beyond/, /tendon.*stiffness beyond/, /tendon.*damping beyond/],
  'replicate-lookalike': [/joint 'knee10'.*replica of 'knee1'/],
  // MuJoCo's mass matrix has no place for entries between branches and leaves them out
  'tendon-branches': [/across branches/],
}

const models = loadModels()
const inScope = models.filter(({ name }) => !(name in OUT_OF_SCOPE))
const named = (list: readonly OracleModel[]) => list.map((model) => [model.name, model] as const)

function parse({ format, text, files }: OracleModel): Spec {
  const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  const resolve = (path: string) => files[path] ?? Object.entries(files).find(([key]) => baseName(key) === baseName(path))?.[1]
  return format === 'urdf' ? parseUrdf(text, { resolve }) : parseMjcf(text, { resolve, mocap: 'fixed' })
}

async function differences(model: OracleModel, text: string): Promise<Differences> {
  const oracle = await createOracle(text, model.files)
  try {
    return compare(parse(model), oracle, SEEDS)
  } finally {
    oracle.free()
  }
}

/** MuJoCo joins fixed links of a URDF and forgets those fixed to the ground, unless told not to; Limber keeps both. */
function keepFixedLinks(model: OracleModel): string {
  if (model.format !== 'urdf' || model.text.includes('fusestatic')) return model.text
  return model.text.replace(/<robot[^>]*>/, '$&<mujoco><compiler fusestatic="false"/></mujoco>')
}

describe('Limber and MuJoCo', () => {
  it.each(named(inScope))('agree on %s', async (_, model) => {
    for (const [quantity, difference] of Object.entries(await differences(model, keepFixedLinks(model)))) {
      expect(difference, quantity).toBeLessThan(AGREEMENT)
    }
  })

  it.each(named(models.filter((model) => model.format === 'urdf')))(
    'agree on the motion of %s with its fixed links fused',
    async (_, model) => {
      const { acceleration, mass, kinetic, inverse } = await differences(model, model.text.replace('fusestatic="false"', ''))
      for (const difference of [acceleration, mass, kinetic, inverse]) expect(difference).toBeLessThan(AGREEMENT)
    },
  )
})

describe('spec.ignored', () => {
  it.each(named(inScope))('names nothing that changes the motion of %s', (_, model) => {
    expect(parse(model).ignored?.filter(({ why }) => CHANGES_MOTION.test(why)) ?? []).toEqual([])
  })

  it.each(Object.entries(OUT_OF_SCOPE))('names what is missing from the motion of %s', (name, patterns) => {
    const model = models.find((other) => other.name === name)
    if (!model) throw new Error(`no model ${name}`)
    const missing = parse(model).ignored?.filter(({ why }) => CHANGES_MOTION.test(why)) ?? []
    for (const pattern of patterns)
      expect(
        missing.some(({ what }) => pattern.test(what)),
        String(pattern),
      ).toBe(true)
  })
})
