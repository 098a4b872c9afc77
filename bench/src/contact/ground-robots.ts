/** The humanoid and the quadruped in five situations on the ground, as MJCF: touching the floor alone, and their own parts too. */
import { humanoid, quadruped } from './robots.js'

export interface GroundRobot {
  readonly name: string
  /** contacts with the floor only, in both engines */
  readonly alone: string
  readonly whole: string
  /** rad: half width of the random commands that servos get in `bench batch`; absent: none */
  readonly actions?: number
}

const onFloor = (text: string): string =>
  text
    .replace('<geom friction="', '<geom contype="0" conaffinity="1" friction="')
    .replace('<geom type="plane" ', '<geom type="plane" contype="1" conaffinity="1" ')

/** The keyframe with its root higher by z and turned. */
const thrown = (text: string, z: number, turn: string): string =>
  text.replace(/(<key name="\w+" qpos="0 0 )([\d.]+) 1 0 0 0/, (_, start, height) => `${start}${(Number(height) + z).toFixed(6)} ${turn}`)

const robot = (name: string, whole: string, actions?: number): GroundRobot => ({
  ...{ name, whole, alone: onFloor(whole) },
  ...(actions === undefined ? {} : { actions }),
})

export const groundRobots: readonly GroundRobot[] = [
  robot('humanoid lying', humanoid('lying')),
  robot('humanoid standing', humanoid('standing')),
  robot('humanoid falling', thrown(humanoid('standing'), 0.15, '0.93 0.2 0.3 0.05')),
  robot('quadruped standing', quadruped()),
  robot('quadruped dropped', thrown(quadruped(), 0.3, '0.95 0.25 0.15 0.1')),
]

export const actingRobots: readonly GroundRobot[] = [
  robot('humanoid, random actions', humanoid('standing'), 0.2),
  robot('quadruped, random actions', quadruped(), 0.3),
]
