import { expect, test } from 'vitest'
import { voxelGrid } from './mesh.js'
import { modesFor } from './modes-for.js'

const meshes = [10, 100, 1000].map((n) => voxelGrid({ size: [n, 1, 1], edge: 1 }))

test.each([3, 7, 20, 60, 240])('%i modes are shared out by the logarithms of the sizes', (total) => {
  const modes = modesFor(total, meshes)
  expect(modes.reduce((a, b) => a + b, 0)).toBe(total)
  const sum = Math.log(11) + Math.log(101) + Math.log(1001)
  ;[11, 101, 1001].forEach((n, k) => {
    expect(Math.abs(modes[k] - (total * Math.log(n)) / sum)).toBeLessThan(1)
  })
})

test('every domain gets one, even if that is more than the total', () => {
  expect(modesFor(1, meshes)).toEqual([1, 1, 1])
  expect(modesFor(5, [])).toEqual([])
})
