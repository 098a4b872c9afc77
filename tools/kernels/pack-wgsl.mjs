/**
 * Printed WGSL as text that is small when it travels: inlined functions repeat each other over more than what gzip looks back, and with other
 * names. `engine/src/batch/gpu/unpack` reads it.
 *
 * 1  Locals are named by how many were declared since, so that equal pieces of code read the same: `$3`.
 * 2  A line whose numbers go on as in the two lines before it is a `*` with how many such follow.
 * 3  A line is a template and the distances that fill it. Templates that occur twice are in a dictionary, the most frequent first.
 * 4  Templates that follow each other as before are copied: `@`, with how far back and how many in `copies`.
 * 5  Distances are differences to those of the line that is copied, or of the last line with the same template.
 */

/** Characters for numbers: no escapes in a string, and no `~`, which stands before a line that is in no dictionary. */
const DIGITS = Array.from({ length: 93 }, (_, k) => String.fromCharCode(33 + k)).filter((c) => !`"'\\`.includes(c))
const BASE = DIGITS.length
/** numbers below ONE are one digit, below TWO two, and others the last digit with three others */
const ONE = BASE - 24
const TWO = ONE + 23 * BASE

function digits(x) {
  if (!(x >= 0 && x < TWO + BASE ** 3)) throw new Error(`packing WGSL: ${x} is no number that it has digits for`)
  if (x < ONE) return DIGITS[x]
  const digit = (y) => DIGITS[Math.floor(y) % BASE]
  if (x < TWO) return DIGITS[ONE + Math.floor((x - ONE) / BASE)] + digit(x - ONE)
  return DIGITS[BASE - 1] + digit((x - TWO) / BASE ** 2) + digit((x - TWO) / BASE) + digit(x - TWO)
}
const signed = (x) => digits(x < 0 ? -2 * x - 1 : 2 * x)

/** Lines with relative names, shorter where their end says no more: the inverse of `unpack`'s last step. */
function relative(source) {
  let count = 0
  const declared = new Map()
  return source.split('\n').map((line) => {
    const named = (s) => s.replace(/\b[tv]\d+\b/g, (x) => `$${count - declared.get(x)}`)
    const declaration = line.match(/^(let|var) ([tv]\d+)(.*)$/)
    let short
    if (declaration) {
      const [, kind, name, rest] = declaration
      short = `${kind === 'let' ? '=' : ''}${named(rest)}`.replace(/^==/, '=')
      declared.set(name, count++)
    } else short = named(line)
    return short
      .replace(/;$/, '')
      .replaceAll(/\*[NC]\]/g, ']')
      .replaceAll(')*N+e', ')S')
      .replaceAll(')*C+i', ')W')
  })
}

/** The line that goes on from two others of its shape; undefined where there is none. */
function next(before, last) {
  if (before === undefined || before.replaceAll(/\d+/g, '%') !== last.replaceAll(/\d+/g, '%')) return undefined
  const old = before.match(/\d+/g)
  let k = 0
  return old && last.replaceAll(/\d+/g, (x) => 2 * x - old[k++])
}

function packRuns(lines) {
  const out = []
  for (let i = 0; i < lines.length; ) {
    let n = 0
    while (i + n < lines.length && i > 0 && next(lines[i + n - 2], lines[i + n - 1]) === lines[i + n]) n++
    out.push(n > 0 ? `*${n}` : lines[i])
    i += Math.max(1, n)
  }
  return out
}

/** lines from which on a copy is shorter */
const WORTH = 3

/** Numbers of lines, with pairs [distance, length] where several follow each other as before. */
function packCopies(lines) {
  const places = new Map()
  const out = []
  let known = 0
  for (let i = 0; i < lines.length; ) {
    let [most, from] = [0, 0]
    for (const j of places.get(`${lines[i]}\n${lines[i + 1]}`) ?? []) {
      let n = 0
      while (i + n < lines.length && j + n < i && lines[j + n] === lines[i + n]) n++
      if (n >= most) [most, from] = [n, j]
    }
    const copied = most >= WORTH
    out.push(copied ? [i - from, most] : i)
    i += copied ? most : 1
    for (; known + 1 < i; known++) {
      const key = `${lines[known]}\n${lines[known + 1]}`
      places.set(key, [...(places.get(key) ?? []), known])
    }
  }
  return out
}

/** Functions by name → { templates, lines, distances, copies }. */
export function packWgsl(functions) {
  const whole = packRuns([...functions.values()].flatMap(relative))
  const all = whole.map((line) => line.replaceAll(/\$\d+/g, '$'))
  const given = whole.map((line) => (line.match(/\$\d+/g) ?? []).map((x) => Number(x.slice(1))))
  const packed = packCopies(all)
  const uses = new Map()
  for (const line of packed) {
    const template = Array.isArray(line) ? '@' : all[line]
    uses.set(template, (uses.get(template) ?? 0) + 1)
  }
  const templates = [...uses.keys()].filter((t) => uses.get(t) > 1).sort((a, b) => uses.get(b) - uses.get(a))
  const number = new Map(templates.map((t, k) => [t, k]))
  const before = new Map()
  let [lines, distances, copies] = ['', '', '']
  const putDistances = (i, old) => {
    distances += given[i].map((x, k) => signed(x - (old?.[k] ?? 0))).join('')
    before.set(all[i], given[i])
  }
  let i = 0
  for (const line of packed) {
    if (Array.isArray(line)) {
      const [distance, length] = line
      lines += digits(number.get('@'))
      copies += digits(distance) + digits(length)
      for (const end = i + length; i < end; i++) putDistances(i, given[i - distance])
    } else {
      lines += number.has(all[line]) ? digits(number.get(all[line])) : `~${all[line]}\n`
      putDistances(i, before.get(all[i]))
      i++
    }
  }
  return { templates: templates.join('\n'), lines, distances, copies }
}
