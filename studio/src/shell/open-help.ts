/**
 * The help is fetched when it is asked for.
 */
import { element } from './dom.js'

export function openHelp(fail: (heading: string, lines: readonly string[]) => void): void {
  import('./help.js')
    .then(({ fillHelp }) => {
      fillHelp()
      element('help', HTMLDialogElement).showModal()
    })
    .catch(() => fail('The help could not be loaded', ['reload the page']))
}
