/** A force of your own: a magnet at the origin that draws a free ball, with its energy, so that the sum can be checked. */
import { buildModel, createData, createSimulation, energy } from 'limber'

const STRENGTH = 2

/** Towards the origin with STRENGTH / r², as a wrench on body 1: moment, then force, in the axes of the body. */
const magnet = {
  name: 'magnet',
  apply(_model, data) {
    const pose = data.X_WB.subarray(12, 24)
    const [x, y, z] = pose.subarray(9)
    const scale = -STRENGTH / Math.hypot(x, y, z) ** 3
    // Rᵀ f: the columns of R are the axes of the body
    for (let c = 0; c < 3; c++) data.f[6 + 3 + c] += scale * (pose[c] * x + pose[3 + c] * y + pose[6 + c] * z)
  },
  energy(_model, data) {
    return -STRENGTH / Math.hypot(data.X_WB[21], data.X_WB[22], data.X_WB[23])
  },
}

const model = buildModel({
  gravity: [0, 0, 0],
  bodies: [
    { name: 'ball', position: [1, 0, 0], joints: [{ type: 'free' }], geoms: [{ shape: 'sphere', radius: 0.05, mass: 1, collide: false }] },
  ],
})
const forces = [magnet]
const simulation = createSimulation(model, { solver: 'ode', timestep: 0.001, forces })
simulation.body('ball').setVelocity([0, 1.2, 0])
const data = createData(model, { forces })
const total = () => {
  const { kinetic, potential } = energy(model, data, simulation.state)
  return kinetic + potential
}

const start = total()
let [near, far] = [Infinity, 0]
for (let k = 0; k < 6000; k++) {
  simulation.step()
  const r = Math.hypot(...simulation.body('ball').position())
  near = Math.min(near, r)
  far = Math.max(far, r)
}
console.log(`an ellipse between ${near.toFixed(3)} and ${far.toFixed(3)} m; energy kept to 1e-6 J: ${Math.abs(total() - start) < 1e-6}`)
