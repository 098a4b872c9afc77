/**
 * What is drawn over the mechanism, and how bodies are coloured.
 */
import type { App } from '../app.js'
import { create } from '../dom.js'
import { overlayTable } from '../view/overlays.js'
import { type ColorMode, colorModes } from '../view/stage.js'

const colorTitles: Readonly<Record<ColorMode, string>> = {
  own: 'own colours',
  tree: 'depth in the tree',
  mass: 'mass',
  body: 'each body another',
}

export function showOverlays(app: App, host: HTMLElement): void {
  const entries = [
    ...Object.entries(overlayTable).map(([name, { title }]) => [name, title] as const),
    ['forces', 'Springs by force'] as const,
  ]
  for (const [name, title] of entries) {
    const box = create('input', { type: 'checkbox', name, checked: app.show.has(name) })
    box.onchange = () => {
      if (box.checked) app.show.add(name)
      else app.show.delete(name)
      if (name === 'forces') app.stage.setForceColors(box.checked)
      else app.stage.overlays.set(name, box.checked)
      app.changed()
    }
    host.append(create('label', { className: 'check' }, box, title))
  }
  const scale = create('p', { className: 'quiet' })
  const colors = create('select', {}, ...colorModes.map((mode) => create('option', { value: mode }, colorTitles[mode])))
  colors.value = app.colors
  colors.onchange = () => {
    app.colors = colors.value
    app.stage.setColors(colors.value as ColorMode)
    app.changed()
  }
  host.append(scale, create('label', { className: 'field' }, create('span', {}, 'Colour bodies by'), colors))
  let last = 0
  app.on('frame', () => {
    const now = performance.now()
    if (now - last < 300 || host.offsetParent === null) return
    last = now
    const lines = app.stage.mechanism?.lines
    const text = app.show.has('forces') && lines ? `red pulls, blue pushes; full colour at ${Number(lines.largest.toPrecision(3))} N` : ''
    if (scale.textContent !== text) scale.textContent = text
  })
}
