/** Blocks on a floor: who touches whom, with which force, before and after a push. */
import { buildModel, createSimulation } from 'limber'

const block = (name, z, mass) => ({
  name,
  position: [0, 0, z],
  joints: [{ type: 'free' }],
  geoms: [{ name, shape: 'box', size: [0.2, 0.2, 0.2], mass, friction: 0.5 }],
})
const model = buildModel({
  world: { geoms: [{ name: 'floor', shape: 'plane', friction: 0.5 }] },
  bodies: [block('lower', 0.1, 2), block('upper', 0.3, 1)],
})
const simulation = createSimulation(model)

/** Sums of the forces between each two shapes. */
function report(title) {
  const sums = new Map()
  for (const { shapeA, shapeB, force } of simulation.contacts({ touching: true })) {
    const pair = `${shapeA} on ${shapeB}`
    const sum = sums.get(pair) ?? [0, 0, 0]
    sums.set(
      pair,
      sum.map((x, r) => x + force[r]),
    )
  }
  console.log(title)
  for (const [pair, sum] of sums) console.log(`  ${pair}: ${sum.map((x) => x.toFixed(1)).join(' ')} N`)
}

simulation.advance(0.5)
report('at rest')

// more than friction holds: 0.5 · 3 kg · 9.81 m/s² = 14.7 N
simulation.body('lower').applyForce([25, 0, 0], [0, 0, 0], { until: 'cleared' })
simulation.advance(0.2)
report('pushed with 25 N')
console.log('speed', simulation.body('lower').velocity()[3].toFixed(2), 'm/s')
