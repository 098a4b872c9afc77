/** A thousand cart-poles at once, each with gravity of its own, under one feedback law. */
import { buildModel, createBatch } from 'limber'

const model = buildModel({
  bodies: [
    {
      name: 'cart',
      inertia: { mass: 1, tensor: [0.1, 0.1, 0.1, 0, 0, 0] },
      joints: [{ name: 'slide', type: 'prismatic', axis: [1, 0, 0] }],
    },
    {
      name: 'pole',
      parent: 'cart',
      inertia: { mass: 0.2, com: [0, 0, 0.5], tensor: [0.01, 0.01, 0.001, 0, 0, 0] },
      joints: [{ name: 'hinge', type: 'revolute', axis: [0, 1, 0] }],
    },
  ],
  actuators: [{ name: 'push', joint: 'slide' }],
})
const count = 1000
const batch = await createBatch(model, { count, timestep: 0.005, vary: ['gravity'] })
for (let e = 0; e < count; e++) {
  batch.parameter('gravity', e).write([0, 0, -1.6 - (10 * e) / count])
  batch.q(e).set(1, 0.05)
}

const width = model.nq + model.nv
const states = new Float64Array(count * width)
const controls = new Float64Array(count)
for (let k = 0; k < 400; k++) {
  batch.readState(states)
  for (let e = 0; e < count; e++) {
    const [x, angle, speed, rate] = states.subarray(e * width, (e + 1) * width)
    controls[e] = x + 2 * speed + 40 * angle + 8 * rate
  }
  batch.writeControl(controls)
  batch.step(1)
}
batch.readState(states)
const upright = Array.from({ length: count }, (_, e) => Math.abs(states[e * width + 1]) < 0.1).filter(Boolean).length
console.log(`${upright} of ${count} poles are upright after ${batch.time(0).toFixed(1)} s`)
