/** 0 before `from`, 1 after `to`, smooth between: how commands go from one posture to the next. */
export function blend(t: number, from: number, to: number): number {
  const x = Math.min(Math.max((t - from) / (to - from), 0), 1)
  return x * x * (3 - 2 * x)
}
