/**
 * The published scenes as Specs give the published energies, so that a solver that misses them is wrong and not its input.
 */
import { describe, expect, it } from 'vitest'
import { referenceEnergy } from './redmax-reference.js'
import { redmaxScenes } from './redmax-scenes.js'

/** of the larger of the energy and 1: two codes that add up in different order over 1,000 chaotic steps */
const ROUNDING = 1e-11
/** their quadratic programme stops here, and their mesh of the cuboids is rounded */
const LOOSE: Readonly<Record<number, number>> = { 6: 1e-7, 26: 2e-7, 0: 1e-10 }

describe('dense reference of the linearly implicit Euler step', () => {
  it.each(redmaxScenes.map((scene) => [scene.id, scene.spec.name, scene] as const))(
    '%i, %s: gives the published energy',
    (id, _, scene) => {
      const tolerance = (LOOSE[id] ?? ROUNDING) * Math.max(1, Math.abs(scene.energy))
      expect(Math.abs(referenceEnergy(scene) - scene.energy)).toBeLessThan(tolerance)
    },
  )

  it('owes two of them to mistakes: without these the energies are others', () => {
    for (const scene of redmaxScenes.filter(({ quirk }) => quirk)) {
      expect(Math.abs(referenceEnergy(scene, true) - scene.energy)).toBeGreaterThan(100)
    }
  })
})
