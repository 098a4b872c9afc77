/**
 * Keys after the mouse: what was clicked gives the keys back to the picture, so that space plays and arrows turn. Those who move by keys keep their
 * place, and fields for text keep theirs.
 */
export function returnFocus(canvas: () => HTMLElement): void {
  let byPointer = false
  addEventListener('pointerdown', () => (byPointer = true), { capture: true })
  addEventListener('keydown', () => (byPointer = false), { capture: true })
  const giveBack = (event: Event) => {
    const { target } = event
    if (!byPointer || !(target instanceof HTMLElement) || target.closest('dialog')) return
    if (target.closest('button, summary, select, input[type=range], input[type=checkbox]')) canvas().focus({ preventScroll: true })
  }
  addEventListener('change', giveBack)
  addEventListener('click', (event) => {
    // a list is open until it has changed
    if (event.target instanceof HTMLElement && !event.target.closest('select, dialog, input[type=range]')) giveBack(event)
  })
}
