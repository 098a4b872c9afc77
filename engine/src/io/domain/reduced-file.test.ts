import { expect, test } from 'vitest'
import { atOrigin, beam, rubber } from '../../../test/deformable/meshes.js'
import { createRandom } from '../../../test/random.js'
import { reduce } from '../../deformable/reduce.js'
import { ModelError } from '../../model/model-error.js'
import { readReduced, writeReduced } from './reduced-file.js'

const tip = { min: [0.6, -1, -1], max: [1, 1, 1] } as const
const domain = reduce(beam([3, 1, 1], 0.2), { material: rubber, fixed: atOrigin, interfaces: { 'tip é': tip }, modes: 3 })
const bytes = writeReduced(domain)

test('a domain comes back from its bytes, wherever they lie', () => {
  expect(readReduced(bytes, 'a.bin')).toEqual(domain)
  const shifted = new Uint8Array(bytes.length + 3)
  shifted.set(bytes, 3)
  expect(readReduced(shifted.subarray(3), 'a.bin')).toEqual(domain)
  expect(readReduced(Buffer.from(bytes), 'a.bin')).toEqual(domain)
})

test('a rigid domain has no modes and comes back', () => {
  const rigid = reduce(beam([2, 1, 1], 0.2), { material: rubber, modes: 0 })
  expect(readReduced(writeReduced(rigid), 'rigid')).toEqual(rigid)
})

test.each([
  [
    'another kind of file',
    () => new TextEncoder().encode('solid not a domain, but long enough for one'),
    /stem\.limber: expected a reduced domain, .*limber reduce/,
  ],
  ['an empty file', () => new Uint8Array(0), /stem\.limber: expected a reduced domain/],
  ['an outdated file', () => edited((copy) => (copy[8] = 0)), /stem\.limber: expected version 1 .*got 0 \(outdated\).*make the file anew/],
  ['a newer file', () => edited((copy) => (copy[8] = 2)), /stem\.limber: .*got 2 \(newer\)/],
  ['half of a file', () => bytes.slice(0, bytes.length >> 1), /stem\.limber: expected \d+ bytes, got \d+ \(truncated\)/],
  ['a file with more at its end', () => Uint8Array.from([...bytes, 0]), /stem\.limber: .*corrupted/],
])('%s is refused by name', (_, make, message) => {
  expect(() => readReduced(make(), 'stem.limber')).toThrow(ModelError)
  expect(() => readReduced(make(), 'stem.limber')).toThrow(message)
})

test('any one byte that changes is noticed (seed 1)', () => {
  const random = createRandom(1)
  for (let k = 0; k < 300; k++) {
    const at = k < 24 ? k : random.below(bytes.length)
    const copy = edited((c) => (c[at] ^= 1 << random.below(8)))
    expect(() => readReduced(copy, 'x'), `byte ${at}`).toThrow(ModelError)
  }
})

function edited(edit: (copy: Uint8Array) => void): Uint8Array {
  const copy = bytes.slice()
  edit(copy)
  return copy
}
