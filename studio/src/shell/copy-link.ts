/**
 * The address of what is seen, to the clipboard.
 */
import { say } from './messages.js'

/** `missing`: what the address does not hold, in words. */
export function copyLink(address: string, missing: readonly string[]): void {
  history.replaceState(null, '', address)
  const lacks = missing.length > 0 ? ` Not part of it: ${missing.join(', ')}.` : ''
  navigator.clipboard.writeText(location.href).then(
    () => say(`Link copied.${lacks}`),
    () => say(`The link is in the address bar.${lacks}`),
  )
}
