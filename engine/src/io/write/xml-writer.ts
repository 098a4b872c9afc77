/**
 * XML elements as plain objects, and their text. Numbers are the shortest decimals that read back to the same double.
 */
import { ModelError } from '../../model/model-error.js'

export type XmlValue = string | number | boolean | readonly number[] | undefined

export interface XmlNode {
  readonly tag: string
  readonly attributes: Readonly<Record<string, XmlValue>>
  readonly children: readonly XmlNode[]
}

/** deeper levels are not indented further: in a long chain the blanks would outweigh the text */
const MAX_INDENT = 30

export function element(tag: string, attributes: Readonly<Record<string, XmlValue>> = {}, children: readonly XmlNode[] = []): XmlNode {
  return { tag, attributes, children }
}

/** The element when it has content, else nothing. */
export function section(tag: string, children: readonly XmlNode[]): XmlNode[] {
  return children.length > 0 ? [element(tag, {}, children)] : []
}

/** Text of a document; comments stand at its top. */
export function printXml(root: XmlNode, comments: readonly string[] = []): string {
  const lines = ['<?xml version="1.0" encoding="utf-8"?>']
  for (const comment of comments) lines.push(`<!-- ${comment.replaceAll('--', '- -')} -->`)
  // a stack instead of recursion: chains of bodies nest thousands deep
  const stack: { node: XmlNode; next: number }[] = [{ node: root, next: 0 }]
  open(lines, root, 0)
  while (stack.length > 0) {
    const top = stack[stack.length - 1]
    const child = top.node.children[top.next++]
    if (child) {
      open(lines, child, stack.length)
      if (child.children.length > 0) stack.push({ node: child, next: 0 })
      continue
    }
    stack.pop()
    if (top.node.children.length > 0) lines.push(`${indentation(stack.length)}</${top.node.tag}>`)
  }
  return `${lines.join('\n')}\n`
}

function open(lines: string[], node: XmlNode, depth: number): void {
  let text = `${indentation(depth)}<${node.tag}`
  for (const [name, value] of Object.entries(node.attributes)) {
    if (value !== undefined) text += ` ${name}="${formatValue(value, `${node.tag}/${name}`)}"`
  }
  lines.push(`${text}${node.children.length > 0 ? '>' : '/>'}`)
}

function indentation(depth: number): string {
  return '  '.repeat(Math.min(depth, MAX_INDENT))
}

function formatValue(value: string | number | boolean | readonly number[], path: string): string {
  if (typeof value === 'string') return escapeXml(value)
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return formatNumber(value, path)
  return value.map((x) => formatNumber(x, path)).join(' ')
}

function formatNumber(x: number, path: string): string {
  if (!Number.isFinite(x)) throw new ModelError([{ path, message: `expected a finite number, got ${x}` }])
  return String(x === 0 ? 0 : x)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

/** Control characters, which XML cannot hold or should not, become U+FFFD. */
function escapeXml(text: string): string {
  return text.replace(/[&<>"]|\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu, (character) => ENTITIES[character] ?? '\ufffd')
}
