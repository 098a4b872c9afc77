/** Where the files are looked for that an included file names: MuJoCo's places and order, which were tried out on its own file system. */
import { describe, expect, it } from 'vitest'
import { mujoco } from '../../../../test/io/mujoco.js'
import { buildModel } from '../../../build/build-model.js'
import { ModelError } from '../../../model/model-error.js'
import { parseMjcf } from '../parse-mjcf.js'

/** A corner of a cube of that size: 1/6 of its volume, at 1000 kg/m³. */
const corner = (size: number): string => `v 0 0 0\nv ${size} 0 0\nv 0 ${size} 0\nv 0 0 ${size}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`
const massOf = (size: number): number => (1000 * size ** 3) / 6
const main = '<mujoco><include file="sub/arm.xml"/></mujoco>'
const arm = (compiler = ''): string =>
  `<mujoco>${compiler}<asset><mesh name="m" file="in/m.obj"/></asset><worldbody><body><geom type="mesh" mesh="m"/></body></worldbody></mujoco>`

function masses(files: Record<string, string>): number[] | string {
  try {
    return parseMjcf(main, { resolve: (path) => files[path] }).bodies.map((body) => Number(body.inertia?.mass.toFixed(9)))
  } catch (error) {
    if (error instanceof ModelError) return error.message
    throw error
  }
}

describe('a mesh named in an included file', () => {
  it('is looked for in the folder of the main file, then beside the included one', () => {
    const [near, far] = [{ 'sub/in/m.obj': corner(3) }, { 'in/m.obj': corner(2) }]
    expect(masses({ 'sub/arm.xml': arm(), ...near })).toEqual([massOf(3)])
    expect(masses({ 'sub/arm.xml': arm(), ...far })).toEqual([Number(massOf(2).toFixed(9))])
    expect(masses({ 'sub/arm.xml': arm(), ...near, ...far })).toEqual([Number(massOf(2).toFixed(9))])
  })

  it('lies there without meshdir, and not at all where paths are stripped', () => {
    const files = { 'sub/in/m.obj': corner(3), 'sub/m.obj': corner(3), 'sub/x/in/m.obj': corner(2) }
    expect(masses({ 'sub/arm.xml': arm('<compiler meshdir="x"/>'), ...files })).toEqual([massOf(3)])
    expect(masses({ 'sub/arm.xml': arm('<compiler strippath="true"/>'), ...files })).toMatch(/'m.obj' was not found/)
  })

  it('is found beside the innermost file', () => {
    const outer = '<mujoco><include file="deep/arm.xml"/></mujoco>'
    const found = masses({ 'sub/arm.xml': outer, 'sub/deep/arm.xml': arm(), 'sub/deep/in/m.obj': corner(3) })
    expect(found).toEqual([massOf(3)])
  })
})

describe('a model to attach', () => {
  const holder = '<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><attach model="c" prefix="p-"/></worldbody></mujoco>'
  const child = (mass: number): string => `<mujoco><worldbody><body><geom size="1" mass="${mass}"/></body></worldbody></mujoco>`

  it('is looked for beside the included file first', () => {
    expect(masses({ 'sub/arm.xml': holder, 'sub/c.xml': child(4) })).toEqual([4])
    expect(masses({ 'sub/arm.xml': holder, 'sub/c.xml': child(4), 'c.xml': child(5) })).toEqual([4])
    expect(masses({ 'sub/arm.xml': holder, 'c.xml': child(5) })).toEqual([5])
  })
})

describe('two meshes of one file', () => {
  const said = (second: string): string => {
    const text = `<mujoco><asset><mesh name="a" file="m.obj"/><mesh name="b" file="m.obj" ${second}/></asset></mujoco>`
    return parseMjcf(text, { resolve: () => corner(1) })
      .ignored.map(({ what, why }) => `${what}: ${why}`)
      .join('\n')
  }

  it('are named where only their reference poses differ, because MuJoCo then mixes them up', () => {
    expect(said('refpos="1 0 0"')).toMatch(/mesh 'b'.*reference pose.*affects motion in MuJoCo/)
    expect(said('refquat="1 1 0 0"')).toMatch(/reference pose/)
    expect(said('refpos="1 0 0" scale="2 2 2"')).not.toMatch(/reference pose/)
    expect(said('refpos="0 0 0" inertia="shell"')).not.toMatch(/reference pose/)
  })
})

