/**
 * Robots for timings with contact, as MJCF text that both engines read: a humanoid of 27 degrees of freedom, a quadruped of 18 and a hand of
 * 16 joints. Masses, reduction gears (armature), damping, dry friction and limits are of the size that machines of that kind have.
 */

type Pair = readonly [number, number]

const SIDES = [
  ['left', 1],
  ['right', -1],
] as const

/** A hinge of the humanoid: axis, range and servo. */
interface Hinge {
  readonly name: string
  readonly axis: string
  readonly range: Pair
  readonly kp: number
  readonly stand: number
}

const hinge = (name: string, axis: string, range: Pair, kp: number, stand = 0): Hinge => ({ name, axis, range, kp, stand })

/** Hinges that a side turns the other way have their range mirrored. */
const mirrored = ([low, high]: Pair, sign: number): Pair => (sign > 0 ? [low, high] : [-high, -low])

const SPINE = [
  hinge('waist yaw', '0 0 1', [-0.8, 0.8], 300),
  hinge('waist pitch', '0 1 0', [-0.6, 1.2], 600),
  hinge('waist roll', '1 0 0', [-0.5, 0.5], 600),
]

const legOf = (side: string, sign: number): Hinge[] => [
  hinge(`${side} hip roll`, '1 0 0', mirrored([-0.4, 0.8], sign), 600),
  hinge(`${side} hip yaw`, '0 0 1', mirrored([-0.6, 0.6], sign), 300),
  hinge(`${side} hip pitch`, '0 1 0', [-2, 0.6], 600, -0.2),
  hinge(`${side} knee`, '0 1 0', [0, 2.5], 600, 0.4),
  hinge(`${side} ankle pitch`, '0 1 0', [-0.9, 0.7], 600, -0.2),
  hinge(`${side} ankle roll`, '1 0 0', [-0.4, 0.4], 300),
]

const armOf = (side: string, sign: number): Hinge[] => [
  hinge(`${side} shoulder pitch`, '0 1 0', [-3, 1.2], 80),
  hinge(`${side} shoulder roll`, '1 0 0', mirrored([-0.2, 2.6], sign), 80, 0.15 * sign),
  hinge(`${side} elbow`, '0 1 0', [-2.4, 0], 60, -0.3),
]

const joint = ({ name, axis, range, kp }: Hinge): string =>
  `<joint name="${name}" axis="${axis}" range="${range.join(' ')}" armature="${kp > 100 ? 0.04 : 0.01}" damping="${kp > 100 ? 2 : 0.5}"/>`

const position = ({ name, range, kp }: Hinge): string =>
  `<position name="${name}" joint="${name}" kp="${kp}" kv="${kp / 20}" ctrlrange="${range.join(' ')}" forcerange="${-kp / 2} ${kp / 2}"/>`

/** Height of the pelvis over the soles at the standing posture: knees bent by 0.4 rad. */
const STANDING = 2 * 0.42 * Math.cos(0.2) + 0.05 + 0.07

