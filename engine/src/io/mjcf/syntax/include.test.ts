/** Where the files are looked for that an included file names: MuJoCo's places and order, which were tried out on its own file system. */
import { describe, expect, it } from 'vitest'
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