describe('a part of an attached model', () => {
  it('says nothing of what was left behind, beside it or around it', () => {
    const child = `<mujoco><worldbody><site name="w" pos="1 0 0"/><frame pos="0 0 1" euler="0 0 9"><body name="a" pos="1 2 3"><joint name="j" user="1"/>
      <geom size=".1"/><site name="s"/></body><body name="b" pos="0 1 0"><geom size=".2" group="3"/></body></frame></worldbody>
      <tendon><spatial name="t" stiffness="4" range="0 1"><site site="w"/><site site="s"/></spatial></tendon></mujoco>`
    const scene =
      '<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><attach model="c" body="a" prefix="p-"/></worldbody></mujoco>'
    const spec = parseMjcf(scene, { resolve: () => child })
    expect(spec.ignored.map(({ what }) => what)).toEqual(['attribute user of joint'])
    expect(spec.bodies.map(({ name, position }) => [name, position])).toEqual([['p-a', [1, 2, 3]]])
    expect(spec.tendons).toBeUndefined()
  })
})

describe('keyframes of attached models', () => {
  const child = `<mujoco><compiler angle="radian"/><worldbody><body name="b" pos="1 0 0"><joint name="j"/><geom size=".1"/>
    <body><joint name="k" type="ball"/><geom size=".1"/></body></body><body name="z"><freejoint/><geom size=".1"/></body></worldbody>
    <actuator><motor joint="j"/></actuator><keyframe><key name="home" time="2" qpos=".5 .6 0 .8 0 1 2 3 1 0 0 0" qvel="1 2 3 4 0 0 0 0 0 0" ctrl="7"/>
    <key name="other" qpos="0 1 0 0 0 0 0 0 1 0 0 0"/></keyframe></mujoco>`
  const scene = (attach: string, keys = '') => `<mujoco><compiler angle="radian"/><asset><model name="c" file="c.xml"/></asset><worldbody>
    <body name="base"><joint name="m" ref=".2"/><geom size=".1"/>${attach}</body></worldbody><actuator><motor joint="m"/></actuator>${keys}</mujoco>`
  const once = '<attach model="c" body="b" prefix="p-"/>'
  it.each([
    ['are kept with what was attached', scene(once)],
    ['follow those of the file itself', scene(once, '<keyframe><key name="own" qpos=".9 .8 1 0 0 0"/></keyframe>')],
    ['are kept once for each time', scene(`${once}<attach model="c" body="b" prefix="q-"/>`)],
  ])('%s', async (_, text) => {
    const module = await mujoco()
    const vfs = new module.MjVFS()
    vfs.addBuffer('c.xml', new TextEncoder().encode(child))
    const m = module.MjModel.from_xml_string(text, vfs)
    const spec = parseMjcf(text, { resolve: () => child })
    const { keyframes } = buildModel(spec)
    expect(spec.ignored.map(({ what }) => what).filter((what) => what.includes('key'))).toEqual([])
    expect(keyframes.map(({ name }) => name)).toEqual(
      Array.from({ length: m.nkey }, (_, k) => module.mj_id2name(m, module.mjtObj.mjOBJ_KEY.value, k)),
    )
    expect(keyframes.flatMap(({ q }) => [...q])).toEqual([...m.key_qpos])
    expect(keyframes.flatMap(({ v }) => [...v])).toEqual([...m.key_qvel])
    expect(keyframes.flatMap(({ control }) => [...control])).toEqual([...m.key_ctrl])
    expect(keyframes.map(({ time }) => time)).toEqual([...m.key_time])
    vfs.delete()
    m.delete()
  })
})

describe('a height field from a file', () => {
  it('is said to affect what touches it', () => {
    const spec = parseMjcf(
      '<mujoco><asset><hfield name="h" file="h.png" size="1 1 1 1"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>',
      { resolve: () => '' },
    )
    expect(spec.ignored.find(({ what }) => what.startsWith('hfield'))?.why).toMatch(/^affects motion/)
  })
})