/** `lying`: on its back, a hand's breadth above the floor, motors off. `standing`: servos hold the posture with bent knees. */
export function humanoid(start: 'lying' | 'standing'): string {
  const legs = SIDES.map(([side, sign]) => {
    const [roll, yaw, pitch, knee, ankle, ankleRoll] = legOf(side, sign).map(joint)
    return `<body name="${side} thigh" pos="0 ${0.1 * sign} -0.05">${roll}${yaw}${pitch}
      <geom type="capsule" fromto="0 0 -0.03 0 0 -0.38" size="0.06" mass="6.5"/>
      <body name="${side} shin" pos="0 0 -0.42">${knee}
        <geom type="capsule" fromto="0 0 -0.03 0 0 -0.35" size="0.045" mass="3.2"/>
        <body name="${side} foot" pos="0 0 -0.42">${ankle}${ankleRoll}
          <geom type="box" size="0.12 0.045 0.02" pos="0.045 0 -0.05" mass="1"/>
        </body>
      </body>
    </body>`
  })
  const arms = SIDES.map(([side, sign]) => {
    const [pitch, roll, elbow] = armOf(side, sign).map(joint)
    return `<body name="${side} upper arm" pos="0 ${0.21 * sign} 0.38">${pitch}${roll}
      <geom type="capsule" fromto="0 0 -0.03 0 0 -0.25" size="0.04" mass="2.1"/>
      <body name="${side} forearm" pos="0 0 -0.28">${elbow}
        <geom type="capsule" fromto="0 0 0 0 0 -0.22" size="0.032" mass="1.2"/>
        <geom type="sphere" pos="0 0 -0.27" size="0.045" mass="0.5"/>
      </body>
    </body>`
  })
  const hinges = [...SPINE, ...SIDES.flatMap(([side, sign]) => armOf(side, sign)), ...SIDES.flatMap(([side, sign]) => legOf(side, sign))]
  const stand = hinges.map((one) => one.stand)
  const root = start === 'lying' ? '0 0 0.22 0.70710678 0 -0.70710678 0' : `0 0 ${STANDING.toFixed(6)} 1 0 0 0`
  const q = start === 'lying' ? hinges.map(() => 0) : stand
  return `<mujoco model="humanoid ${start}">
  <compiler angle="radian" autolimits="true"/>
  <option timestep="0.002"/>
  <default><geom friction="0.9"/></default>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body name="pelvis" pos="0 0 1">
      <freejoint name="root"/>
      <geom type="capsule" fromto="0 -0.08 0 0 0.08 0" size="0.09" mass="9"/>
      <body name="torso" pos="0 0 0.1">${SPINE.map(joint).join('')}
        <geom type="capsule" fromto="0 -0.1 0.14 0 0.1 0.14" size="0.09" mass="8"/>
        <geom type="capsule" fromto="0 -0.12 0.32 0 0.12 0.32" size="0.09" mass="11"/>
        <geom type="sphere" pos="0.02 0 0.56" size="0.1" mass="4.5"/>
        ${arms.join('')}
      </body>
      ${legs.join('')}
    </body>
  </worldbody>
  ${start === 'lying' ? '' : `<actuator>${hinges.map(position).join('')}</actuator>`}
  <keyframe><key name="${start}" qpos="${root} ${q.join(' ')}" ${start === 'lying' ? '' : `ctrl="${stand.join(' ')}"`}/></keyframe>
</mujoco>`
}

/** A cart on a rail with end stops, a pole on it and a motor. */
export const cartPole = (): string => `<mujoco model="cart-pole">
  <compiler angle="radian" autolimits="true"/>
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="0 0 1" pos="0 0 -1"/>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0" range="-2 2" damping="0.1"/>
      <geom type="box" size="0.2 0.1 0.05" mass="1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0" damping="0.01"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.03" mass="0.1"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="slide" gear="10" ctrlrange="-1 1"/></actuator>
</mujoco>`

const LEGS = [
  ['front left', 1, 1],
  ['front right', 1, -1],
  ['back left', -1, 1],
  ['back right', -1, -1],
] as const

/** Twelve servos with dry friction in their gears; stands on four round feet. */
export function quadruped(): string {
  const [thigh, shin, foot] = [0.21, 0.21, 0.024]
  const pose = [0, 0.7, -1.4]
  const legs = LEGS.map(
    ([name, along, side]) => `<body name="${name} hip" pos="${0.19 * along} ${0.05 * side} 0">
      <joint name="${name} roll" axis="1 0 0" range="-0.8 0.8"/>
      <geom type="cylinder" zaxis="0 1 0" size="0.045 0.025" pos="0 ${0.04 * side} 0" mass="0.6" contype="0" conaffinity="0"/>
      <body name="${name} thigh" pos="0 ${0.08 * side} 0">
        <joint name="${name} pitch" axis="0 1 0" range="-0.8 2"/>
        <geom type="capsule" fromto="0 0 -0.02 0 0 ${-thigh}" size="0.024" mass="1"/>
        <body name="${name} shin" pos="0 0 ${-thigh}">
          <joint name="${name} knee" axis="0 1 0" range="-2.6 -0.5"/>
          <geom type="capsule" fromto="0 0 0 0 0 ${0.04 - shin}" size="0.016" mass="0.15"/>
          <geom type="sphere" size="${foot}" pos="0 0 ${-shin}" mass="0.05"/>
        </body>
      </body>
    </body>`,
  )
  const names = LEGS.flatMap(([name]) => ['roll', 'pitch', 'knee'].map((part) => `${name} ${part}`))
  const angles = LEGS.flatMap(() => pose)
  const height = foot + thigh * Math.cos(pose[1]) + shin * Math.cos(pose[1] + pose[2])
  return `<mujoco model="quadruped">
  <compiler angle="radian" autolimits="true"/>
  <option timestep="0.002"/>
  <default>
    <geom friction="0.8"/>
    <joint armature="0.01" damping="0.3" frictionloss="0.2"/>
    <position kp="80" kv="2" forcerange="-24 24"/>
  </default>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body name="trunk" pos="0 0 0.35">
      <freejoint name="root"/>
      <geom type="box" size="0.22 0.06 0.055" mass="6.5"/>
      <geom type="box" size="0.04 0.05 0.04" pos="0.26 0 0.02" mass="0.7"/>
      ${legs.join('')}
    </body>
  </worldbody>
  <actuator>${names.map((name) => `<position name="${name}" joint="${name}"/>`).join('')}</actuator>
  <keyframe><key name="stand" qpos="0 0 ${height.toFixed(6)} 1 0 0 0 ${angles.join(' ')}" ctrl="${angles.join(' ')}"/></keyframe>
</mujoco>`
}

