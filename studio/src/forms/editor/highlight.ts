/**
 * JSON text as coloured HTML pieces, with the lines that have problems marked.
 */
import { create } from '../../shell/dom.js'

const token = /("(?:\\.|[^"\\\n])*"?)(\s*:)?|(\/\/[^\n]*)|(-?\d[\d.eE+-]*|\b(?:true|false|null)\b)/g

export function highlight(text: string, badLines: ReadonlySet<number>): DocumentFragment {
  const out = document.createDocumentFragment()
  text.split('\n').forEach((line, k) => {
    const host = badLines.has(k + 1) ? create('mark') : create('span')
    let at = 0
    for (const match of line.matchAll(token)) {
      const [whole, string, colon, comment] = match
      host.append(line.slice(at, match.index))
      const kind = string ? (colon ? 'key' : 'string') : comment ? 'comment' : 'number'
      host.append(create('span', { className: kind }, whole))
      at = match.index + whole.length
    }
    host.append(line.slice(at))
    out.append(host, '\n')
  })
  return out
}
