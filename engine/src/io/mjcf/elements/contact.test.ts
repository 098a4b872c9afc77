/** Pairs of geoms that a file names touch here as in MuJoCo, and no others do. */
import loadMujoco, { type MainModule } from '@mujoco/mujoco'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildModel } from '../../../build/build-model.js'
import { createContacts } from '../../../contact/contacts.js'
import { findContacts } from '../../../contact/find-contacts.js'
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

  test('touch where they are neighbours, excluded or of one body', () => {
    const lower = '<body name="B"><joint/><geom name="lower" size=".1"/><geom name="toe" size=".1"/></body>'
    const text = scene(
      `<body name="A"><freejoint/><geom name="upper" size=".1"/>${lower}</body>`,
      `${pair('upper', 'lower')}${pair('toe', 'lower')}<exclude body1="A" body2="B"/>`,
    )
    expect(touching(text)).toEqual(['lower toe', 'lower upper'])
    expect(allowed(text)).toEqual(touching(text))
  })

  test('may be any number', () => {
    const names = Array.from({ length: 35 }, (_, k) => [`a${k}`, `b${k}`] as const)
    const text = scene(names.map(([a, b]) => ball(a) + ball(b)).join(''), names.map(([a, b]) => pair(a, b)).join(''))
    expect(allowed(text)).toEqual(touching(text))
  })

  test('need geoms that are there, or are left out', () => {
    expect(ignoredOf(scene(four, pair('torso', 'tail')))).toContain('contact pair of a geom that is not there')
  })
})

