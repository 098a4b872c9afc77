/** Numbers as tables show them. */
export const fixed = (x: number, digits = 2): string => (Number.isFinite(x) ? x.toFixed(digits) : '–')

/** Three digits that count. */
export const three = (x: number): string => (Number.isFinite(x) ? String(Number(x.toPrecision(3))) : '–')
