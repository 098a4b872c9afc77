/**
 * What modules say once and for all: numbers that are `const`, scratch arrays and lists of constants at their top.
 */
import ts from 'typescript'

/** `named`: numbers of the language. The bytes up to `start` are not for scratch. */
export function createConstants({ named, symbolOf, refuse, start }) {
  const statics = { size: start, at: new Map(), data: [] }

  /** A number, or undefined. */
  const constantOf = (node) => {
    if (ts.isNumericLiteral(node))
      return { value: Number(node.text), type: /^\d+$/.test(node.getText()) && Number(node.text) < 2 ** 31 ? 'i' : 'f' }
    if (ts.isParenthesizedExpression(node)) return constantOf(node.expression)
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
      const x = constantOf(node.operand)
      // minus zero is no whole number
      return x && { value: -x.value, type: x.value === 0 ? 'f' : x.type }
    }
    if (ts.isPropertyAccessExpression(node)) {
      const value = named[node.getText()]
      return value === undefined ? undefined : { value, type: 'f' }
    }
    if (ts.isBinaryExpression(node)) {
      const [a, b] = [constantOf(node.left), constantOf(node.right)]
      const op = node.operatorToken.getText()
      if (!a || !b) return undefined
      const type = a.type === 'i' && b.type === 'i' && op !== '/' ? 'i' : 'f'
      if (op === '+') return { value: a.value + b.value, type }
      if (op === '-') return { value: a.value - b.value, type }
      if (op === '*') return { value: a.value * b.value, type }
      if (op === '/') return { value: a.value / b.value, type }
      if (op === '**') return { value: a.value ** b.value, type: a.type === 'i' && a.value ** b.value < 2 ** 31 ? type : 'f' }
      if (op === '<<') return { value: a.value << b.value, type: 'i' }
      if (op === '|') return { value: a.value | b.value, type: 'i' }
      return undefined
    }
    if (ts.isIdentifier(node)) {
      if (node.text === 'Infinity') return { value: Number.POSITIVE_INFINITY, type: 'f' }
      const declared = constDeclaration(node)
      return declared?.initializer ? constantOf(declared.initializer) : undefined
    }
    return undefined
  }

  /** The declaration of a `const` at the top of a module. */
  const constDeclaration = (node) => {
    const declared = symbolOf(node)?.valueDeclaration
    if (!declared || !ts.isVariableDeclaration(declared) || !(declared.parent.flags & ts.NodeFlags.Const)) return undefined
    return ts.isSourceFile(declared.parent.parent.parent) ? declared : undefined
  }

  /** The literal of `const x = { a: new Float64Array(n), … }` at the top of a module: scratch arrays under one name. */
  const groupOf = (node) => {
    const made = ts.isIdentifier(node) ? constDeclaration(node)?.initializer : undefined
    return made && ts.isObjectLiteralExpression(made) ? made : undefined
  }
  const memberOf = (group, name) => group?.properties.find((p) => ts.isPropertyAssignment(p) && p.name.getText() === name)

  /** Address of `const x = new Float64Array(n)` or `….of(…)` at the top of a module, or of one array of a group of them. */
  const staticOf = (node) =>
    staticOfDeclaration(ts.isPropertyAccessExpression(node) ? memberOf(groupOf(node.expression), node.name.text) : constDeclaration(node))

  const staticOfDeclaration = (declared) => {
    const made = declared?.initializer
    if (!made) return undefined
    if (statics.at.has(declared)) return statics.at.get(declared)
    let kind
    let values
    if (ts.isNewExpression(made)) {
      kind = made.expression.getText()
      const length = made.arguments?.length === 1 ? constantOf(made.arguments[0]) : undefined
      if (!length) return undefined
      values = new Array(length.value).fill(0)
    } else if (ts.isCallExpression(made) && /^(Float64Array|Int32Array)\.of$/.test(made.expression.getText())) {
      kind = made.expression.expression.getText()
      values = made.arguments.map((x) => constantOf(x)?.value)
      if (values.includes(undefined)) refuse(made, 'numbers that are known when it is compiled')
    } else return undefined
    if (kind !== 'Float64Array' && kind !== 'Int32Array') return undefined
    const array = kind === 'Float64Array' ? 'f' : 'i'
    // in front of an array stands its length
    statics.data.push([statics.size + 8, 'i', [values.length]])
    statics.size += 16
    const found = { address: statics.size, type: { array } }
    if (values.some((x) => x !== 0)) statics.data.push([statics.size, array, values])
    statics.size += 16 * Math.ceil(((array === 'f' ? 8 : 4) * values.length) / 16)
    statics.at.set(declared, found)
    return found
  }

  return { constantOf, staticOf, groupOf, memberOf, staticOfDeclaration, statics }
}
