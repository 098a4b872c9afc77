/** What types say about memory: the shape of a value, and the table of an interface of columns. */
import ts from 'typescript'
import { KernelError } from './error.mjs'
import { Column } from './graph.mjs'

/** 'number', a literal number, a tuple or a record of shapes. Parts of a record are in the order of its declaration. */
function shapeOf(checker, type, node) {
  const refuse = (why) => {
    throw new KernelError(node, `${checker.typeToString(type)} ${why}`)
  }
  if (type.flags & ts.TypeFlags.NumberLiteral) return type.value
  if (type.flags & ts.TypeFlags.NumberLike) return 'number'
  if (checker.isTupleType(type)) {
    if (type.target.elementFlags.some((f) => f !== ts.ElementFlags.Required)) refuse('has no fixed length: give every part')
    return checker.getTypeArguments(type).map((t) => shapeOf(checker, t, node))
  }
  const parts = checker.getPropertiesOfType(type)
  if (
    !(type.flags & ts.TypeFlags.Object) ||
    parts.length === 0 ||
    checker.isArrayType(type) ||
    checker.getIndexInfosOfType(type).length > 0
  )
    refuse('is no value: use numbers, tuples and records; in front of columns stand Int, Ints, Shared<…>, Varied<…> and Lanes<…>')
  return Object.fromEntries(parts.map((p) => [p.name, shapeOf(checker, checker.getTypeOfSymbol(p), node)]))
}

const WIDTH = { Ints: 'int', Shared: 'shared', Varied: 'varied', Lanes: 'lane' }

/** The name that a type goes by in the source: Int, Ints, Shared, Lanes are told apart by it. */
const nameOf = (typeNode) => (typeNode && ts.isTypeReferenceNode(typeNode) ? typeNode.typeName.getText() : '')

export const isInt = (typeNode) => nameOf(typeNode) === 'Int'

function columnOf(checker, name, typeNode, param, slot) {
  const width = WIDTH[nameOf(typeNode)]
  const record = width ? typeNode.typeArguments?.[0] : typeNode
  const shape = width === 'int' ? 'number' : shapeOf(checker, checker.getTypeFromTypeNode(record), typeNode)
  const column = new Column(name, width ?? 'shared', shape, param, slot)
  // a record of its own rather than a column of them
  column.single = width === undefined
  return column
}

/** Words of a table in the order of the interface: { name, slot } of a whole number, a Column of everything else. */
export class Table {
  constructor(checker, type, param) {
    this.param = param
    this.name = (type.aliasSymbol ?? type.symbol).name
    this.fields = new Map()
    for (const p of checker.getPropertiesOfType(type)) {
      const slot = this.fields.size
      const declared = p.valueDeclaration
      if (!ts.isPropertySignature(declared) || !declared.type || declared.questionToken)
        throw new KernelError(
          declared,
          'a table has columns and whole numbers: Int, Ints, Shared<…>, Varied<…> or Lanes<…>, each of them always',
        )
      this.fields.set(p.name, isInt(declared.type) ? { name: p.name, slot } : columnOf(checker, p.name, declared.type, param, slot))
    }
  }
}

/** What a parameter of a kernel is: 'int', a Column, or a Table. */
export function parameterOf(checker, parameter, index) {
  const { type } = parameter
  if (!ts.isIdentifier(parameter.name) || parameter.dotDotDotToken || parameter.initializer || parameter.questionToken)
    throw new KernelError(parameter, 'every parameter of a kernel has a name and is given: no pattern, no rest, no default')
  if (isInt(type)) return 'int'
  if (WIDTH[nameOf(type)]) return columnOf(checker, parameter.name.text, type, index, -1)
  const given = checker.getTypeAtLocation(parameter)
  if (nameOf(type) === '' || !(given.flags & ts.TypeFlags.Object) || checker.isTupleType(given))
    throw new KernelError(parameter, 'a kernel takes interfaces of columns, columns and Int')
  return new Table(checker, given, index)
}

/** Text that is the same for parameters whose memory has the same layout. TypeScript also takes those that merely have the parts asked for. */
export const layoutOf = (p) => {
  if (p instanceof Table) return JSON.stringify([...p.fields.values()].map((f) => [f.name, layoutOf(f)]))
  return p instanceof Column ? `${p.width} ${p.single} ${JSON.stringify(p.shape)}` : 'int'
}
