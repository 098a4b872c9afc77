/**
 * The address of what is seen, to the clipboard.
 */
import { say } from './messages.js'

/** `whole`: the address says all there is to say. */
export function copyLink(address: string, whole: boolean): void {
  history.replaceState(null, '', address)
  navigator.clipboard.writeText(location.href).then(
    () => say(whole ? 'Link copied.' : 'Link copied; the file itself is not part of it.'),
    () => say('The link is in the address bar.'),
  )
}
