import { expect, it } from 'vitest'
import { loadMemory, memoryLayout, memoryViews } from './memory-layout.js'

const layout = memoryLayout({ first: 2, none: 0, last: 3 })

it('parts follow each other as the table lists them, empty ones too', () => {
  expect(layout.at).toEqual({ first: 0, none: 2, last: 2 })
  expect(layout.length).toBe(5)
})

it('views and loads show the same numbers', () => {
  const s = Float64Array.of(1, 2, 3, 4, 5)
  const { first, last } = memoryViews(layout, s)
  expect([...first, ...last]).toEqual([...s])
  const out = new Float64Array(3)
  loadMemory(out, s, layout.at.last)
  expect([...out]).toEqual([3, 4, 5])
})
