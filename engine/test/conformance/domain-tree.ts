/** A tree of small domains and an ordinary joint, and states of it. */
import type { BodySpec, Model, Spec, Vec, Vec3 } from 'limber'
import { createRandom } from '../random.js'
import { moved } from './check.js'
import { randomDomain } from './random-domain.js'

/** Four domains, r = 3, 3, 2, 0: two on the ends of the first, one on a hinge on the second, instances of other sizes. */
export function tree(seed: number, root: BodySpec['joints'] = [], gravity: Vec3 = [1, -2, -9]): Spec {
  const random = createRandom(seed)
  return {
    gravity,
    domains: [
      { name: 'three', data: randomDomain(seed, 3) },
      { name: 'two', data: randomDomain(seed + 100, 2) },
      { name: 'none', data: randomDomain(seed + 200, 0) },
    ],
    bodies: [
      { name: 'a', domain: { name: 'three' }, position: random.vec3(1), quaternion: random.quat(), joints: root },
      {
        ...{ name: 'b', parent: 'a', attach: 'end', domain: { name: 'three', scale: 0.8, frequency: 1.3 } },
        ...{ position: [0.05, 0, 0.4], quaternion: random.quat() },
      },
      {
        ...{ name: 'c', parent: 'a', attach: 'upper half', domain: { name: 'two', scale: 1.2 } },
        ...{ position: [0, 0.1, 0.3], quaternion: random.quat() },
      },
      {
        ...{ name: 'd', parent: 'b', domain: { name: 'none' }, position: [0, 0, 0.3], quaternion: random.quat() },
        joints: [{ type: 'revolute', axis: random.axis(), anchor: random.vec3(0.1) }],
      },
    ],
  }
}

/** Coordinates with modes up to 0.1: ends turned by some tens of degrees. */
export function anywhere(model: Model, seed: number): { q: Vec; v: Vec } {
  const random = createRandom(seed)
  const step = random.array(model.nv, 1)
  const v = random.array(model.nv, 1)
  for (const k of model.modes.iv) {
    step[k] *= 0.1
    v[k] *= 0.2
  }
  return { q: moved(model, model.q0, step, 1), v }
}
