/**
 * A report as one HTML page that needs nothing else.
 */
import { escapeText, writeSvg } from './plot.js'
import type { Block, Report, Table } from './report.js'

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2329; --dim: #667; --line: #d5d9de; --page: #fff; --band: #f4f6f8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ea; --dim: #9aa3ad; --line: #3a424b; --page: #16191d; --band: #1e2329; } }
body { font: 15px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 1100px; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.6rem; margin-bottom: .3rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
p { max-width: 75ch; } .summary { color: var(--dim); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; margin: .8rem 0 1.4rem; font-variant-numeric: tabular-nums; font-size: .92em; }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
td.words { white-space: normal; text-align: left; min-width: 16rem; }
th:first-child, td:first-child { text-align: left; } tbody tr:nth-child(even) { background: var(--band); }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: .5rem 0; flex: 1 1 480px; max-width: 640px; }
svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; } svg text { fill: var(--ink); } svg .title { font-weight: 600; font-size: 13px; }
svg .tick { fill: var(--dim); font-size: 11px; } svg .grid { stroke: var(--line); stroke-width: 1; }
`

export function writeHtml({ title, summary, sections }: Report): string {
  const body = sections.map((section) => `<section><h2>${escapeText(section.title)}</h2>\n${writeBlocks(section.blocks)}</section>`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeText(title)}</title><style>${STYLE}</style></head>
<body><h1>${escapeText(title)}</h1><p class="summary">${escapeText(summary)}</p>
${body.join('\n')}
</body></html>
`
}

/** Neighbouring plots and pictures stand side by side. */
function writeBlocks(blocks: readonly Block[]): string {
  const parts: string[] = []
  let open = false
  for (const block of blocks) {
    const drawn = block.kind === 'plot' || block.kind === 'picture'
    if (drawn !== open) parts.push(open ? '</div>' : '<div class="plots">')
    open = drawn
    if (block.kind === 'plot') parts.push(`<figure>${writeSvg(block.plot)}</figure>`)
    else if (block.kind === 'picture') parts.push(`<figure>${block.svg}<figcaption>${escapeText(block.title)}</figcaption></figure>`)
    else if (block.kind === 'text') parts.push(`<p>${escapeText(block.text)}</p>`)
    else parts.push(writeTable(block.table))
  }
  if (open) parts.push('</div>')
  return parts.join('\n')
}

/** longer than a number with its unit: words, which may break */
const WORDS = 28

function writeCell(cell: string | number): string {
  const text = String(cell)
  return `<td${text.length > WORDS ? ' class="words"' : ''}>${escapeText(text)}</td>`
}

function writeTable({ caption, columns, rows }: Table): string {
  const head = columns.map((column) => `<th>${escapeText(column)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map(writeCell).join('')}</tr>`).join('\n')
  const title = `<caption>${escapeText(caption)}</caption>`
  return `<div class="scroll"><table>${title}<thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>`
}
