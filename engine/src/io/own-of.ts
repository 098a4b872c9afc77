/**
 * The entry of a table by a word of a file, which may be one that every object has: `constructor`, `toString`.
 */
export function ownOf<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
