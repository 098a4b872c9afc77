/** What the models cover cannot shrink unseen. */
import { describe, expect, it } from 'vitest'
import { featuresOf, MJCF_FEATURES, URDF_FEATURES } from './features.js'
import { loadModels } from './models.js'

/** Issue A asks for thirty; those beyond come from features that need a model of their own. */
const LEAST_MODELS = 60

describe('the models', () => {
  const models = loadModels()

  it.each([
    ['mjcf', MJCF_FEATURES],
    ['urdf', URDF_FEATURES],
  ] as const)('use every listed feature of %s', (format, features) => {
    const used = new Set<string>()
    for (const model of models) {
      const texts = [model.text, ...Object.values(model.files).filter((file) => typeof file === 'string')]
      if (model.format === format) for (const text of texts) for (const feature of featuresOf(text)) used.add(feature)
    }
    expect(features.filter((feature) => !used.has(feature))).toEqual([])
  })

  it('are many enough', () => {
    expect(models.length).toBeGreaterThanOrEqual(LEAST_MODELS)
  })

  it('are read tag by tag', () => {
    expect([...featuresOf('<!-- <c/> --><a x="1"><b y = "2 3"/></a>')]).toEqual(['a', 'a@x', 'a@x=1', 'b', 'b@y', 'b@y=2 3'])
  })
})
