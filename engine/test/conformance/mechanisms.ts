/** Small mechanisms whose motion is smooth and uses every kind of coordinate. */
import { buildModel, type Force, type Model } from 'limber'

const rod = { mass: 1, com: [0, 0, -0.5], tensor: [0.09, 0.1, 0.02, 0, 0, 0] } as const

export interface Mechanism {
  readonly name: string
  readonly model: Model
  readonly v: Float64Array
}

function doublePendulum(): Model {
  return buildModel({
    name: 'double pendulum',
    bodies: [
      { name: 'upper', inertia: rod, joints: [{ type: 'revolute', axis: [0, 1, 0], initial: 1 }] },
      {
        name: 'lower',
        parent: 'upper',
        position: [0, 0, -1],
        inertia: rod,
        joints: [{ type: 'revolute', axis: [0.6, 0.8, 0], initial: -0.5 }],
      },
    ],
  })
}

/** Spins fast about its own axis on a fixed tip: gravity makes it precess and nod. */
function heavyTop(): Model {
  const inertia = { mass: 1, com: [0, 0, 0.4], tensor: [0.05, 0.06, 0.02, 0, 0, 0] } as const
  const tilt = 0.4
  const initial = [Math.cos(tilt), Math.sin(tilt), 0, 0]
  return buildModel({ name: 'heavy top', bodies: [{ name: 'top', inertia, joints: [{ type: 'spherical', initial }] }] })
}

/** Tumbles freely, with an arm on a hinge. */
function satellite(): Model {
  const hull = { mass: 2, com: [0.1, 0, -0.1], tensor: [0.1, 0.3, 0.25, 0.01, 0.02, 0] } as const
  return buildModel({
    name: 'satellite',
    gravity: [0, 0, -1],
    bodies: [
      { name: 'hull', inertia: hull, joints: [{ type: 'free' }] },
      { name: 'arm', parent: 'hull', position: [0, 0.3, 0], inertia: rod, joints: [{ type: 'revolute', axis: [1, 0, 0], stiffness: 2 }] },
    ],
  })
}

export function mechanisms(): Mechanism[] {
  return [
    { name: 'double pendulum', model: doublePendulum(), v: Float64Array.of(0.5, -1) },
    { name: 'heavy top', model: heavyTop(), v: Float64Array.of(0.5, -0.3, 12) },
    { name: 'satellite', model: satellite(), v: Float64Array.of(1, -2, 0.5, 0.1, 0.2, 0.3, -1) },
  ]
}

/** The double pendulum, and a force that gives NaN from the given time on. */
export function breakingPendulum(from: number): { readonly model: Model; readonly breaks: Force } {
  const breaks: Force = {
    name: 'breaks',
    apply(_m, d, { t }) {
      if (t >= from) d.qf[1] = Number.NaN
    },
  }
  return { model: doublePendulum(), breaks }
}
