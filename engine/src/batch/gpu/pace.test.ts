/** How much a GPU is given at a time: as many steps as take about 10 ms a dispatch and 50 ms a command buffer. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPace } from './pace.js'

let now = 0
afterEach(() => {
  vi.restoreAllMocks()
  now = 0
})

/** A queue that takes this many milliseconds a step of a chunk, and ends when told to. */
function paceOf(milliseconds: () => number) {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  let steps = 0
  let finish = (): void => {}
  const queue = {
    submit: () => {},
    onSubmittedWorkDone: () => new Promise<void>((resolve) => (finish = resolve)),
  }
  const pace = createPace({ queue } as unknown as GPUDevice)
  const submit = (): void => {
    steps = pace.dispatches * (1 << pace.powerFor(1000))
    pace.submit({} as GPUCommandBuffer, steps)
  }
  const end = async (): Promise<void> => {
    now += milliseconds() * steps
    finish()
    await Promise.resolve()
    await Promise.resolve()
  }
  return { pace, submit, end }
}

describe('the pace of a GPU', () => {
  it('begins with single steps, and never makes more than are left', () => {
    const { pace } = paceOf(() => 1)
    expect([pace.powerFor(1000), pace.dispatches]).toEqual([0, 4])
    expect(pace.powerFor(1)).toBe(0)
  })

  it.each([
    [100, 0, 1],
    [3, 1, 8],
    [0.01, 6, 78],
  ])('of %d ms a step comes to 2^%d steps a dispatch, and %d dispatches', async (milliseconds, power, dispatches) => {
    const { pace, submit, end } = paceOf(() => milliseconds)
    for (let n = 0; n < 12; n++) {
      submit()
      await end()
    }
    expect([pace.powerFor(1000), pace.dispatches]).toEqual([power, dispatches])
  })

  it('slows down at once', async () => {
    let milliseconds = 0.01
    const { pace, submit, end } = paceOf(() => milliseconds)
    for (let n = 0; n < 12; n++) {
      submit()
      await end()
    }
    milliseconds = 100
    submit()
    await end()
    expect([pace.powerFor(1000), pace.dispatches]).toEqual([0, 1])
  })

  it('does not take what waited for other work as slow', async () => {
    const { pace, submit, end } = paceOf(() => 1)
    submit()
    // enqueued behind the first: its time is not its own
    pace.submit({} as GPUCommandBuffer, 1)
    now += 1e6
    await end()
    expect(pace.dispatches).toBe(4)
  })
})
