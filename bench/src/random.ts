/** Numbers from −1 to 1, the same in every run. */
export function createRandom(): () => number {
  let x = 1
  return () => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0
    return (x / 2 ** 32) * 2 - 1
  }
}
