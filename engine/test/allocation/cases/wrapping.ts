/** Steps with tendons around spheres and cylinders, outside and inside. */
import { buildModel, createSimulation, parseMjcf } from 'limber'
import { type AllocationCase, steps } from '../allocation-case.js'

const text = `<mujoco>
  <worldbody>
    <site name="top" pos="-.3 0 .4"/>
    <geom name="ball" type="sphere" size=".1" contype="0" conaffinity="0"/>
    <site name="side" pos="0 0 .2"/>
    <body name="arm" pos=".2 0 0">
      <joint name="shoulder" axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".02" contype="0" conaffinity="0"/>
      <geom name="drum" type="cylinder" size=".05 .1" pos=".4 0 0" euler="90 0 0" contype="0" conaffinity="0"/>
      <site name="within" pos=".4 0 0"/>
      <site name="middle" pos=".2 0 .03"/>
      <body name="fore" pos=".4 0 0">
        <joint name="elbow" axis="0 1 0" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" contype="0" conaffinity="0"/>
        <site name="end" pos=".3 0 .03"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="round" stiffness="50" damping="1"><site site="top"/><geom geom="ball" sidesite="side"/><site site="middle"/><geom geom="drum"/><site site="end"/></spatial>
    <spatial name="inside" stiffness="20" springlength=".2"><site site="middle"/><geom geom="drum" sidesite="within"/><site site="end"/></spatial>
  </tendon>
  <actuator><position tendon="round" kp="20"/></actuator>
</mujoco>`

export const wrappingCases = (): AllocationCase[] =>
  (
    [
      { solver: 'ode', method: 'rk4' },
      { solver: 'ode', method: 'semi-implicit' },
      { solver: 'redmax', scheme: 'second-order' },
      { solver: 'redmax', scheme: 'auto' },
      { solver: 'position' },
    ] as const
  ).map((options) => ({
    name: `${options.solver} ${'method' in options ? options.method : 'scheme' in options ? options.scheme : ''}, tendons around geoms`.replace(
      ' ,',
      ',',
    ),
    times: 200,
    prepare: () => steps(createSimulation(buildModel(parseMjcf(text)), { ...options, timestep: 1e-4 })),
  }))
