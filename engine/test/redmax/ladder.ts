/**
 * A rope ladder in a plane: two hanging chains and rungs that hinge on the first and close on the second. As many loops as rungs, one after
 * the other; every loop of a chain meets the others at the ground only.
 */
import type { BodySpec, ConstraintSpec, JointSpec, Spec } from 'limber'

const length = 0.3
const width = 0.5
const axis = [0, -1, 0] as const
const inPlane = [
  [1, 0, 0],
  [0, 0, 1],
] as const
// the chains are not straight: what swings is in no special pose
const turn = (i: number): number => (i === 0 ? 0.05 : 0.02 * ((i % 3) - 1))
const hinge = (name: string, initial: number): JointSpec => ({ name, type: 'revolute', axis, initial, damping: 0.05 })

/** `limited`: how many hinges of the first chain strike limits as soon as it swings. */
export function ladder(rungs: number, limited = 0): Required<Pick<Spec, 'bodies' | 'constraints'>> & Spec {
  const bodies: BodySpec[] = []
  const constraints: ConstraintSpec[] = []
  let angle = 0
  for (let i = 0; i < rungs; i++) {
    angle += turn(i)
    for (const side of ['A', 'B']) {
      bodies.push({
        name: `${side}${i}`,
        parent: i > 0 ? `${side}${i - 1}` : 'world',
        position: i > 0 ? [length, 0, 0] : [0, 0, side === 'A' ? 0 : width],
        inertia: { mass: 0.3, com: [length / 2, 0, 0], tensor: [0.001, 0.003, 0.003, 0, 0, 0] },
        joints: [{ ...hinge(`${side}${i}`, turn(i)), ...(side === 'A' && i < limited ? { limits: [-0.06, 0.06] } : {}) }],
      })
    }
    bodies.push({
      name: `R${i}`,
      parent: `A${i}`,
      position: [length, 0, 0],
      inertia: { mass: 0.4, com: [width / 2, 0, 0], tensor: [0.001, 0.008, 0.008, 0, 0, 0] },
      joints: [hinge(`R${i}`, Math.PI / 2 - angle)],
    })
    constraints.push({
      type: 'point',
      name: `rung ${i}`,
      a: { body: `R${i}`, point: [width, 0, 0] },
      b: { body: `B${i}`, point: [length, 0, 0] },
      axes: inPlane,
    })
  }
  return { name: 'ladder', gravity: [3, 0, -9.81], timestep: 0.01, bodies, constraints }
}
