import { describe, expect, it } from 'vitest'
import { buildModel } from '../../build/build-model.js'
import { ModelError } from '../../model/model-error.js'
import { parseState } from './parse-state.js'

const inertia = { mass: 1, tensor: [1, 1, 1, 0, 0, 0] } as const
const model = buildModel({
  bodies: [
    { name: 'a', inertia, joints: [{ name: 'base', type: 'free' }] },
    { name: 'b', parent: 'a', inertia, joints: [{ name: 'knee', type: 'revolute' }] },
  ],
})

function problemsOf(text: string): string[] {
  try {
    parseState(text, model, { file: 's.json' })
  } catch (error) {
    if (error instanceof ModelError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('parseState', () => {
  it('takes comments, trailing commas and a byte order mark, as scenes do', () => {
    const text = `\uFEFF// where it starts
{
  /* position, quaternion, knee */
  "q": [0, 0, 1, 1, 0, 0, 0, 0.5,], // bent
  "t": 2,
}`
    expect(parseState(text, model)).toEqual({ q: [0, 0, 1, 1, 0, 0, 0, 0.5], t: 2 })
  })

  it('points at the entry that is wrong and tells whose it is', () => {
    expect(problemsOf('{\n  "q": [0, 0, 0, 1, 0, 0, 0,\n    null],\n  "v": [1, 2]\n}')).toEqual([
      's.json:3:5: q[7]: expected a finite number, got null; it belongs to joint knee (revolute)',
      's.json:4:8: v: expected 7 numbers, got 2; expected v[0…5] for base (free), v[6] for knee (revolute)',
    ])
    expect(problemsOf('{"q": [0, 0, 0, 0, 0, 0, 0, 0]}')).toEqual([
      's.json:1:17: q[3…6]: expected a quaternion w x y z, got all zeros; it belongs to joint base, and no turn is 1 0 0 0',
    ])
  })

  it.each([
    ['', 's.json:1:1: expected JSON like {"q": [...], "v": [...], "tau": [...]}, got an empty file'],
    ['q = 1', `s.json:1:1: expected JSON like {"q": [...], "v": [...], "tau": [...]}, got 'q = 1'`],
    ['[1]', 's.json:1:1: expected an object {"q": [...], "v": [...], "tau": [...]}, got a list of 1'],
    ['{\n"t": 1\n"v": []}', `s.json:3:1: expected ',', got '"v"'`],
    ['{ "t": nan }', "s.json:1:8: expected a finite number, got 'nan'; check what it was computed from"],
    ['{ "t": "now" }', 's.json:1:8: t: expected a finite number, the time in seconds, got "now"'],
    ['{ "taus": [] }', "s.json:1:3: taus: unknown key; did you mean 'tau'?"],
    ['{ "state": { "t": 1 } }', 's.json:1:3: state: unknown key; take what it holds as the file'],
    ['{ "t": 1, "t": 2 }', 's.json:1:11: t: expected each key once, got it twice'],
  ])('says what is wrong with %s', (text, message) => {
    expect(problemsOf(text)).toEqual([message])
  })
})
