/**
 * Tells whoever sits before the page that the simulation ended by itself, does not answer or does not begin, and what can be done.
 */
import type { Opening } from '../worker/protocol.js'
import type { App } from './app.js'
import { element } from './dom.js'
import { followWork, hideMessages, type Remedy, showMessage } from './messages.js'
import type { Recovery } from './recovery.js'

/** milliseconds */
const longStart = 15_000

/** `shown` is told what opened the mechanism that comes back. */
export function tellCrashes(app: App, recovery: Recovery, gallery: Remedy, shown: (from: Opening) => void): void {
  const stand = (): void => {
    // what was being worked at is not any more
    followWork({ type: 'refused', problems: [] })
    app.setPlaying(false)
    if (!app.loaded) element('title', HTMLElement).textContent = 'Nothing is open'
  }
  const tell = (heading: string, lines: readonly string[], remedies: readonly Remedy[]): void =>
    showMessage({ heading, lines, kind: 'error', cause: 'crash', remedies })
  const startOver: Remedy = { text: 'From the start', act: () => recovery.startOver() }

  recovery.listen({
    restored(reason, before) {
      stand()
      if (!before) return tell('The simulation crashed', [reason, 'Nothing was open yet.'], [{ ...startOver, text: 'Try again' }, gallery])
      shown(before.from)
      const now = `It is back where it was, at ${before.t.toFixed(2)} s, and waits. What the timeline held before that is gone.`
      tell('The simulation crashed', [reason, now], [{ text: 'Continue', act: () => app.setPlaying(true) }])
    },
    again(reason) {
      stand()
      tell('The simulation crashed again', [reason, 'To go on from the same place would not help.'], [startOver, gallery])
    },
    lost(reason) {
      stand()
      tell('The simulation cannot run', [reason], [{ text: 'Reload the page', act: () => app.reload() }])
    },
  })
  app.on('playing', (playing) => playing && hideMessages('crash'))

  // whoever waits is told so, and what else there is
  setTimeout(() => {
    if (app.loaded || document.querySelector('#messages:not([hidden])')) return
    const lines = [
      'The simulation has not started yet. A slow connection or a large scene may be why; a scene of the gallery may open sooner.',
    ]
    showMessage({ heading: 'This takes long', lines, kind: 'remark', cause: 'load', remedies: [gallery] })
  }, longStart)

  app.link.onSilence((silent) => {
    if (!silent) return hideMessages('silence')
    showMessage({
      heading: 'The simulation does not answer',
      lines: ['A step or a model that takes this long may still end well. To stop it takes you back to where you were.'],
      kind: 'remark',
      cause: 'silence',
      remedies: [{ text: 'Stop it', act: () => recovery.giveUp() }, gallery],
    })
  })
}
