/** Inverse kinematics: a gripper is attached to an arm, and its tip follows a circle. */
import { buildModel, createState, mergeSpecs, parseMjcf, solveIk } from 'limber'

const arm = parseMjcf(`<mujoco><worldbody>
  <body name="base" pos="0 0 0.3"><joint name="yaw" axis="0 0 1"/><geom type="cylinder" size="0.05 0.05"/>
    <body name="upper"><joint name="shoulder" axis="0 1 0" range="-170 60"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/>
      <body name="fore" pos="0.4 0 0"><joint name="elbow" axis="0 1 0" range="5 170"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
        <site name="flange" pos="0.3 0 0"/>
      </body>
    </body>
  </body>
</worldbody></mujoco>`)
const gripper = {
  bodies: [
    {
      name: 'fingers',
      geoms: [{ shape: 'box', size: [0.02, 0.04], fromto: [0, 0, 0, 0.08, 0, 0], mass: 0.1 }],
      sites: [{ name: 'tip', position: [0.08, 0, 0] }],
    },
  ],
}
const model = buildModel(mergeSpecs(arm, gripper, { at: 'flange', prefix: 'gripper/' }))
const state = createState(model)
state.q.set([0, -0.8, 1.2])

let [solved, most] = [0, 0]
for (let k = 0; k < 24; k++) {
  const angle = (2 * Math.PI * k) / 24
  const position = [0.45, 0.15 * Math.cos(angle), 0.4 + 0.15 * Math.sin(angle)]
  const { q, converged, iterations } = solveIk(model, state, { site: 'gripper/tip', position })
  if (converged) solved++
  if (k > 0) most = Math.max(most, iterations)
  // the next point is looked for from here
  state.q.set(q)
}
console.log(`${solved} of 24 points reached, each from the last one in at most ${most} iterations`)
