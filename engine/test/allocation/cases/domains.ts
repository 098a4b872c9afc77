/** Steps of elastic domains: every level of inertia, in wind; a vertex that is dragged; vertices on the ground. */
import { buildModel, createSimulation, createVertexSpring, type Spec } from 'limber'
import { tree } from '../../conformance/domain-tree.js'
import { type AllocationCase, steps } from '../allocation-case.js'

const TIMES = 200

function windy(spec: Spec): Spec {
  return {
    ...spec,
    medium: { wind: [1, 0, 0], gusts: [{ velocity: [1, 1, 0], frequency: 0.7 }] },
    bodies: spec.bodies.map((body) => ({
      ...body,
      drag: [0.1, 0.2, 0.1],
      joints: [],
      domain: { ...domainOf(body), damping: { mass: 1, stiffness: 0.01 } },
    })),
  }
}

const domainOf = ({ domain }: Spec['bodies'][number]): { readonly name: string } => domain as { readonly name: string }

export function domainCases(): AllocationCase[] {
  const model = buildModel(windy(tree(1)))
  const { domains } = tree(1)
  const levels = ['exact', 'L3', 'L2', 'L1'].map(
    (inertia): AllocationCase => ({
      name: `substructuring ${inertia}`,
      times: TIMES,
      prepare: () => steps(createSimulation(model, { solver: 'substructuring', inertia, timestep: 0.005 })),
    }),
  )
  return [
    ...levels,
    {
      name: 'substructuring, dragged',
      times: TIMES,
      prepare: () => {
        const spring = createVertexSpring(model, 2, 9, 100, 1)
        return steps(createSimulation(model, { solver: 'substructuring', timestep: 0.005, forces: [spring] }))
      },
    },
    {
      name: 'substructuring, on the ground',
      times: TIMES,
      prepare: () => {
        const lying = buildModel({
          ...(domains ? { domains } : {}),
          contact: { stiffness: 2000, friction: 0.5 },
          world: { geoms: [{ shape: 'plane' }] },
          bodies: [
            {
              name: 'soft',
              joints: [{ type: 'free' }],
              domain: { name: 'three', damping: { mass: 2, stiffness: 0.02 }, contact: [0, 1, 2, 3] },
            },
          ],
        })
        return steps(createSimulation(lying, { solver: 'substructuring', timestep: 0.005 }))
      },
    },
  ]
}
