/**
 * Line plots as SVG text: linear or logarithmic axes, a legend, points that tell their numbers when pointed at.
 */
export interface Series {
  readonly name: string
  readonly points: readonly (readonly [number, number])[]
  /** drawn dashed: reference data */
  readonly dashed?: boolean
}

export interface Axis {
  readonly label: string
  readonly log?: boolean
}

export interface Plot {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly Series[]
}

const WIDTH = 640
const HEIGHT = 400
const LEFT = 68
const RIGHT = 130
const TOP = 34
const BOTTOM = 48
// told apart without red and green alone (Okabe and Ito)
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b', '#56b4e9', '#555555', '#8a2be2']

export function escapeText(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

export function writeSvg({ title, x, y, series }: Plot): string {
  const points = series.flatMap((s) => s.points.filter((p) => drawable(p, x, y)))
  const sx = scale(
    points.map((p) => p[0]),
    x.log === true,
    LEFT,
    WIDTH - RIGHT,
  )
  const sy = scale(
    points.map((p) => p[1]),
    y.log === true,
    HEIGHT - BOTTOM,
    TOP,
  )
  const parts = [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeText(title)}">`,
    `<text class="title" x="${LEFT}" y="18">${escapeText(title)}</text>`,
  ]
  for (const tick of sx.ticks) {
    const at = round(sx.map(tick))
    parts.push(`<line class="grid" x1="${at}" y1="${TOP}" x2="${at}" y2="${HEIGHT - BOTTOM}"/>`)
    parts.push(`<text class="tick" text-anchor="middle" x="${at}" y="${HEIGHT - BOTTOM + 16}">${label(tick, x.log)}</text>`)
  }
  for (const tick of sy.ticks) {
    const at = round(sy.map(tick))
    parts.push(`<line class="grid" x1="${LEFT}" y1="${at}" x2="${WIDTH - RIGHT}" y2="${at}"/>`)
    parts.push(`<text class="tick" text-anchor="end" x="${LEFT - 6}" y="${at + 4}">${label(tick, y.log)}</text>`)
  }
  const middle = (LEFT + WIDTH - RIGHT) / 2
  parts.push(`<text class="axis" text-anchor="middle" x="${middle}" y="${HEIGHT - 10}">${escapeText(x.label)}</text>`)
  const half = (TOP + HEIGHT - BOTTOM) / 2
  parts.push(`<text class="axis" text-anchor="middle" transform="translate(14 ${half}) rotate(-90)">${escapeText(y.label)}</text>`)
  series.forEach((one, k) => {
    const color = COLORS[k % COLORS.length]
    const drawn = one.points.filter((p) => drawable(p, x, y))
    const path = drawn.map((p, i) => `${i === 0 ? 'M' : 'L'}${round(sx.map(p[0]))} ${round(sy.map(p[1]))}`).join('')
    const dash = one.dashed ? ' stroke-dasharray="6 4"' : ''
    parts.push(`<path d="${path}" fill="none" stroke="${color}" stroke-width="1.8"${dash}/>`)
    for (const p of drawn) {
      const hint = `${one.name}: ${number(p[0])}, ${number(p[1])}`
      parts.push(
        `<circle cx="${round(sx.map(p[0]))}" cy="${round(sy.map(p[1]))}" r="3" fill="${color}"><title>${escapeText(hint)}</title></circle>`,
      )
    }
    const at = TOP + 8 + 18 * k
    parts.push(
      `<line x1="${WIDTH - RIGHT + 12}" y1="${at}" x2="${WIDTH - RIGHT + 34}" y2="${at}" stroke="${color}" stroke-width="2.5"${dash}/>`,
    )
    parts.push(`<text class="legend" x="${WIDTH - RIGHT + 40}" y="${at + 4}">${escapeText(one.name)}</text>`)
  })
  parts.push('</svg>')
  return parts.join('\n')
}

function drawable([a, b]: readonly [number, number], x: Axis, y: Axis): boolean {
  return Number.isFinite(a) && Number.isFinite(b) && (!x.log || a > 0) && (!y.log || b > 0)
}

interface Scale {
  readonly ticks: readonly number[]
  map(value: number): number
}

function scale(values: readonly number[], log: boolean, from: number, to: number): Scale {
  const transform = log ? Math.log10 : (v: number) => v
  let low = Math.min(...values.map(transform))
  let high = Math.max(...values.map(transform))
  if (!(high >= low)) {
    low = 0
    high = 1
  }
  const margin = high > low ? 0.04 * (high - low) : 0.5
  low -= margin
  high += margin
  return {
    ticks: log ? logTicks(low, high) : linearTicks(low, high),
    map: (v) => from + ((transform(v) - low) / (high - low)) * (to - from),
  }
}

function linearTicks(low: number, high: number): number[] {
  const raw = (high - low) / 6
  const unit = 10 ** Math.floor(Math.log10(raw))
  const step = unit * ([1, 2, 5, 10].find((f) => f * unit >= raw) ?? 10)
  const ticks: number[] = []
  for (let t = Math.ceil(low / step) * step; t <= high; t += step) ticks.push(Math.abs(t) < 1e-9 * step ? 0 : t)
  return ticks
}

/** Powers of ten; with 2 and 5 between them where there are few; even steps where there is hardly one. */
function logTicks(low: number, high: number): number[] {
  const decades = high - low
  if (decades < 0.6) return linearTicks(10 ** low, 10 ** high)
  const every = Math.max(1, Math.ceil(decades / 8))
  const within = decades < 2.5 ? [1, 2, 5] : [1]
  const ticks: number[] = []
  for (let d = Math.floor(low); d <= Math.ceil(high); d++) {
    if (within.length === 1 && d % every !== 0) continue
    for (const f of within) {
      const t = f * 10 ** d
      if (Math.log10(t) >= low && Math.log10(t) <= high) ticks.push(t)
    }
  }
  return ticks
}

const round = (v: number): number => Math.round(10 * v) / 10
const number = (v: number): string => String(Number(v.toPrecision(4)))
const label = (v: number, log?: boolean): string => (log && (v >= 1e4 || v < 1e-2) ? v.toExponential(0).replace('+', '') : number(v))
