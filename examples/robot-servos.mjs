/** A robot arm from MJCF: position servos, joints by name, a keyframe to begin from. */
import { buildModel, createSimulation, parseMjcf } from 'limber'

const spec = parseMjcf(`<mujoco model="arm">
  <compiler angle="radian"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="upper" pos="0 0 0.5">
      <joint name="shoulder" axis="0 1 0" range="-1.7 1.7" damping="0.5"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.04" mass="2"/>
      <body name="fore" pos="0.4 0 0">
        <joint name="elbow" axis="0 1 0" range="-2.6 2.6" damping="0.5"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="shoulder" joint="shoulder" kp="400" kv="20"/>
    <position name="elbow" joint="elbow" kp="200" kv="10"/>
  </actuator>
  <keyframe><key name="home" qpos="-0.5 1" ctrl="-0.5 1"/></keyframe>
</mujoco>`)

const simulation = createSimulation(buildModel(spec))
simulation.reset('home')
simulation.actuator('shoulder').setTarget(-1)
simulation.actuator('elbow').setTarget(0.5)
simulation.advance(2)
for (const name of ['shoulder', 'elbow']) {
  const servo = simulation.actuator(name)
  const { position } = simulation.joint(servo.joint)
  console.log(`${name}: ${position.toFixed(3)} rad for ${servo.target}, with ${servo.force.toFixed(1)} N m`)
}

// a disturbance for a tenth of a second
simulation.joint('elbow').applyTorque(20, { until: 'cleared' })
simulation.advance(0.1)
console.log('pushed to', simulation.joint('elbow').position.toFixed(3), 'rad')
simulation.joint('elbow').clearTorques()
simulation.advance(1)
console.log('back at', simulation.joint('elbow').position.toFixed(3), 'rad')
