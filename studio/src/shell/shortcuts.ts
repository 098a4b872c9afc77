/**
 * Keys. None of them acts while one writes in a field or stands on a button that takes the key itself.
 */
export type Shortcuts = Readonly<Record<string, () => void>>

export function listenToKeys(shortcuts: Shortcuts): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { target } = event
    if (target instanceof HTMLElement) {
      if (target.closest('input:not([type=range]):not([type=checkbox]), select, textarea')) return
      if (event.key === ' ' && target.closest('button, summary, a, input, [role=tab]')) return
      if (target.closest('dialog[open]') && event.key !== '?') return
    }
    const act = shortcuts[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!act) return
    act()
    event.preventDefault()
  })
}
