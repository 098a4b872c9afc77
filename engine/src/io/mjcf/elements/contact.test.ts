/** Pairs of geoms that a file names touch here as in MuJoCo, and no others do. */
import loadMujoco, { type MainModule } from '@mujoco/mujoco'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildModel } from '../../../build/build-model.js'
import { mayTouch } from '../../../contact/may-touch.js'
import { writeMjcf } from '../../write/mjcf/write-mjcf.js'
import { parseMjcf } from '../parse-mjcf.js'

let mujoco: MainModule
beforeAll(async () => {
  mujoco = (await loadMujoco()) as MainModule
}, 120_000)

/** Names of the geoms that touch in MuJoCo at the start. */
function touching(text: string): string[] {
  const m = mujoco.MjModel.from_xml_string(text)
  const d = new mujoco.MjData(m)
  mujoco.mj_forward(m, d)
  const names = Array.from({ length: m.ngeom }, (_, k) => mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_GEOM.value, k))
  const pairs = new Set<string>()
  for (let k = 0; k < d.ncon; k++) {
    const contact = d.contact.get(k)
    if (contact) pairs.add([names[contact.geom1], names[contact.geom2]].sort().join(' '))
  }
  d.delete()
  m.delete()
  return [...pairs].sort()
}

/** The same of the pairs that may touch here: shapes of the models below all overlap. */
function allowed(text: string): string[] {
  const { shapes: contact } = buildModel(parseMjcf(text))
  const names = contact.names.map((name) => name.match(/'(\w+)'/)?.[1] ?? name)
  const pairs = names.flatMap((a, i) => names.flatMap((b, j) => (i < j && mayTouch(contact, i, j) ? [[a, b].sort().join(' ')] : [])))
  return pairs.sort()
}

const ignoredOf = (text: string): string[] => (parseMjcf(text).ignored ?? []).map(({ what }) => what)

const ball = (name: string, rest = '') => `<body><freejoint/><geom name="${name}" size=".1" ${rest}/></body>`
const pair = (a: string, b: string) => `<pair geom1="${a}" geom2="${b}" condim="3" friction=".5"/>`
const scene = (bodies: string, contact: string, none = true) => `<mujoco>
  <default><geom ${none ? 'contype="0" conaffinity="0"' : ''}/></default>
  <worldbody><geom name="floor" type="plane" size="1 1 1" pos="0 0 .05"/>${bodies}</worldbody><contact>${contact}</contact></mujoco>`
const four = ['torso', 'left', 'right', 'toe'].map((name) => ball(name)).join('')

describe('pairs of geoms that a file names', () => {
  test.each([
    ['touch where nothing else does', scene(four, pair('torso', 'left') + pair('right', 'torso') + pair('floor', 'toe'))],
    [
      'touch besides those that do by their types',
      scene(four + ball('hand', 'contype="2" conaffinity="2"') + ball('box', 'contype="2"'), pair('hand', 'toe')),
    ],
    ['change nothing where all touch', scene(four, pair('torso', 'left'), false)],
    [
      'are copied with what a replicate makes of them',
      scene(`<replicate count="3">${ball('foot')}</replicate>${ball('arm')}`, pair('floor', 'foot')),
    ],
    [
      'may be many of few',
      scene(
        four,
        ['torso left', 'torso right', 'torso toe', 'left right', 'left toe', 'floor left']
          .map((p) => pair(...(p.split(' ') as [string, string])))
          .join(''),
      ),
    ],
  ])('%s', (_, text) => {
    expect(allowed(text)).toEqual(touching(text))
    expect(touching(text).length).toBeGreaterThan(0)
    expect(ignoredOf(text).filter((what) => what.startsWith('contact pair'))).toEqual([])
  })

  test('are still the same after writing', () => {
    const text = scene(four, pair('torso', 'left') + pair('floor', 'toe'))
    expect(allowed(writeMjcf(parseMjcf(text)).text)).toEqual(['floor toe', 'left torso'])
  })

  test('are named where they are neighbours, which never touch here', () => {
    const chain = '<body><freejoint/><geom name="upper" size=".1"/><body><joint/><geom name="lower" size=".1"/></body></body>'
    const text = scene(chain, pair('upper', 'lower'))
    expect(touching(text)).toEqual(['lower upper'])
    expect(allowed(text)).toEqual([])
    expect(ignoredOf(text)).toContain('contact pair of geoms that are joined, neighbours or excluded')
  })

  test('are named where bits do not suffice, and the others touch', () => {
    const names = Array.from({ length: 35 }, (_, k) => [`a${k}`, `b${k}`] as const)
    const text = scene(names.map(([a, b]) => ball(a) + ball(b)).join(''), names.map(([a, b]) => pair(a, b)).join(''))
    expect(allowed(text)).toHaveLength(31)
    expect(ignoredOf(text)).toContain('contact pair beyond those that bits are left for (4 times, first here)')
  })

  test('need geoms that are there, or are left out', () => {
    expect(ignoredOf(scene(four, pair('torso', 'tail')))).toContain('contact pair of a geom that is not there')
  })
})
