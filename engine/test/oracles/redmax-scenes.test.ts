/**
 * The published scenes as Specs give the published energies, so that a solver that misses them is wrong and not its input.
 */
import { buildModel, createData, createSimulation, createState, energy } from 'limber'
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

/** Scenes that the solver takes by the authors' rules: no spring between bodies (other K), no limits, no motion given as a function. */
const OTHER_RULES = new Set([6, 9, 23, 24])

describe('redmax, scheme=linear', () => {
  it.each(redmaxScenes.filter(({ id }) => !OTHER_RULES.has(id)).map((scene) => [scene.id, scene.spec.name, scene] as const))(
    '%i, %s: ends with the published energy',
    (_id, _name, scene) => {
      const model = buildModel(scene.spec)
      const { loads: _, ...unloaded } = scene.spec
      // their energies leave out what loads could do
      const weighed = buildModel(unloaded)
      const data = createData(weighed)
      const { stabilisation: stabilization } = scene
      const timestep = scene.spec.timestep ?? 0.01
      const sim = createSimulation(model, { solver: 'redmax', scheme: 'linear', linear: 'direct', stabilization, timestep })
      if (scene.v) sim.reset({ v: Float64Array.from(scene.v) })
      const rest = energy(weighed, data, createState(weighed)).potential
      const steps = Math.round(scene.duration / timestep)
      for (let k = 1; k <= steps; k++) {
        // their torques belong to the end of the step
        if (scene.torque) sim.state.tau.set(scene.torque(k * timestep))
        expect(sim.step().message).toBeFalsy()
      }
      const { kinetic, potential } = energy(weighed, data, sim.state)
      expect((kinetic + potential - rest) / scene.energy).toBeCloseTo(1, 6)
    },
  )
})
