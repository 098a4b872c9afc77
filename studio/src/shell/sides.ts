/**
 * The two panels beside the picture: scene and solver on the left, tabs on the right; one at a time on a narrow screen.
 */
import { element } from './dom.js'
import type { Tabs } from './tabs.js'

export type Side = 'side' | 'tools'

export interface Sides {
  isOpen(id: Side): boolean
  setOpen(id: Side, open: boolean): void
  /** a tab by its name, with the panel it is in */
  openPanel(name: string): void
  /** as the width of the window suggests */
  start(): void
}

export function createSides(tabs: Tabs, changed: () => void): Sides {
  const narrow = matchMedia('(max-width: 900px)')
  const sides: Sides = {
    isOpen: (id) => !element(id, HTMLElement).hidden,
    setOpen(id, open) {
      element(id, HTMLElement).hidden = !open
      element(`${id}-toggle`, HTMLButtonElement).setAttribute('aria-expanded', String(open))
      if (open && narrow.matches) sides.setOpen(id === 'side' ? 'tools' : 'side', false)
      if (open && id === 'tools' && !tabs.current) tabs.open('plots')
      changed()
    },
    openPanel(name) {
      sides.setOpen('tools', true)
      tabs.open(name)
    },
    start() {
      if (narrow.matches) sides.setOpen('side', false)
      sides.setOpen('tools', !narrow.matches && innerWidth >= 1100)
    },
  }
  for (const id of ['side', 'tools'] as const)
    element(`${id}-toggle`, HTMLButtonElement).onclick = () => sides.setOpen(id, !sides.isOpen(id))
  return sides
}
