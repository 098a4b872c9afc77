/** Functions of WGSL from the text that `tools/kernels/pack-wgsl` makes of them, where its steps are explained. */

export interface PackedShader {
  readonly templates: string
  readonly lines: string
  readonly distances: string
  readonly copies: string
}

const DIGITS = Array.from({ length: 93 }, (_, k) => String.fromCharCode(33 + k)).filter((c) => !`"'\\`.includes(c))
const BASE = DIGITS.length
const ONE = BASE - 24
const TWO = ONE + 23 * BASE
const VALUE = new Map(DIGITS.map((c, k) => [c, k]))

/** Reads numbers of one digit and more. */
function reader(text: string): { at: number; number(): number; signed(): number } {
  const digit = (): number => VALUE.get(text[r.at++]) ?? 0
  const r = {
    at: 0,
    number(): number {
      const first = digit()
      if (first < ONE) return first
      if (first < BASE - 1) return ONE + (first - ONE) * BASE + digit()
      return TWO + (digit() * BASE + digit()) * BASE + digit()
    },
    signed(): number {
      const x = r.number()
      return x % 2 === 0 ? x / 2 : -(x + 1) / 2
    },
  }
  return r
}

export function unpackShader({ templates, lines, distances, copies }: PackedShader): string {
  return rename(unpackRuns(unpackLines(templates.split('\n'), lines, reader(distances), reader(copies))))
}

function unpackLines(
  templates: readonly string[],
  text: string,
  distance: ReturnType<typeof reader>,
  copy: ReturnType<typeof reader>,
): string[] {
  const all: string[] = []
  const given: number[][] = []
  const before = new Map<string, number[]>()
  const put = (template: string, old: readonly number[] | undefined): void => {
    const own: number[] = []
    for (let k = 0, at = template.indexOf('$'); at >= 0; k++, at = template.indexOf('$', at + 1))
      own.push((old?.[k] ?? 0) + distance.signed())
    before.set(template, own)
    all.push(template)
    given.push(own)
  }
  const line = reader(text)
  while (line.at < text.length) {
    let template: string
    if (text[line.at] === '~') {
      const end = text.indexOf('\n', line.at)
      template = text.slice(line.at + 1, end)
      line.at = end + 1
    } else template = templates[line.number()]
    if (template === '@') {
      const back = copy.number()
      for (let n = copy.number(); n > 0; n--) put(all[all.length - back], given[all.length - back])
    } else put(template, before.get(template))
  }
  return all.map((template, n) => {
    let k = 0
    return template.replaceAll('$', () => `$${given[n][k++]}`)
  })
}

/** `*3` stands for three lines whose numbers go on as in the two lines before. */
function unpackRuns(lines: readonly string[]): string[] {
  const out: string[] = []
  for (const line of lines) {
    if (line[0] !== '*') out.push(line)
    else
      for (let n = Number(line.slice(1)); n > 0; n--) {
        const old = out[out.length - 2].match(/\d+/g) ?? []
        let k = 0
        out.push(out[out.length - 1].replaceAll(/\d+/g, (x) => `${2 * Number(x) - Number(old[k++])}`))
      }
  }
  return out
}

/** Names for locals, what was left out of indices, and the ends of statements. */
function rename(lines: readonly string[]): string {
  let declared = 0
  return lines
    .map((short) => {
      if (short.startsWith('fn ')) declared = 0
      const named = short
        .replaceAll(/\$(\d+)/g, (_, distance: string) => `t${declared - Number(distance)}`)
        .replaceAll(/([SW])\[([^[\]]*\+\d+)\]/g, (_, buffer: string, at: string) => `${buffer}[${at}*${buffer === 'S' ? 'N' : 'C'}]`)
        .replaceAll(')S', ')*N+e')
        .replaceAll(')W', ')*C+i')
      const whole = named[0] === '=' ? `let t${declared++}${named}` : named[0] === ':' ? `var t${declared++}${named}` : named
      return /[{}]$/.test(whole) ? whole : `${whole};`
    })
    .join('\n')
}
