import { expect, test } from 'vitest'
import { cpuTime } from '../../../test/cpu-time.js'
import { createRandom } from '../../../test/random.js'
import { ModelError } from '../../model/model-error.js'
import { parseUrdf } from './parse-urdf.js'

const inertial =
  '<inertial><origin xyz="0 0 0.1" rpy="0.1 0.2 0.3"/><mass value="1.5"/><inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0" iyz="0"/></inertial>'
const arm = `<?xml version="1.0"?>
<robot name="arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base">${inertial}<visual name="v"><geometry><box size="1 2 3"/></geometry><material name="grey"/></visual></link>
  <link name="a">${inertial}<collision><geometry><cylinder radius="0.1" length="2"/></geometry></collision></link>
  <link name="b"><collision><origin rpy="0 0 1"/><geometry><mesh filename="package://x/m.obj" scale="1 1 -1"/></geometry></collision></link>
  <link name="c">${inertial}</link>
  <joint name="j" type="revolute"><parent link="base"/><child link="a"/><origin xyz="0 0 1" rpy="1 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/><dynamics damping="0.5" friction="0.1"/></joint>
  <joint name="k" type="prismatic"><parent link="a"/><child link="b"/><mimic joint="j" multiplier="2" offset="1"/></joint>
  <joint name="f" type="fixed"><parent link="b"/><child link="c"/></joint>
</robot>`
const hand = `<robot name="hand"><mujoco><compiler balanceinertia="true" boundmass="0.01" meshdir="m" fusestatic="true" settotalmass="3"/><option gravity="0 0 -1"/></mujoco>
  <link name="world"/><link name="palm">${inertial}</link><link name="tip"><visual><geometry><sphere radius="0.1"/></geometry></visual>${inertial}</link>
  <joint name="p" type="floating"><parent link="world"/><child link="palm"/></joint>
  <joint name="q" type="planar"><parent link="palm"/><child link="tip"/><axis xyz="1 1 0"/></joint><gazebo/></robot>`
const mesh = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'

const snippets = [
  '"',
  '<',
  '>',
  '/',
  '=',
  ' ',
  '&',
  '&lt;',
  '-',
  '1e999',
  'NaN',
  '',
  '0',
  'world',
  'base',
  'a',
  'name=""',
  '<link name="a"/>',
  '<origin/>',
  '\u0000',
  '${x}',
]

function mutate(text: string, next: () => number): string {
  const pick = (n: number): number => Math.floor(next() * n)
  let out = text
  for (let t = 1 + pick(3); t > 0; t--) {
    const at = pick(out.length + 1)
    const kind = pick(7)
    const word = snippets[pick(snippets.length)] as string
    if (kind === 0) out = out.slice(0, at) + out.slice(at + 1 + pick(30))
    else if (kind === 1) out = out.slice(0, at) + word + out.slice(at)
    else if (kind === 2) {
      // another value for one attribute
      const values = [...out.matchAll(/="[^"]*"/g)]
      const value = values[pick(values.length)]
      if (value) out = `${out.slice(0, value.index)}="${word.replace(/["<&]/g, '')}"${out.slice(value.index + value[0].length)}`
    } else if (kind === 3) {
      // one element less, or twice
      const tags = [...out.matchAll(/<[a-z]+[^<>]*\/>/g)]
      const tag = tags[pick(tags.length)]
      if (tag) out = out.slice(0, tag.index) + (pick(2) === 0 ? '' : tag[0] + tag[0]) + out.slice(tag.index + tag[0].length)
    } else if (kind === 4) {
      // one name for another
      const names = ['base', 'a', 'b', 'c', 'j', 'k', 'f', 'palm', 'tip', 'revolute', 'fixed', 'link', 'joint']
      const [from, to] = [names[pick(names.length)] as string, names[pick(names.length)] as string]
      out = out.replace(`"${from}"`, `"${to}"`)
    } else if (kind === 5) out = out.slice(0, at)
    else out = out.replace(/<\/?(visual|collision|inertial|geometry)>/, word)
  }
  return out
}

test('1,000 mutated URDF files (seed 1) give a spec or a ModelError', () => {
  const next = createRandom(1).unit
  const counts = { spec: 0, error: 0 }
  for (let k = 0; k < 1000; k++) {
    const text = mutate(k % 2 === 0 ? arm : hand, next)
    try {
      const spec = parseUrdf(text, { file: 'x.urdf', resolve: (path) => (path === 'm.obj' ? mesh : undefined), mergeFixed: k % 3 === 0 })
      expect(JSON.parse(JSON.stringify(spec)).bodies.length).toBe(spec.bodies.length)
      const names = spec.bodies.map((body) => body.name)
      expect(new Set(names).size).toBe(names.length)
      spec.bodies.forEach((body, i) => expect(['world', ...names.slice(0, i)]).toContain(body.parent))
      counts.spec++
    } catch (error) {
      if (!(error instanceof ModelError)) throw new Error(`case ${k}: ${String(error)}\n${text}`)
      for (const problem of error.problems) expect(problem.place?.line, problem.message).toBeGreaterThan(0)
      counts.error++
    }
  }
  expect(counts.spec).toBeGreaterThan(100)
  expect(counts.error).toBeGreaterThan(100)
})

test('a star of 5,000 links and a chain of 5,000 are read in seconds', () => {
  const n = 5_000
  for (const parent of [() => 0, (i: number) => i - 1]) {
    const parts = ['<robot name="r"><link name="l0"/>']
    for (let i = 1; i <= n; i++) {
      parts.push(`<link name="l${i}"/><joint name="j${i}" type="continuous"><parent link="l${parent(i)}"/><child link="l${i}"/></joint>`)
    }
    const begin = cpuTime()
    expect(parseUrdf(`${parts.join('')}</robot>`).bodies).toHaveLength(n + 1)
    expect(cpuTime() - begin).toBeLessThan(20)
  }
})
