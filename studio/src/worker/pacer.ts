/**
 * Keeps simulated time abreast of the clock, in slices short enough that messages get through.
 */

/** milliseconds of work before the worker looks at its messages again */
const slice = 24
/** seconds behind the clock at which it gives up catching up and runs slow instead */
const patience = 0.1

export interface Pacer {
  /** forget the past: now is simulated time `t` */
  rebase(t: number): void
  setSpeed(speed: number, t: number): void
  /** simulated time that the clock asks for */
  now(): number
  /** steps until simulated time has caught up with the clock or the slice is used up; `step` returns the new time, or undefined to stop */
  catchUp(t: number, step: () => number | undefined): void
}

export function createPacer(): Pacer {
  let wallStart = performance.now()
  let timeStart = 0
  let speed = 1
  const rebase = (t: number) => {
    wallStart = performance.now()
    timeStart = t
  }
  const now = () => timeStart + (speed * (performance.now() - wallStart)) / 1000
  return {
    rebase,
    now,
    setSpeed(next, t) {
      speed = next
      rebase(t)
    },
    catchUp(t, step) {
      const begin = performance.now()
      const target = now()
      let time: number | undefined = t
      while (time !== undefined && time < target && performance.now() - begin < slice) time = step()
      if (time !== undefined && target - time > patience * speed) rebase(time)
    },
  }
}
