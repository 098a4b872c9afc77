/**
 * A quadruped in MJCF with position servos and keyframes, far from the origin, whose trunk is drawn by a mesh that is not there.
 */
const leg = (name: string, x: number, y: number) => `
  <body name="${name}_thigh" pos="${x} ${y} 0">
    <joint name="${name}_hip" axis="0 1 0" range="-1 2"/>
    <geom type="capsule" fromto="0 0 0 0 0 -.2" size=".02" mass=".5" contype="0" conaffinity="0"/>
    <body name="${name}_shin" pos="0 0 -.2">
      <joint name="${name}_knee" axis="0 1 0" range="-2.5 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.2" size=".015" mass=".2" contype="0" conaffinity="0"/>
      <geom type="sphere" pos="0 0 -.2" size=".025" mass=".05"/>
    </body>
  </body>`
const legs = [
  ['fl', 0.2, 0.12],
  ['fr', 0.2, -0.12],
  ['bl', -0.2, 0.12],
  ['br', -0.2, -0.12],
] as const
const all = (angles: string) => legs.map(() => angles).join(' ')

export const robot = `<mujoco model="dog">
  <compiler angle="radian"/>
  <asset><mesh name="shell" file="shell.stl"/></asset>
  <default><joint damping="0.5" armature="0.01"/><position kp="60" kv="2" ctrlrange="-2.5 2"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="20 20 .1"/>
    <body name="trunk" pos="3 5 0.33">
      <freejoint name="root"/>
      <inertial pos="0 0 0" mass="6" diaginertia="0.03 0.09 0.1"/>
      <geom type="mesh" mesh="shell" contype="0" conaffinity="0"/>
      ${legs.map(([name, x, y]) => leg(name, x, y)).join('')}
    </body>
  </worldbody>
  <actuator>${legs.map(([name]) => `<position name="${name}_hip" joint="${name}_hip"/><position name="${name}_knee" joint="${name}_knee"/>`).join('')}</actuator>
  <keyframe>
    <key name="stand" qpos="3 5 .33 1 0 0 0 ${all('.7 -1.4')}" ctrl="${all('.7 -1.4')}"/>
    <key name="low" qpos="3 5 .22 1 0 0 0 ${all('1.1 -2.2')}" ctrl="${all('1.1 -2.2')}"/>
  </keyframe>
</mujoco>`
