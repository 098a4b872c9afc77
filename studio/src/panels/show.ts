/**
 * What is drawn over the mechanism, and how bodies are coloured.
 */
import type { App } from '../shell/app.js'
import { create } from '../shell/dom.js'
import { type ColorMode, colorModes, groupPrefix, type OverlayName, overlayTitles } from '../shell/looks.js'

const colorTitles: Readonly<Record<ColorMode, string>> = {
  own: 'own colours',
  tree: 'depth in the tree',
  mass: 'mass',
  body: 'each body another',
}

export function showOverlays(app: App, host: HTMLElement): void {
  for (const [name, title] of Object.entries(overlayTitles) as [OverlayName, string][]) {
    const box = create('input', { type: 'checkbox', name, checked: app.show.has(name) })
    box.onchange = () => app.setOverlay(name, box.checked)
    host.append(create('label', { className: 'check' }, box, title))
  }
  const follow = create('input', { type: 'checkbox', name: 'follow', checked: app.follow })
  follow.onchange = () => app.setFollow(follow.checked)
  app.on('follow', (on) => {
    follow.checked = on
  })
  host.append(create('label', { className: 'check' }, follow, 'Camera follows the picked body, or all (C)'))
  const scale = create('p', { className: 'quiet' })
  const colors = create('select')
  const fill = () => {
    // groupings of a solver are there only while it reports them
    const groups = app.groups.map((name) => [`${groupPrefix}${name}`, `${name} (${app.loaded?.lanes[0]?.solver ?? ''})`] as const)
    const own = colorModes.map((mode) => [mode, colorTitles[mode]] as const)
    colors.replaceChildren(...[...own, ...groups].map(([value, text]) => create('option', { value }, text)))
    colors.value = [...colors.options].some(({ value }) => value === app.colors) ? app.colors : 'own'
  }
  colors.onchange = () => app.setColors(colors.value)
  host.append(scale, create('label', { className: 'field' }, create('span', {}, 'Colour bodies by'), colors))
  fill()
  app.on('groups', fill)
  app.on('colors', fill)
  let last = 0
  app.on('frame', () => {
    const now = performance.now()
    if (now - last < 300 || host.offsetParent === null) return
    last = now
    const { largestForce = 0, contacts = 0, patches = 0, largestContact = 0 } = app.picture.timings ?? {}
    const lines: string[] = []
    if (app.show.has('forces') && largestForce > 0) lines.push(`Springs: red pulls, blue pushes; full colour at ${short(largestForce)} N.`)
    if (app.show.has('contacts')) lines.push(tellContacts(contacts, patches, largestContact))
    const text = lines.join(' ')
    if (scale.textContent !== text) scale.textContent = text
  })
}

function short(x: number): number {
  return Number(x.toPrecision(3))
}

function tellContacts(points: number, patches: number, largest: number): string {
  const count = (n: number, one: string, more: string) => `${n} ${n === 1 ? one : more}`
  return `${count(points, 'contact', 'contacts')} in ${count(patches, 'patch', 'patches')}; the strongest arrow is ${short(largest)} N.`
}
