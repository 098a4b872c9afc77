import { describe, expect, it } from 'vitest'
import { readModel } from './read-model.js'

const file = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) })
const robot = file(
  'robot.xml',
  '<mujoco><include file="parts.xml"/><worldbody><body><joint/><geom size=".1" class="limb"/></body></worldbody></mujoco>',
)
const parts = file('parts.xml', '<mujoco><default><default class="limb"/></default></mujoco>')
const other = file('other.xml', '<mujoco/>')

describe('readModel', () => {
  it('offers other models, and not what the model is made of', () => {
    expect(readModel([parts, robot, other])).toMatchObject({ main: 'robot.xml', others: ['other.xml'] })
  })

  it('reads the one that was asked for', () => {
    expect(readModel([parts, robot, other], 'other.xml')).toMatchObject({ main: 'other.xml', others: ['parts.xml', 'robot.xml'] })
  })
})