describe('how geoms rub and give way', () => {
  const two = (a: string, b: string, rest = '') => `<mujoco>${rest}<worldbody>
    <body><freejoint/><geom name="a" size=".1" ${a}/></body><body pos=".25 0 0"><freejoint/><geom name="b" size=".1" ${b}/></body></worldbody></mujoco>`
  const near = (a: string, b: string, rest = '') => two(`margin=".06" ${a}`, `margin=".06" ${b}`, rest)
  const class1 =
    '<default><geom condim="4" solimp=".8"/><pair condim="6" solref=".05" margin=".3"/><default class="x"><pair friction=".3 .2"/></default></default>'
  test.each([
    ['the larger coefficients and condim', near('friction=".2 .1" condim="4"', 'friction=".1 .2 .3" condim="6"')],
    ['a higher priority', near('friction=".2" condim="1" priority="1" solref="-100 -5"', 'friction=".9" condim="6"')],
    [
      'a higher priority of the second',
      near('friction=".2" condim="4" solimp=".3"', 'friction=".1" condim="1" priority="2" solref=".1 .7"'),
    ],
    ['softness mixed by solmix', near('solmix="3" solref=".03 1"', 'solimp=".5 .6 .01 .3 3"')],
    ['softness without weights', near('solmix="0" solref=".03 1"', 'solmix="0" solimp=".5 .6 .01 .3 3"')],
    ['softness with one weight', near('solmix="0" solref=".03 1"', 'solimp=".5 .6 .01 .3 3"')],
    ['stiffness and damping', near('solref="-100 -50"', 'solref="-200 -5" solmix="2"')],
    ['one of them with stiffness', near('solref="-100 -50"', '')],
    ['margins and gaps', two('margin=".02" gap=".01"', 'margin=".035" gap=".02"')],
    ['a default class', near('', 'condim="1"', class1)],
    ['a pair', two('condim="1" friction=".1" solmix="0"', '', `${class1}<contact><pair geom1="b" geom2="a" class="x"/></contact>`)],
    [
      'a pair of its own',
      two(
        'contype="0"',
        'conaffinity="0"',
        '<contact><pair geom1="a" geom2="b" friction=".7" solimp=".1" margin=".04" gap=".1"/></contact>',
      ),
    ],
  ])('%s count as in MuJoCo', (_, text) => {
    const m = mujoco.MjModel.from_xml_string(text)
    const d = new mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    const other = d.contact.get(0)
    const { shapes } = buildModel(parseMjcf(text))
    const c = createContacts(shapes)
    const X = Float64Array.from([0, 0, 0.25].flatMap((x) => [1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 0]))
    findContacts(c, shapes, X, 0)
    expect([c.count, d.ncon]).toEqual([1, 1])
    const close = (ours: Float64Array, theirs: Iterable<number> | undefined): void => {
      expect(ours.length).toBe([...(theirs ?? [])].length)
      ;[...(theirs ?? [])].forEach((x, k) => expect(ours[k]).toBeCloseTo(x, 14))
    }
    expect(c.dim[0]).toBe(other?.dim)
    close(c.friction.subarray(0, 5), other?.friction)
    close(c.softness.subarray(0, 2), other?.solref)
    close(c.softness.subarray(2, 7), other?.solimp)
    expect(c.offset[0]).toBeCloseTo(other?.includemargin ?? Number.NaN, 14)
    expect(c.gap[0]).toBeCloseTo(other?.dist ?? Number.NaN, 14)
    expect({ ...buildModel(parseMjcf(writeMjcf(parseMjcf(text)).text)).shapes, names: shapes.names }).toEqual(shapes)
    d.delete()
    m.delete()
  })

  test('a hard geom takes the softness of the other', () => {
    const geoms = [{ shape: 'sphere', radius: 1, priority: 1 } as const, { shape: 'sphere', radius: 1, solref: [0.1, 0.5] } as const]
    const free = [{ type: 'free' as const }]
    const { shapes } = buildModel({ bodies: geoms.map((geom, k) => ({ name: `b${k}`, joints: free, geoms: [{ ...geom, mass: 1 }] })) })
    const c = createContacts(shapes)
    findContacts(c, shapes, Float64Array.from([0, 0, 1].flatMap((x) => [1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 0])), 0)
    expect([...c.softness.subarray(0, 7)]).toEqual([0.1, 0.5, 0.9, 0.95, 0.001, 0.5, 2])
  })

  test('of limits, dry friction and equalities come with the model', () => {
    const text = `<mujoco><default><joint solreflimit=".03"/><equality solimp=".8"/></default><worldbody><body name="p"><joint name="h" range="0 1" margin=".1" frictionloss="1"
      solimpfriction=".7 .8"/><geom size="1"/><body name="q"><joint name="k" axis="0 1 0"/><geom size="1"/></body></body></worldbody>
      <tendon><fixed range="0 1" solreflimit="-9 -3" frictionloss="2"><joint joint="h" coef="1"/></fixed></tendon>
      <equality><joint joint1="h" joint2="k" solref=".04 .9"/></equality></mujoco>`
    const model = mujoco.MjModel.from_xml_string(text)
    const ours = buildModel(parseMjcf(text))
    expect([...ours.limitSolref.subarray(0, 2)]).toEqual([...model.jnt_solref.subarray(0, 2)])
    expect([...ours.limitSolimp.subarray(0, 5)]).toEqual([...model.jnt_solimp.subarray(0, 5)])
    expect(ours.limitMargin[0]).toBe(model.jnt_margin[0])
    expect([...ours.frictionSolref.subarray(0, 2)]).toEqual([...model.dof_solref.subarray(0, 2)])
    expect([...ours.frictionSolimp.subarray(0, 5)]).toEqual([...model.dof_solimp.subarray(0, 5)])
    expect([...ours.constraints.solref]).toEqual([...model.eq_solref])
    expect([...ours.constraints.solimp]).toEqual([...model.eq_solimp])
    expect([...ours.tendons.limitSolref]).toEqual([...model.tendon_solref_lim])
    expect([...ours.tendons.frictionSolref]).toEqual([...model.tendon_solref_fri])
    expect(ours.tendons.friction[0]).toBe(2)
    expect(buildModel(parseMjcf(writeMjcf(parseMjcf(text)).text)).limitSolref).toEqual(ours.limitSolref)
    model.delete()
  })
})
