/**
 * The sheet of keys.
 */
import { create, element } from './dom.js'

const keys: readonly (readonly [string, string])[] = [
  ['Space', 'play or pause'],
  ['.', 'one step'],
  [', and /', 'one kept moment back, forward'],
  ['R', 'back to the start'],
  ['G', 'gallery'],
  ['O', 'open a file'],
  ['S, T', 'scene, panels'],
  ['1 … 7', 'control, plots, inspect, show, compare, edit, export'],
  ['H, P, X, J', 'hand: drag, push, pin, spring'],
  ['arrows, + −', 'turn the view (with shift: move it), zoom'],
  ['F', 'whole mechanism in view, as it is now'],
  ['C', 'camera follows the picked body, or all'],
  ['D', 'timings'],
  ['L', 'copy a link'],
  ['N', 'light or dark'],
  ['Esc', 'let go, close'],
  ['?', 'this sheet'],
]

export function fillHelp(): void {
  const dialog = element('help', HTMLDialogElement)
  if (dialog.children.length > 0) return
  const close = create('button', { type: 'button', className: 'icon', title: 'Close' }, '✕')
  close.setAttribute('aria-label', 'Close')
  close.onclick = () => dialog.close()
  const list = create('dl', {}, ...keys.flatMap(([key, what]) => [create('dt', {}, create('kbd', {}, key)), create('dd', {}, what)]))
  dialog.append(
    create('header', {}, create('h2', { id: 'help-title' }, 'Keys'), close),
    list,
    create(
      'p',
      {},
      'Drag a body to pull it, drag beside it to turn, right button or two fingers to shift, wheel or pinch to zoom. Drop a MJCF, URDF or scene JSON file on the page, with its folder or zip; drop a CSV, NumPy, MCAP or JSON trajectory of the model to play it. Files stay in this page.',
    ),
  )
}
