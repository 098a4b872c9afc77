/**
 * Inputs of the fuzzer: number k of a seed is the same on every machine. A good file, changed in one to six places: cut, repeated, mixed with another of its
 * format, its numbers and words in the place of others, its bits turned over.
 */
import { formats } from './samples.mjs'
import { LONGEST_STEP, stepModel } from './step.mjs'

/** T. Ettinger's mulberry32. */
function randomOf(seed) {
  let s = seed >>> 0
  return (n) => {
    s = (s + 0x6d2b79f5) >>> 0
    let t = Math.imul(s ^ (s >>> 15), 1 | s)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((n * ((t ^ (t >>> 14)) >>> 0)) / 4294967296)
  }
}

const wheel = formats.flatMap((format) => new Array(format.weight).fill(format))

/** what numbers and words become */
const WORDS = [
  ...[
    '0',
    '-0',
    '-1',
    '1',
    '2',
    '3',
    '4',
    '255',
    '256',
    '65536',
    '2147483647',
    '2147483648',
    '4294967295',
    '-2147483648',
    '9007199254740993',
  ],
  ...[
    '1e308',
    '1e309',
    '-1e308',
    '1e-320',
    '1e15',
    '1e9',
    '100000',
    '0.5',
    'NaN',
    'nan',
    'inf',
    '-inf',
    'Infinity',
    '0x10',
    '1,5',
    '+',
    '.',
    '1e',
    '--1',
  ],
  ...[
    '',
    ' ',
    '\n',
    '\t',
    '\0',
    '"',
    "'",
    '<',
    '>',
    '/>',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '&',
    '&amp;',
    '&#0;',
    '<!--',
    '-->',
    '<?',
    ']]>',
    '\\',
    '/',
    '#',
    '\uFEFF',
    'ü',
    '\u2028',
  ],
  ...[
    'true',
    'false',
    'null',
    'world',
    'toString',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    '../x',
    '/etc/passwd',
    'package://a/b',
    'file:///etc/passwd',
    '.',
    '..',
  ],
  ...[
    '<body>',
    '</body>',
    '<geom/>',
    '<joint/>',
    '<freejoint/>',
    '<replicate count="1000">',
    '<frame>',
    '<include file="a.xml"/>',
    '<attach model="m" prefix="p"/>',
    '<default class="c">',
  ],
  ...['<link name="l"/>', '"type": "free"', '"bodies": []', 'property list uchar int x', 'element face 999999999', 'f 1 2 3', 'v 1 2 3'],
]
const NUMBER = /-?\d+(?:\.\d*)?(?:e[-+]?\d+)?/gi
const QUOTED = /"[^"\n]{0,200}"/g
const WORD = /[A-Za-z_][\w.-]*/g

/** @returns {{ format: typeof formats[number], bytes: Uint8Array }} */
export function inputOf(seed, k) {
  const pick = randomOf(Math.imul(seed, 0x9e3779b1) ^ Math.imul(k + 1, 0x85ebca6b))
  for (let i = 0; i < 4; i++) pick(2)
  const format = wheel[pick(wheel.length)]
  let bytes = Uint8Array.from(format.samples[pick(format.samples.length)])
  // mostly few changes: what is damaged all over is refused at its first line
  for (let n = 1 + pick(pick(3) === 0 ? 6 : 2); n > 0; n--)
    bytes = isText(bytes) && pick(12) > 0 ? mutateText(bytes, format, pick) : mutateBytes(bytes, format, pick)
  if (format.seal && pick(2) === 0) bytes = format.seal(bytes)
  return { format, bytes }
}

function isText(bytes) {
  const head = bytes.subarray(0, 400)
  for (const byte of head) if (byte === 0 || byte > 0xf4) return false
  return true
}

function mutateText(bytes, format, pick) {
  const text = new TextDecoder('utf-8').decode(bytes)
  return new TextEncoder().encode(mutated(text, format, pick)).slice(0, LONGEST)
}

const LONGEST = 300_000

const KINDS = [0, 1, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 8, 9]

