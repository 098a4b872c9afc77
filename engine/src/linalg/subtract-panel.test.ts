/**
 * The product of panels, in JavaScript and in WebAssembly.
 */
import { describe, expect, it } from 'vitest'
import { createPanelSpace, type PanelSpace, subtractPanel } from './subtract-panel.js'

const noise = (k: number): number => Math.sin(12.9898 * k) * 3.7

function fill({ Q, panel }: PanelSpace, w: number, width: number, scaled: number, n: number): void {
  for (let k = 0; k < Q.length; k++) Q[k] = noise(k + 5)
  for (let k = 0; k < panel.length; k++) panel[k] = 0
  for (let r = 0; r < n; r++) {
    for (let j = 0; j < w; j++) {
      panel[r * width + j] = noise(r * 31 + j)
      panel[scaled + r * width + j] = noise(r * 17 + j + 2000)
    }
  }
}

describe('subtractPanel', () => {
  const sizes = [
    [1, 1],
    [4, 3],
    [7, 12],
    [30, 5],
    [61, 12],
  ] as const

  it.each(sizes)('takes the products from the lower triangle, w = %i, n = %i', (w, n) => {
    const width = (w + 3) & ~3
    const scaled = n * width
    const st = w + 7
    const space = createPanelSpace(3 + st * (w + 4), 2 * scaled, true)
    fill(space, w, width, scaled, n)
    const before = space.Q.slice()
    expect(space.subtract).toBe(subtractPanel)
    space.subtract(space.Q, 3, st, w, space.panel, width, scaled, n)
    for (let i = 0; i < w; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = before[3 + i * st + j]
        for (let r = 0; r < n; r++) sum -= space.panel[r * width + i] * space.panel[scaled + r * width + j]
        expect(Math.abs(space.Q[3 + i * st + j] - sum)).toBeLessThan(1e-12 * n * 14)
      }
    }
  })

  it.each(sizes)('gives the same bits in WebAssembly, w = %i, n = %i', (w, n) => {
    const width = (w + 3) & ~3
    const scaled = n * width
    const st = w + 7
    const make = (plain: boolean): PanelSpace => {
      const space = createPanelSpace(3 + st * (w + 4), 2 * scaled, plain)
      fill(space, w, width, scaled, n)
      space.subtract(space.Q, 3, st, w, space.panel, width, scaled, n)
      return space
    }
    const fast = make(false)
    // Node has had it for years
    expect(fast.subtract).not.toBe(subtractPanel)
    expect(Array.from(fast.Q)).toEqual(Array.from(make(true).Q))
  })
})
