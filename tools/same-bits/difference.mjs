/** The first number in which two traces part: its step, its body and field, and both values; undefined where they are the same. */
export function firstDifference(a, b) {
  for (let step = 0; step < Math.max(a.rows.length, b.rows.length); step++) {
    const [one, other] = [a.rows[step], b.rows[step]]
    if (!one || !other) return { step: step + 1, field: 'the number of steps', values: [a.rows.length, b.rows.length] }
    for (let k = 0; k < Math.max(one.length, other.length); k++) {
      if (one[k] !== other[k]) return { step: step + 1, field: a.labels[k] ?? b.labels[k], values: [numberOf(one[k]), numberOf(other[k])] }
    }
  }
  return undefined
}

function numberOf(word) {
  return word === undefined ? undefined : new Float64Array(BigUint64Array.of(BigInt(`0x${word}`)).buffer)[0]
}
