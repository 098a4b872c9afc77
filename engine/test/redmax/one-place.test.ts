/** Shapes drawn on top of one another have contacts with the square of their number: a step ends within its memory, and says why. */
import { buildModel, createSimulation } from 'limber'
import { expect, it, vi } from 'vitest'

const PAGE = 65_536

/** Bytes of all WebAssembly memory that is taken while f runs. */
function memoryTaken(f: () => void): number {
  const { Memory } = WebAssembly
  let bytes = 0
  class Counted extends Memory {
    constructor(given: WebAssembly.MemoryDescriptor) {
      super(given)
      bytes += given.initial * PAGE
    }
  }
  vi.spyOn(WebAssembly, 'Memory', 'get').mockReturnValue(Counted)
  try {
    f()
  } finally {
    vi.restoreAllMocks()
  }
  return bytes
}

it('1,500 free spheres at one place: a step takes less than a gigabyte, and is marked or says what is too much', {
  timeout: 120_000,
}, () => {
  const model = buildModel({
    bodies: Array.from({ length: 1500 }, (_, k) => ({
      name: `ball${k}`,
      geoms: [{ shape: 'sphere' as const, radius: 0.1, density: 1000 }],
      joints: [{ name: `joint${k}`, type: 'free' as const }],
    })),
  })
  const simulation = createSimulation(model)
  const start = simulation.state.q.slice()
  const bytes = memoryTaken(() => {
    const { status, message } = simulation.step()
    if (status === 'ok') expect(simulation.report.bounded).toBe(1)
    else {
      expect(message).toMatch(/takes more work than a step may, with \d+ contacts or more between 1500 bodies, .* start with bodies apart/)
      expect(simulation.state.q).toEqual(start)
    }
  })
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(2 ** 30)
  expect(simulation.warnings().join()).toMatch(/overlap by 200 mm at the start, as 99,999 other pairs, or more, do/)
})
