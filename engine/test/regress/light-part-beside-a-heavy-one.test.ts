/** The stiffness of a light part was overlooked beside a heavy one, and `auto` took an explicit step that burst. */
import { buildModel, chooseSolver } from 'limber'
import { expect, it } from 'vitest'

it('auto sees a stiff part of 1e-6 kg beside 1000 kg', () => {
  const slide = (name: string, mass: number, rate: number) => ({
    name,
    inertia: { mass, com: [0, 0, 0] as const, tensor: [1, 1, 1, 0, 0, 0] as const },
    joints: [{ name: `${name}-slide`, type: 'prismatic' as const, axis: [1, 0, 0] as const, stiffness: mass * rate * rate }],
  })
  const model = buildModel({ timestep: 0.01, bodies: [slide('heavy', 1000, 90), slide('light', 1e-6, 350)] })
  expect(chooseSolver(model)).toMatchObject({ name: 'redmax', why: expect.stringContaining('350/s') })
})
