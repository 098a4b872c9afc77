/** An error at a place in the source of a kernel. */
export class KernelError extends Error {
  constructor(node, why, cause) {
    const file = node.getSourceFile()
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart())
    super(`${file.fileName}:${line + 1}:${character + 1}: ${why}\n    ${node.getText().split('\n')[0].slice(0, 100)}`, { cause })
  }
}