function mutated(text, format, pick) {
  const at = pick(text.length + 1)
  const span = 1 + pick(pick(4) === 0 ? 400 : 30)
  const word = WORDS[pick(WORDS.length)]
  // changes that keep the syntax are the likelier ones: they reach what lies behind the parser
  switch (KINDS[pick(KINDS.length)]) {
    case 0:
      return text.slice(0, at) + text.slice(at + span)
    case 1:
      return text.slice(0, at) + word + text.slice(at)
    case 2:
      // once more, or very often
      return text.slice(0, at) + text.slice(at, at + span).repeat(1 + pick(pick(8) === 0 ? 500 : 3)) + text.slice(at)
    case 3:
      return change(text, NUMBER, pick, () => word)
    case 4:
      return change(text, NUMBER, pick, (old) => String(Number(old) * [0.5, 2, -1, 1e3, 1e-6, 1e12][pick(6)]))
    case 5:
      return change(text, QUOTED, pick, () => `"${word}"`)
    case 6: {
      const all = text.match(QUOTED) ?? ['""']
      return change(text, QUOTED, pick, () => all[pick(all.length)])
    }
    case 7: {
      const all = text.match(WORD) ?? ['a']
      return change(text, WORD, pick, () => all[pick(all.length)])
    }
    case 8: {
      const other = new TextDecoder('utf-8').decode(format.samples[pick(format.samples.length)])
      return text.slice(0, at) + other.slice(pick(other.length + 1))
    }
    default: {
      const lines = text.split('\n')
      const line = lines[pick(lines.length)]
      lines.splice(pick(lines.length + 1), pick(3), line, ...(pick(2) ? [lines[pick(lines.length)]] : []))
      return lines.join('\n')
    }
  }
}

function change(text, pattern, pick, replace) {
  const found = [...text.matchAll(pattern)]
  if (found.length === 0) return text
  const { index, 0: old } = found[pick(found.length)]
  return text.slice(0, index) + replace(old) + text.slice(index + old.length)
}

function mutateBytes(bytes, format, pick) {
  const at = pick(bytes.length + 1)
  const other = format.samples[pick(format.samples.length)]
  const join = (...parts) => Uint8Array.from(Buffer.concat(parts)).slice(0, LONGEST)
  switch (pick(8)) {
    case 0:
      return bytes.slice(0, at)
    case 1:
      bytes[at] = pick(256)
      return bytes
    case 2:
      if (at < bytes.length) bytes[at] ^= 1 << pick(8)
      return bytes
    case 3:
      bytes.fill([0, 255, 127, 128][pick(4)], at, at + 1 + pick(8))
      return bytes
    case 4:
      return join(bytes.subarray(0, at), other.subarray(pick(other.length + 1)))
    case 5:
      return join(bytes.subarray(0, at), bytes.subarray(at, at + 1 + pick(64)), bytes.subarray(at))
    case 6: {
      // a count or a number
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (at + 8 > bytes.length) return bytes
      if (pick(2) === 0) view.setUint32(at, [0, 1, 0xffffffff, 0x7fffffff, 1e6, 1e9][pick(6)], true)
      else view.setFloat64(at, [Number.NaN, Infinity, 1e308, -0, 5e-324][pick(5)], true)
      return bytes
    }
    default:
      return join(bytes.subarray(0, at), bytes.subarray(Math.min(bytes.length, at + 1 + pick(64))))
  }
}

/**
 * Reads one input, and steps the model where it is one: `read`, `refused`, or what went wrong; with seconds of processor time of the reading, and what became of the
 * steps.
 */
export async function tryInput({ format, bytes }, isRefusal, longestStep = LONGEST_STEP) {
  const start = process.cpuUsage()
  let outcome = 'read'
  let fault
  let read
  try {
    read = await format.read(bytes)
  } catch (error) {
    if (isRefusal(error)) outcome = 'refused'
    else {
      outcome = 'fault'
      fault = error
    }
  }
  const { user, system } = process.cpuUsage(start)
  const seconds = (user + system) / 1e6
  if (!read?.built) return { outcome, fault, seconds }
  try {
    return { outcome, seconds, steps: stepModel(read.built, longestStep) }
  } catch (error) {
    return { outcome: 'fault', fault: error, seconds }
  }
}
