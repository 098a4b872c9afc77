/**
 * A report: sections of text, tables and plots. What a reproduction makes; written as HTML or as plain text.
 */
import type { Plot } from './plot.js'

export interface Table {
  readonly caption: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'plot'; readonly plot: Plot }
  /** an SVG element */
  | { readonly kind: 'picture'; readonly title: string; readonly svg: string }

export interface Section {
  readonly title: string
  readonly blocks: readonly Block[]
}

export interface Report {
  readonly title: string
  /** paper, author, and what was run */
  readonly summary: string
  readonly sections: readonly Section[]
}

export interface ReproductionOptions {
  /** a short version that takes seconds */
  readonly quick?: boolean
  /** what is being run now, for a progress line */
  readonly progress?: (text: string) => void
}

/** A report for people, and the same numbers for programs. */
export interface Reproduction {
  readonly report: Report
  readonly data: unknown
}

export const text = (content: string): Block => ({ kind: 'text', text: content })
export const table = (caption: string, columns: readonly string[], rows: Table['rows']): Block => ({
  kind: 'table',
  table: { caption, columns, rows },
})
export const plot = (content: Plot): Block => ({ kind: 'plot', plot: content })
export const picture = (title: string, svg: string): Block => ({ kind: 'picture', title, svg })

/** Sections as plain text, plots left out: for a terminal. */
export function writeText(report: Report): string {
  const lines = [report.title, '='.repeat(report.title.length), '', report.summary, '']
  for (const { title, blocks } of report.sections) {
    lines.push(title, '-'.repeat(title.length))
    for (const block of blocks) {
      if (block.kind === 'text') lines.push(block.text)
      else if (block.kind === 'table') lines.push(...textTable(block.table))
      else lines.push(block.kind === 'plot' ? `(plot: ${block.plot.title})` : `(picture: ${block.title})`)
      lines.push('')
    }
  }
  return lines.join('\n')
}

function textTable({ caption, columns, rows }: Table): string[] {
  const cells = [columns, ...rows].map((row) => row.map(String))
  const widths = columns.map((_, c) => Math.max(...cells.map((row) => (row[c] ?? '').length)))
  const line = (row: readonly string[]) => row.map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c]))).join('  ')
  return [caption, line(cells[0]), widths.map((w) => '-'.repeat(w)).join('  '), ...cells.slice(1).map(line)]
}
