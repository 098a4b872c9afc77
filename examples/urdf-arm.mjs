/** A URDF arm on a floor, held by servos that its effort limits give it. */
import { buildModel, createSimulation, parseUrdf } from 'limber'

const link = (name, length) => `<link name="${name}">
  <inertial><origin xyz="0 0 ${length / 2}"/><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><origin xyz="0 0 ${length / 2}"/><geometry><cylinder radius="0.04" length="${length}"/></geometry></collision>
</link>`
const joint = (name, parent, child, z, axis) => `<joint name="${name}" type="revolute">
  <parent link="${parent}"/><child link="${child}"/><origin xyz="0 0 ${z}"/><axis xyz="${axis}"/>
  <limit lower="-2" upper="2" effort="60" velocity="3"/>
</joint>`
const robot = `<robot name="arm">
  ${link('base', 0.1)}${link('turret', 0.2)}${link('upper', 0.4)}${link('fore', 0.3)}
  ${joint('yaw', 'base', 'turret', 0.1, '0 0 1')}
  ${joint('shoulder', 'turret', 'upper', 0.2, '0 1 0')}
  ${joint('elbow', 'upper', 'fore', 0.4, '0 1 0')}
</robot>`

const spec = parseUrdf(robot, { base: 'fixed', floor: true, actuators: 'position' })
const simulation = createSimulation(buildModel(spec))
for (const warning of simulation.warnings()) console.log('note:', warning)
const targets = { yaw: 0.5, shoulder: 0.6, elbow: 0.8 }
for (const [name, target] of Object.entries(targets)) simulation.actuator(name).setTarget(target)
const { status } = simulation.advance(3)
console.log(`status ${status}, solver: ${simulation.why}`)
for (const name of Object.keys(targets)) console.log(`${name} at ${simulation.joint(name).position.toFixed(2)} rad`)
