/** What `resolve` returns is checked: anything but text, bytes or nothing is a ModelError that says what came, and what to return. */
import { ModelError, parseMjcf, parseScene, parseUrdf, parseVolumeMesh } from 'limber'
import { describe, expect, it } from 'vitest'

type Resolve = (path: string) => string | Uint8Array | undefined

const body = '<body><freejoint/><geom type="mesh" mesh="m"/></body>'
const readers: [string, (resolve: Resolve) => unknown][] = [
  ['an include', (resolve) => parseMjcf('<mujoco>\n<include file="part.xml"/></mujoco>', { file: 'robot.xml', resolve })],
  [
    'a mesh of MJCF',
    (resolve) => parseMjcf(`<mujoco><asset><mesh name="m" file="a.stl"/></asset><worldbody>${body}</worldbody></mujoco>`, { resolve }),
  ],
  [
    'an attached model',
    (resolve) =>
      parseMjcf('<mujoco><asset><model name="m" file="a.xml"/></asset><worldbody><attach model="m" prefix="x"/></worldbody></mujoco>', {
        resolve,
      }),
  ],
  [
    'a mesh of URDF',
    (resolve) =>
      parseUrdf('<robot name="r"><link name="l"><collision><geometry><mesh filename="a.stl"/></geometry></collision></link></robot>', {
        resolve,
      }),
  ],
  [
    'a domain of a scene',
    (resolve) =>
      parseScene('{"bodies": [], "domains": [{"name": "d", "file": "a.reduced"}]}', { resolve: resolve as (path: string) => Uint8Array }),
  ],
  ["the other of TetGen's files", (resolve) => parseVolumeMesh('4 3 0 0\n', 'a.node', { resolve })],
]

const given: [string, unknown, string][] = [
  ['a promise', Promise.resolve('<mujoco/>'), 'got a promise; resolve must be synchronous'],
  ['a number', 7, 'got a number; return a string or a Uint8Array'],
  ['an object', { text: '<mujoco/>' }, 'got an object; return'],
  ['a list', [1, 2], 'got an Array; return'],
  ['true', true, 'got a boolean; return'],
]

describe.each(readers)('resolve of %s', (_, read) => {
  it.each(given)('that returns %s is refused', (_name, content, message) => {
    const attempt = (): unknown => read((() => content) as unknown as Resolve)
    expect(attempt).toThrow(ModelError)
    expect(attempt).toThrow(message)
  })
})

it('names the include that asked, and the path', () => {
  const resolve = (() => Promise.resolve('')) as unknown as Resolve
  expect(() => readers[0][1](resolve)).toThrow(/^robot\.xml:2:1: .*resolve\('part\.xml'\): expected text or bytes/)
})

it('takes bytes in other forms, and null for no file', () => {
  const text = new TextEncoder().encode('<mujoco><worldbody><body name="b"/></worldbody></mujoco>')
  for (const content of [text, text.buffer, new DataView(text.buffer)]) {
    const spec = parseMjcf('<mujoco><include file="part.xml"/></mujoco>', { resolve: (() => content) as unknown as Resolve })
    expect(spec.bodies.map(({ name }) => name)).toEqual(['b'])
  }
  expect(() => readers[0][1]((() => null) as unknown as Resolve)).toThrow("included file 'part.xml' not found")
})

it('is itself a function', () => {
  expect(() => parseMjcf('<mujoco/>', { resolve: 'files' as unknown as Resolve })).toThrow(ModelError)
})
