import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { buildModel } from './build/build-model.js'
import { createSimulation } from './create-simulation.js'
import { parseMjcf } from './io/mjcf/parse-mjcf.js'
import { readCsv } from './io/trajectory/csv.js'
import { recordBytes } from './record.js'
import { record } from './record-file.js'

const folder = mkdtempSync(join(tmpdir(), 'limber-record-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string): string => join(folder, name)
const spec = parseMjcf(
  '<mujoco><worldbody><body><joint type="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.05"/></body></worldbody></mujoco>',
)
const pendulum = () => createSimulation(buildModel(spec))

describe('record', () => {
  it.each(['csv', 'json', 'npy', 'mcap', 'glb'] as const)('writes a .%s, the bytes of recordBytes, and nothing beside', async (format) => {
    const options = { seconds: 1.005, fps: 30 }
    const { frames, time, message } = await record(pendulum(), at(`motion.${format}`), options)
    expect({ frames, time, message }).toEqual({ frames: 31, time: 1, message: '' })
    expect(Buffer.compare(readFileSync(at(`motion.${format}`)), await recordBytes(pendulum(), format, options))).toBe(0)
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('makes the steps that advance makes', async () => {
    const [recorded, plain] = [pendulum(), pendulum()]
    await record(recorded, at('steps.csv'), { seconds: 0.7 })
    plain.advance(0.7)
    expect([...recorded.state.q, recorded.state.t]).toEqual([...plain.state.q, plain.state.t])
  })

  it('ends where a signal asks, whole up to there', async () => {
    const controller = new AbortController()
    let steps = 0
    const { frames, message } = await record(pendulum(), at('early.csv'), {
      ...{ seconds: 1e5, fps: 50, signal: controller.signal },
      onStep: () => {
        if (++steps === 1000) controller.abort()
      },
    })
    expect(message).toMatch(/it was ended; .*early\.csv holds \d+ frames up to t = /)
    expect(readCsv(readFileSync(at('early.csv'), 'utf8')).times).toHaveLength(frames)
  })

  it('leaves the old file, and nothing beside, where the program of the user throws', async () => {
    writeFileSync(at('kept.csv'), 'old')
    const onStep = (): never => {
      throw new Error('mine')
    }
    await expect(record(pendulum(), at('kept.csv'), { seconds: 1, onStep })).rejects.toThrow('mine')
    expect(readFileSync(at('kept.csv'), 'utf8')).toBe('old')
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('keeps a link and the rights of what it replaces', async () => {
    writeFileSync(at('real.csv'), 'old')
    chmodSync(at('real.csv'), 0o640)
    symlinkSync('real.csv', at('link.csv'))
    await record(pendulum(), at('link.csv'), { seconds: 0.1 })
    expect(lstatSync(at('link.csv')).isSymbolicLink()).toBe(true)
    expect(statSync(at('real.csv')).mode & 0o777).toBe(0o640)
    expect(readFileSync(at('real.csv'), 'utf8')).toMatch(/^t,/)
  })

  it('refuses a suffix that it does not know', async () => {
    await expect(record(pendulum(), at('motion.avi'), { seconds: 1 })).rejects.toThrow(/csv, json, npy, mcap, glb, got 'avi'/)
  })
})
