/**
 * Sources: every `[Key]` in a comment of the engine, and in the pages about its methods, stands in docs/references.md.
 */
import { lineOf, listFiles, read } from './files.mjs'

const list = 'docs/references.md'
const comment = /\/\*[\s\S]*?\*\/|(?<=^|[^:'"`\\/])\/\/[^\n]*/gm
/** `[RBDA]`, `[Gear; Odepack]`; not a link, and not an index */
const bracket = /(?<![\w\]])\[([A-Za-z][A-Za-z0-9 ;,']{2,})\](?![([:])/g
/** a name, perhaps with others and a year. Mathematics such as [w] or [linear], and columns in capitals, are none */
const key = /^(?:[A-Z][a-z]+[A-Za-z]*|[A-Z]{2,}[a-z]+)(?: (?:and )?[A-Z0-9][A-Za-z0-9]+)*$/

export function checkReferences() {
  const text = read(list)
  const known = new Set([...text.matchAll(/^- \*\*\[([^\]]+)\]\*\*/gm)].map(([, name]) => name))
  if (known.size === 0) return [`${list}: expected entries such as "- **[RBDA]** author, title", found none`]
  const problems = []
  for (const path of listFiles(/^((engine|scenes|bench)\/src\/.*\.ts|docs\/(?!references|api\/).*\.md)$/)) {
    for (const { name, line } of citations(path)) {
      if (!known.has(name)) problems.push(`${path}:${line}: [${name}] is not in ${list}; add it, or use one of its keys`)
    }
  }
  return problems
}

/** Every key of a file. */
function citations(path) {
  const text = read(path)
  const found = []
  const parts = path.endsWith('.md') ? [{ 0: text, index: 0 }] : text.matchAll(comment)
  for (const { 0: words, index } of parts) {
    for (const { 1: inside, index: at } of words.matchAll(bracket)) {
      for (const name of inside.split(';').map((part) => part.trim())) {
        if (key.test(name) || name === 'RBDA') found.push({ name, line: lineOf(text, index + at) })
      }
    }
  }
  return found
}
