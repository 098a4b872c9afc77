/** `limber run --record`: what is recorded besides the motion, also where a run goes on from a checkpoint. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCsv, readTrajectoryJson } from 'limber'
import { describe, expect, it } from 'vitest'
import { limber, temporaryFolder } from './limber.js'

const folder = temporaryFolder()
folder.put(
  'arm.xml',
  `<mujoco><worldbody><body><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/></body></worldbody>
  <actuator><motor name="drive" joint="hinge"/></actuator><sensor><jointvel name="rate" joint="hinge"/></sensor></mujoco>`,
)
const run = (...args: string[]) =>
  limber(['run', 'arm.xml', '--duration', '0.2', '--control', 'drive=0.3', '--fps', '50', ...args], { cwd: folder.path })
const read = (name: string) => readFileSync(join(folder.path, name), 'utf8')

describe('limber run --record', () => {
  it('puts sensors and controls into the file', async () => {
    expect((await run('--out', 'arm.csv', '--record', 'sensors,controls')).code).toBe(0)
    expect(read('arm.csv').split('\n')[0]).toBe('t,hinge.q,hinge.v,kinetic,potential,rate.sensor,drive.control')
    const { sensors, controls, v } = readCsv(read('arm.csv'))
    expect(sensors).toEqual(v)
    expect(controls?.every((x) => x === 0.3)).toBe(true)
  })

  it('goes on from a checkpoint with them', async () => {
    expect((await run('--out', 'whole.json', '--record', 'sensors')).code).toBe(0)
    expect((await run('--out', 'part.json', '--record', 'sensors', '--checkpoint', 'arm.checkpoint')).code).toBe(0)
    expect(readTrajectoryJson(read('part.json')).sensors).toEqual(readTrajectoryJson(read('whole.json')).sensors)
  })

  it('refuses other words, formats that cannot hold them, and a run without a file', async () => {
    const wrong = await run('--out', 'arm.csv', '--record', 'sensor')
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("expected some of sensors, controls, contacts, separated by commas, got 'sensor'"),
    ])
    const glb = await run('--out', 'arm.glb', '--record', 'sensors')
    expect([glb.code, glb.stderr]).toEqual([2, expect.stringContaining('take .csv, .json, .npy or .mcap')])
    const none = await run('--record', 'sensors')
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('expected --out with a file to record to')])
  })
})
