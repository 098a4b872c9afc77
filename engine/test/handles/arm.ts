/** An arm with every kind of thing that has a name, and two bodies beside it, as MJCF. */
export const ARM = `<mujoco model="arm">
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <site name="corner" pos="1 1 0" euler="0 0 45"/>
    <body name="base" pos="0 0 .4" euler="0 0 20">
      <joint name="yaw" axis="0 0 1" range="-170 170" damping=".2"/>
      <geom type="cylinder" size=".06 .08" contype="0" conaffinity="0"/>
      <body name="upper" pos="0 .05 .1">
        <joint name="shoulder" axis="0 1 0" range="-100 100" damping=".2"/>
        <geom type="capsule" fromto="0 0 0 0 0 .4" size=".04" contype="0" conaffinity="0"/>
        <body name="fore" pos="0 0 .4">
          <joint name="elbow" axis="0 1 0" range="0 150" damping=".2"/>
          <geom type="capsule" fromto="0 0 0 0 0 .3" size=".03" contype="0" conaffinity="0"/>
          <body name="hand" pos="0 0 .3">
            <joint name="wrist" type="ball" damping=".1"/>
            <geom name="palm" type="box" size=".04 .02 .05" pos="0 0 .05" euler="10 20 30" contype="0" conaffinity="0"/>
            <site name="tip" pos="0 .02 .1" euler="30 0 10"/>
            <body name="finger" pos=".02 0 .1">
              <joint name="slide" type="slide" axis="1 0 0" range="0 .04"/>
              <geom type="sphere" size=".015" contype="0" conaffinity="0"/>
            </body>
          </body>
        </body>
      </body>
    </body>
    <body name="crate" pos=".8 0 .1">
      <freejoint name="crate"/>
      <geom name="crate" type="box" size=".1 .1 .1" mass="2"/>
    </body>
    <body name="ball" pos="-.8 0 .5" euler="10 20 30">
      <freejoint/>
      <geom name="ball" type="sphere" size=".1" pos=".02 0 0" mass="1"/>
    </body>
  </worldbody>
  <actuator>
    <position name="shoulder" joint="shoulder" kp="80" kv="4" ctrlrange="-1.5 1.5" forcerange="-20 20"/>
    <motor name="elbow" joint="elbow" gear="3"/>
  </actuator>
</mujoco>`
