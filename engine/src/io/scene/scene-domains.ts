/**
 * Domains of a scene: files beside it, or their bytes as text in it ⇄ the numbers in them.
 */
import type { DomainSpec, Spec } from '../../build/spec.js'
import { ModelError, type Problem } from '../../model/model-error.js'
import { fromBase64, toBase64 } from '../base64.js'
import { readReduced, writeReduced } from '../domain/reduced-file.js'

/** As a file has it. */
export type DomainEntry = { readonly name: string; readonly file: string } | { readonly name: string; readonly data: string }

type Resolve = (path: string) => Uint8Array | undefined

/** Adds a problem for each that cannot be read; `locate` finds the place of entry k. */
export function readDomains(
  entries: readonly DomainEntry[],
  resolve: Resolve | undefined,
  locate: (k: number) => Problem['place'],
  problems: Problem[],
): DomainSpec[] {
  // instances share the numbers of a file
  const known = new Map<string, DomainSpec['data']>()
  return entries.flatMap((entry, k): DomainSpec[] => {
    const [key, source] = 'file' in entry ? (['file', entry.file] as const) : (['data', entry.data] as const)
    const path = `domains/${k}/${key}`
    const fail = (message: string): [] => {
      const place = locate(k)
      problems.push(place ? { path, message, place } : { path, message })
      return []
    }
    const bytes = 'file' in entry ? resolve?.(source) : fromBase64(source)
    if (typeof bytes === 'string')
      return fail(`resolve('${source}'): expected the bytes of a reduced domain, got text; return a Uint8Array`)
    if (bytes === undefined && key === 'data')
      return fail('expected the bytes of a reduced domain as base64, got other text; name its `file`')
    if (bytes === undefined) {
      const why = resolve
        ? 'no such file; check the path, or make it with limber reduce'
        : 'files cannot be read here; give its bytes as `data`, base64'
      return fail(`'${source}': ${why}`)
    }
    try {
      const data = known.get(source) ?? readReduced(bytes, key === 'file' ? source : entry.name)
      known.set(source, data)
      return [{ name: entry.name, data }]
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      return fail(error.problems.map(({ path: file, message }) => `'${file}': ${message}`).join('; '))
    }
  })
}

/** For the writer: each with its bytes as text. */
export function writeDomains(domains: NonNullable<Spec['domains']>): DomainEntry[] {
  return domains.map(({ name, data }) => ({ name, data: toBase64([writeReduced(data)]) }))
}
