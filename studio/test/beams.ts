/**
 * Two soft beams one after the other, for tests of what is drawn and touched.
 */
import { type Reduced, reduce, type Spec, voxelGrid } from 'limber'

export const beam: Reduced = reduce(voxelGrid({ size: [6, 2, 2], edge: 0.05 }), {
  material: { young: 2e6, poisson: 0.4, density: 1000 },
  fixed: { min: [-1, -1, -1], max: [0, 1, 1] },
  interfaces: { end: { min: [0.299, -1, -1], max: [1, 1, 1] } },
  modes: 6,
})

export const beams: Spec = {
  name: 'beams',
  gravity: [0, 0, -9.81],
  timestep: 0.005,
  domains: [{ name: 'beam', data: beam }],
  bodies: [
    { name: 'first', position: [0, 0, 0.5], domain: { name: 'beam', color: [0.2, 0.6, 0.2, 1], damping: { mass: 60 } } },
    { name: 'second', parent: 'first', attach: 'end', position: [0.3, 0, 0], domain: { name: 'beam', damping: { mass: 60 } } },
  ],
}
