/**
 * Who waits for whom, as in the paper's figure 1: a row for each trajectory, a block for each evaluation, a colour for each time step.
 */
import { escapeText } from '../report/plot.js'

// told apart without red and green alone (Okabe and Ito)
const COLORS = ['#d55e00', '#0072b2', '#009e73', '#cc79a7', '#56b4e9', '#b8860b']
const BLOCK = 12
const ROW = 18
const LEFT = 26
const TOP = 20

/** Places of the evaluations of each step along the calls. */
type Schedule = readonly (readonly (readonly number[])[])[]

/** Trajectories go on at once. */
function unbound(perStep: readonly (readonly number[])[]): Schedule {
  return perStep.map((row) => {
    let at = 0
    return row.map((made) => Array.from({ length: made }, () => at++))
  })
}

/** A step begins when all have ended the one before. */
function bound(perStep: readonly (readonly number[])[]): Schedule {
  const begins: number[] = [0]
  for (let k = 0; k < perStep[0].length; k++) begins.push(begins[k] + Math.max(...perStep.map((row) => row[k])))
  return perStep.map((row) => row.map((made, k) => Array.from({ length: made }, (_, n) => begins[k] + n)))
}

export function drawWaiting(perStep: readonly (readonly number[])[], waits: boolean): { readonly svg: string; readonly calls: number } {
  const schedule = waits ? bound(perStep) : unbound(perStep)
  const calls = 1 + Math.max(...schedule.flat(2))
  const all = Math.max(calls, 1 + Math.max(...bound(perStep).flat(2)))
  const title = waits ? `all wait after each step: ${calls} calls` : `one iteration of each a call: ${calls} calls`
  const parts = [
    `<svg viewBox="0 0 ${LEFT + all * BLOCK + 4} ${TOP + schedule.length * ROW + 4}" role="img" aria-label="${escapeText(title)}">`,
    `<text class="title" x="${LEFT}" y="14" style="font-size:16px">${escapeText(title)}</text>`,
  ]
  for (const [e, row] of schedule.entries()) {
    const y = TOP + e * ROW
    parts.push(`<text class="tick" x="4" y="${y + 12}">${e + 1}</text>`)
    parts.push(`<line class="grid" x1="${LEFT}" y1="${y + 8}" x2="${LEFT + calls * BLOCK}" y2="${y + 8}"/>`)
    for (const [k, places] of row.entries())
      for (const at of places)
        parts.push(
          `<rect x="${LEFT + at * BLOCK + 0.5}" y="${y + 1}" width="${BLOCK - 1}" height="${ROW - 4}" fill="${COLORS[k % COLORS.length]}">` +
            `<title>trajectory ${e + 1}, step ${k + 1}, call ${at + 1}</title></rect>`,
        )
  }
  parts.push('</svg>')
  return { svg: parts.join('\n'), calls }
}
