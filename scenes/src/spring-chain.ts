/**
 * A chain of hinges whose links are tied crosswise by stiff springs: link i to link n−1−i. Steps of a frame's length over such a
 * chain are where explicit and most implicit engines gain energy; without the springs it is the control.
 */
import type { BodySpec, Spec, SpringSpec } from 'limber'
import { warmShade } from './colors.js'
import { defineScene } from './scene.js'

export const springChain = defineScene({
  name: 'spring-chain',
  title: 'Chain tied by stiff springs',
  description: 'A chain of hinges hangs straight or starts coiled; stiff springs may tie the first link to the last, and so on inwards.',
  parameters: {
    links: { default: 30, integer: true, min: 2, max: 100_000, description: 'number of hinges' },
    springs: { default: 'yes', choices: ['yes', 'no'], description: 'a spring between link i and link n − 1 − i, or none' },
    start: { default: 'coiled', choices: ['hanging', 'coiled'], description: 'straight down, or rolled up and falling' },
    stiffness: { default: 1e5, unit: 'N/m', min: 0, max: 1e12, description: 'of each spring' },
    damping: { default: 10, unit: 'N s/m', min: 0, max: 1e9, description: 'of each spring' },
    friction: { default: 0, unit: 'N m s', min: 0, max: 1e6, description: 'viscous damping of each hinge' },
    length: { default: 0.1, unit: 'm', min: 1e-6, max: 1e6, description: 'length of one link' },
    mass: { default: 0.1, unit: 'kg', min: 1e-9, max: 1e9, description: 'mass of one link' },
  },
  build({ links: n, springs, start, stiffness, damping, friction, length, mass }): Spec {
    const bodies: BodySpec[] = Array.from({ length: n }, (_, k) => ({
      name: `link${k}`,
      parent: k === 0 ? 'world' : `link${k - 1}`,
      position: [0, 0, k === 0 ? 0 : -length],
      joints: [{ name: `hinge${k}`, type: 'revolute', axis: [0, 1, 0], initial: start === 'coiled' ? coil(k) : 0, damping: friction }],
      geoms: [
        {
          shape: 'capsule',
          radius: 0.12 * length,
          length: 0.76 * length,
          position: [0, 0, -length / 2],
          mass,
          color: warmShade(n > 1 ? k / (n - 1) : 0),
          collide: false,
        },
      ],
    }))
    const ties: SpringSpec[] = Array.from({ length: springs === 'yes' ? Math.floor(n / 2) : 0 }, (_, k) => ({
      name: `tie${k}`,
      a: { body: `link${k}`, point: [0, 0, -length / 2] },
      b: { body: `link${n - 1 - k}`, point: [0, 0, -length / 2] },
      stiffness,
      damping,
    }))
    return { name: 'spring-chain', gravity: [0, 0, -9.81], timestep: 0.02, solver: { name: 'redmax' }, bodies, springs: ties }
  },
})

/**
 * Bend at hinge k: an unwinding spiral, θ ∝ √k, turns of equal distance. A circle would put link i on top of link n−1−i, where a
 * spring has no direction.
 */
function coil(k: number): number {
  const turn = 3.1
  return k === 0 ? Math.PI / 2 : turn * (Math.sqrt(k + 1) - Math.sqrt(k))
}