/** Where the fingers of the hand are: angle about the palm's axis. The thumb is opposite the other three. */
const FINGERS = [
  ['index', 0.7],
  ['middle', 0],
  ['ring', -0.7],
  ['thumb', Math.PI],
] as const

/** Closes round the ball between 0.2 and 0.8 s: length of the tendons goes down by what a servo at each asks. */
export const HAND_CLOSES = { from: 0.2, to: 0.8, open: 0, closed: 1.15 } as const

/**
 * Four fingers of four joints over a palm that faces up: each has a servo for its spread, one for its knuckle and a tendon that couples the two
 * outer joints, pulled by a third. A ball of 0.15 kg lies on the palm.
 */
export function hand(): string {
  const fingers = FINGERS.map(([name, angle]) => {
    const [x, y] = [0.052 * Math.cos(angle), 0.052 * Math.sin(angle)]
    return `<body name="${name} knuckle" pos="${x.toFixed(5)} ${y.toFixed(5)} 0.012" euler="0 0 ${angle}">
      <joint name="${name} spread" axis="0 0 1" range="-0.3 0.3"/>
      <geom type="sphere" size="0.011" mass="0.02" contype="0" conaffinity="0"/>
      <body name="${name} proximal">
        <joint name="${name} flex" axis="0 -1 0" range="-0.4 1.6"/>
        <geom type="capsule" fromto="0 0 0.012 0 0 0.04" size="0.009" mass="0.03"/>
        <body name="${name} middle" pos="0 0 0.045">
          <joint name="${name} middle" axis="0 -1 0" range="-0.1 1.7"/>
          <geom type="capsule" fromto="0 0 0 0 0 0.026" size="0.0085" mass="0.02"/>
          <body name="${name} tip" pos="0 0 0.028">
            <joint name="${name} tip" axis="0 -1 0" range="-0.1 1.5"/>
            <geom type="capsule" fromto="0 0 0 0 0 0.018" size="0.008" mass="0.012"/>
          </body>
        </body>
      </body>
    </body>`
  })
  const names = FINGERS.map(([name]) => name)
  const tendons = names.map(
    (name) => `<fixed name="${name} tendon"><joint joint="${name} middle" coef="0.6"/><joint joint="${name} tip" coef="0.4"/></fixed>`,
  )
  const actuators = names.map(
    (name) => `<position name="${name} spread" joint="${name} spread" kp="2" kv="0.05"/>
      <position name="${name} flex" joint="${name} flex" kp="2" kv="0.08" forcerange="-0.8 0.8"/>
      <position name="${name} tendon" tendon="${name} tendon" kp="2" kv="0.05" forcerange="-0.6 0.6"/>`,
  )
  return `<mujoco model="hand">
  <compiler angle="radian" autolimits="true"/>
  <option timestep="0.002"/>
  <default>
    <geom friction="0.9"/>
    <joint armature="0.0005" damping="0.01"/>
  </default>
  <worldbody>
    <geom type="box" size="0.045 0.045 0.012" pos="0 0 0"/>
    ${fingers.join('')}
    <body name="ball" pos="0 0 0.0445">
      <freejoint name="ball"/>
      <geom type="sphere" size="0.032" mass="0.15"/>
    </body>
  </worldbody>
  <tendon>${tendons.join('')}</tendon>
  <actuator>${actuators.join('')}</actuator>
</mujoco>`
}
