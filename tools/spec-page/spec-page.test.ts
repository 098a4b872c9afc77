/** docs/spec.md is what the schema and the scenes make of it; it has an example of every key, and each of its scenes can be read and built. */
import { readFileSync } from 'node:fs'
import { buildModel, createSimulation, parseScene, reduce, sceneJsonSchema, voxelGrid, writeReduced } from 'limber'
import { describe, expect, it } from 'vitest'
import { readBlocks } from '../../docs/snippets.js'
import { missingExamples, specPage } from './page.mjs'
import { scenes } from './scenes.mjs'

const page = readFileSync(new URL('../../docs/spec.md', import.meta.url), 'utf8')

/** A short beam, as `limber reduce` writes one. */
function beam(): Uint8Array {
  const mesh = voxelGrid({ size: [4, 1, 1], edge: 0.2 })
  return writeReduced(
    reduce(mesh, {
      material: { young: 1e6, poisson: 0.3, density: 1000 },
      fixed: { min: [-0.01, -1, -1], max: [0.01, 1, 1] },
      interfaces: { right: { min: [0.79, -1, -1], max: [0.81, 1, 1] } },
      modes: 4,
    }),
  )
}

describe('docs/spec.md', () => {
  it('is up to date: npx tsc -b && node tools/spec-page/write.mjs writes it', () => {
    expect(page).toBe(specPage(sceneJsonSchema(), scenes))
  })

  it('has an example of every key', () => {
    expect(missingExamples(sceneJsonSchema(), scenes)).toEqual([])
  })

  const blocks = readBlocks(page).filter(({ language }) => language === 'json')

  it('shows all scenes', () => {
    expect(blocks).toHaveLength(Object.keys(scenes).length)
  })

  it.each(blocks.map(({ code, line }) => [line, code] as const))('has a scene in line %i that is read, built and moves', (_, code) => {
    const bytes = code.includes('beam.reduced') ? beam() : new Uint8Array()
    const text = code.replace('base64 of the bytes of beam.reduced', Buffer.from(bytes).toString('base64'))
    const simulation = createSimulation(buildModel(parseScene(text, { resolve: () => bytes })), { solver: 'auto' })
    expect(simulation.advance(0.01).message).toBe('')
  })
})
