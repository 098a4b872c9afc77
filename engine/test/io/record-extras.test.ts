/** Recordings hold sensors, controls and contact forces on request, in every format that can, and read back to the same bits. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  buildModel,
  createSampler,
  createSimulation,
  parseMjcf,
  type Recording,
  readCsv,
  readMcap,
  readNpy,
  readTrajectoryJson,
  recordBytes,
  recordingExtras,
  type Simulation,
  writeCsv,
  writeMcap,
  writeNpy,
  writeTrajectoryJson,
} from 'limber'
import { record } from 'limber/node'
import { describe, expect, it } from 'vitest'

const model = buildModel(
  parseMjcf(`<mujoco><option timestep="0.002"/><worldbody><geom name="floor" type="plane" size="3 3 .1"/>
    <body name="ball" pos="0 0 .1"><freejoint/><geom size=".1" mass="1"/><site name="imu"/></body>
    <body name="arm" pos="2 0 1"><joint name="arm" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" contype="0" conaffinity="0"/></body>
    </worldbody><actuator><position name="arm, left" joint="arm" kp="20" kv="1"/></actuator>
    <sensor><accelerometer name="imu" site="imu"/><jointpos name="arm" joint="arm"/></sensor></mujoco>`),
)
const options = { seconds: 0.5, fps: 50, include: recordingExtras }
/** a control that changes with time */
const onStep = ({ state }: Simulation): void => {
  state.control[0] = Math.sin(state.t)
}
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const run = async (format: 'csv' | 'json' | 'npy' | 'mcap'): Promise<Uint8Array> =>
  recordBytes(createSimulation(model), format, { ...options, onStep })

describe('a recording', () => {
  it('holds what the simulation showed: the weight of a ball at rest, controls, angles', async () => {
    const recording = readTrajectoryJson(await run('json'))
    const { model: recorded, sensors, controls, contacts, times, q } = recording
    expect(recorded.extras).toEqual({
      sensors: [
        { name: 'imu', size: 3 },
        { name: 'arm', size: 1 },
      ],
      controls: [{ name: 'arm, left', size: 1 }],
      contacts: [{ name: 'ball', size: 3 }],
    })
    const last = times.length - 1
    expect(contacts?.subarray(3 * last, 3 * last + 3)[2]).toBeCloseTo(9.81, 1)
    expect(controls?.[last]).toBeCloseTo(Math.sin(times[last]), 2)
    // the sensor is of the end of the step, which is the time of the frame here
    expect(sensors?.[4 * last + 3]).toBe(q[8 * last + 7])
  })

  it.each([
    ['csv', async () => readCsv(text(await run('csv')))],
    ['npy', async (json: Recording) => readNpy(await run('npy'), json.model)],
    ['mcap', async () => readMcap(await run('mcap'))],
  ] as const)('as %s has the numbers of that as json', async (_, read) => {
    const json = readTrajectoryJson(await run('json'))
    const other = await read(json)
    for (const key of ['times', 'q', 'v', ...recordingExtras] as const)
      expect([...(other[key] ?? [])], key).toEqual([...(json[key] ?? [0])])
    expect(other.model.extras).toEqual(json.model.extras)
  })

  it('is written from memory as it is written while it runs', async () => {
    const json = readTrajectoryJson(await run('json'))
    expect(writeTrajectoryJson(json)).toBe(text(await run('json')))
    expect(writeCsv(json)).toBe(text(await run('csv')))
    expect([...writeNpy(json)]).toEqual([...(await run('npy'))])
    expect((await readMcap(await writeMcap(json))).contacts).toEqual(json.contacts)
  })

  it('goes to a file in the same way', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'limber-'))
    try {
      for (const format of ['csv', 'json', 'npy'] as const) {
        const file = join(folder, `run.${format}`)
        await record(createSimulation(model), file, { ...options, onStep })
        expect(Buffer.compare(readFileSync(file), await run(format)), format).toBe(0)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('without them is as it was, and a glb refuses them', async () => {
    const plain = readTrajectoryJson(await recordBytes(createSimulation(model), 'json', { seconds: 0.1, fps: 50 }))
    expect(plain.model.extras).toBeUndefined()
    expect(plain.sensors).toBeUndefined()
    await expect(recordBytes(createSimulation(model), 'glb', options)).rejects.toThrow('no sensors or controls or contacts; take csv')
    expect(() => createSampler(createSimulation(model), { include: ['sensor' as never] })).toThrow("got 'sensor'; did you mean 'sensors'?")
  })
})
