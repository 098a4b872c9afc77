/** Sorts x[0 … count − 1] without a view of them: heapsort. */
export function sortFirst(x: Int32Array, count: number): void {
  const sift = (from: number, end: number): void => {
    const value = x[from]
    let at = from
    for (let below = 2 * at + 1; below < end; below = 2 * at + 1) {
      if (below + 1 < end && x[below + 1] > x[below]) below++
      if (x[below] <= value) break
      x[at] = x[below]
      at = below
    }
    x[at] = value
  }
  for (let k = (count >> 1) - 1; k >= 0; k--) sift(k, count)
  for (let end = count - 1; end > 0; end--) {
    const largest = x[0]
    x[0] = x[end]
    x[end] = largest
    sift(0, end)
  }
}
