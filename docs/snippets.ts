/**
 * Code blocks of a page: programs (`ts`, `js`), the text they print (`text`, right after a program), files (`xml file=name`), commands (`sh`).
 */
export interface Block {
  readonly language: string
  /** from `file=name` after the language */
  readonly file?: string
  readonly code: string
  /** of the line after the fence */
  readonly line: number
}

export function readBlocks(markdown: string): Block[] {
  const blocks: Block[] = []
  let open: { language: string; file?: string; line: number; code: string[] } | undefined
  for (const [k, line] of markdown.split('\n').entries()) {
    const fence = /^```(\w*)\s*(?:file=(\S+))?\s*$/.exec(line)
    if (!open && fence) open = { language: fence[1] ?? '', ...(fence[2] ? { file: fence[2] } : {}), line: k + 2, code: [] }
    else if (open && line === '```') {
      blocks.push({ ...open, code: `${open.code.join('\n')}\n` })
      open = undefined
    } else open?.code.push(line)
  }
  if (open) throw new Error(`the block that starts in line ${open.line} does not end`)
  return blocks
}

/** Programs with what they print, when the page says so. */
export function pairPrograms(blocks: readonly Block[]): { readonly program: Block; readonly prints?: string }[] {
  return blocks.flatMap((program, k) => {
    if (program.language !== 'ts' && program.language !== 'js') return []
    const next = blocks[k + 1]
    return [next?.language === 'text' ? { program, prints: next.code } : { program }]
  })
}
