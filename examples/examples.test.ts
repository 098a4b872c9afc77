/** Every example runs, prints what it promises, and is listed. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'

/** what the last lines of each say */
const PRINTS: Readonly<Record<string, RegExp>> = {
  'batch.mjs': /^1000 of 1000 poles are upright after 2\.0 s$/,
  'contact-forces.mjs': /floor on lower: 0\.0 -?0\.0 29\.4 N[^]*floor on lower: -14\.7 -?0\.0 29\.4 N/,
  'four-bar.mjs': /closed to a tenth of a micrometre: true/,
  'inverse-kinematics.mjs': /^24 of 24 points reached/,
  'own-force.mjs': /energy kept to 1e-6 J: true/,
  'pendulum-energy.mjs': /t = 5 s: .*energy off by -?\d\.\de-(0?[6-9]|\d\d) J/,
  'record-glb.mjs': /limber-chain\.glb: 61 frames up to 2 s$/,
  'robot-servos.mjs': /shoulder: -0\.9\d+ rad for -1[^]*back at 0\.5\d+ rad/,
  'sensors.mjs': /t = 1\.0 s: height 0\.03\d m, felt 9\.81 m\/s², floor carries 7\.85 N/,
  'urdf-arm.mjs': /status ok[^]*yaw at 0\.50 rad/,
}
const folder = new URL('./', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

afterEach(() => {
  vi.restoreAllMocks()
})

describe('examples', () => {
  it('are ten or more, each short, all of them listed', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
    expect(files.length).toBeGreaterThanOrEqual(10)
    expect(files.sort()).toEqual(Object.keys(PRINTS).sort())
    for (const file of files) {
      expect(read(file).split('\n').length, file).toBeLessThanOrEqual(61)
      expect(read('README.md'), file).toContain(`[${file}](${file})`)
    }
  })

  it.each(Object.entries(PRINTS))('%s prints what it promises', async (file, wanted) => {
    const lines: string[] = []
    vi.spyOn(console, 'log').mockImplementation((...words: unknown[]) => void lines.push(words.map(String).join(' ')))
    // on the sources, as all tests
    await import(new URL(file, folder).href)
    expect(lines.join('\n')).toMatch(wanted)
    expect(lines.join('\n')).not.toContain('NaN')
  })
})
