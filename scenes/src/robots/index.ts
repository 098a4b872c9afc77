/**
 * The table of robots: scenes with motors that one commands. By itself, so that a page fetches them when the first is asked for.
 */
import type { Scene } from '../scene.js'
import { arm } from './arm.js'
import { gripper } from './gripper.js'
import { hand } from './hand.js'
import { herd } from './herd.js'
import { quadruped } from './quadruped.js'
import { threeFinger } from './three-finger.js'

export const robotScenes: readonly Scene[] = [arm, gripper, threeFinger, hand, quadruped, herd]
