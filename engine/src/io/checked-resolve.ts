/**
 * `resolve` of a program without types may return anything: a promise where its author meant to wait, a `Response`, a number.
 */
import { ModelError } from '../model/model-error.js'

type Content = string | Uint8Array

/** The same function, which throws `ModelError` where it returns anything but text, bytes or, for no file, undefined or null. */
export function checkedResolve<C extends Content>(
  resolve: ((path: string) => C | undefined) | undefined,
): ((path: string) => C | undefined) | undefined {
  if (resolve === undefined) return undefined
  if (typeof resolve !== 'function') {
    throw new ModelError([{ path: '', message: `resolve: expected a function from a path to text or bytes, got ${kindOf(resolve)}` }])
  }
  return (path) => {
    const content: unknown = resolve(path)
    if (content === undefined || content === null) return undefined
    if (typeof content === 'string' || content instanceof Uint8Array) return content as C
    // of another window, or in another form
    if (ArrayBuffer.isView(content)) return new Uint8Array(content.buffer, content.byteOffset, content.byteLength) as C
    if (content instanceof ArrayBuffer) return new Uint8Array(content) as C
    const remedy = isPromise(content)
      ? 'resolve must be synchronous: read the files first, and return their contents'
      : 'return a string or a Uint8Array, or undefined where there is no such file'
    throw new ModelError([{ path: '', message: `resolve('${path}'): expected text or bytes, got ${kindOf(content)}; ${remedy}` }])
  }
}

function isPromise(x: unknown): boolean {
  return typeof x === 'object' && x !== null && 'then' in x && typeof x.then === 'function'
}

/** `a promise`, `a number`, `a Response`. */
function kindOf(x: unknown): string {
  if (isPromise(x)) return 'a promise'
  if (typeof x !== 'object' || x === null) return x === null ? 'null' : `a ${typeof x}`
  const name: unknown = x.constructor?.name
  return typeof name === 'string' && name !== 'Object' && name !== '' ? `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}` : 'an object'
}
