/** What types say about memory: the shape of a value, and the table of an interface of columns. */
import ts from 'typescript'
import { Column } from './graph.mjs'

/** 'number', a literal number, a tuple or a record of shapes. Parts of a record are in the order of its declaration. */
export function shapeOf(checker, type) {
  if (type.flags & ts.TypeFlags.NumberLiteral) return type.value
  if (type.flags & ts.TypeFlags.NumberLike) return 'number'
  if (checker.isTupleType(type)) return checker.getTypeArguments(type).map((t) => shapeOf(checker, t))
  const parts = checker.getPropertiesOfType(type)
  if (!(type.flags & ts.TypeFlags.Object) || parts.length === 0)
    throw new Error(`${checker.typeToString(type)} is no value: use numbers, tuples and records`)
  return Object.fromEntries(parts.map((p) => [p.name, shapeOf(checker, checker.getTypeOfSymbol(p))]))
}

const WIDTH = { Ints: 'int', Shared: 'shared', Lanes: 'lane' }

/** The name that a type goes by in the source: Int, Ints, Shared, Lanes are told apart by it. */
const nameOf = (typeNode) => (typeNode && ts.isTypeReferenceNode(typeNode) ? typeNode.typeName.getText() : '')

export const isInt = (typeNode) => nameOf(typeNode) === 'Int'

function columnOf(checker, name, typeNode, param, slot) {
  const width = WIDTH[nameOf(typeNode)]
  const shape = width === 'int' ? 'number' : shapeOf(checker, checker.getTypeFromTypeNode(width ? typeNode.typeArguments[0] : typeNode))
  const column = new Column(name, width ?? 'shared', shape, param, slot)
  // a record of its own rather than a column of them
  column.single = width === undefined
  return column
}

/** Words of a table in the order of the interface: { name, slot } of a whole number, a Column of everything else. */
export class Table {
  constructor(checker, type, param) {
    this.param = param
    this.name = type.symbol?.name ?? ''
    this.fields = new Map()
    for (const p of checker.getPropertiesOfType(type)) {
      const slot = this.fields.size
      const { type: node } = p.valueDeclaration
      this.fields.set(p.name, isInt(node) ? { name: p.name, slot } : columnOf(checker, p.name, node, param, slot))
    }
  }
}

/** What a parameter of a kernel is: 'int', a Column, or a Table. */
export function parameterOf(checker, parameter, index) {
  const { type } = parameter
  if (isInt(type)) return 'int'
  if (WIDTH[nameOf(type)]) return columnOf(checker, parameter.name.getText(), type, index, -1)
  return new Table(checker, checker.getTypeAtLocation(parameter), index)
}
