/**
 * The panels beside the picture. Each is loaded when it is first opened.
 */
import type { App } from './app.js'
import { create, element } from './dom.js'

export interface Panel {
  readonly title: string
  load(): Promise<(app: App, host: HTMLElement) => void>
}

export const panels: Readonly<Record<string, Panel>> = {
  control: { title: 'Control', load: async () => (await import('../panels/control.js')).showControl },
  plots: { title: 'Plots', load: async () => (await import('../panels/plots.js')).showPlots },
  inspect: { title: 'Inspect', load: async () => (await import('../panels/inspect.js')).showInspector },
  show: { title: 'Show', load: async () => (await import('../panels/show.js')).showOverlays },
  compare: { title: 'Compare', load: async () => (await import('../panels/compare.js')).showCompare },
  edit: { title: 'Edit', load: async () => (await import('../panels/edit.js')).showEditor },
  export: { title: 'Export', load: async () => (await import('../panels/export.js')).showExports },
}

export interface Tabs {
  readonly current: string
  open(name: string): void
}

export function createTabs(app: App): Tabs {
  const bar = element('tabs', HTMLElement)
  const host = element('panels', HTMLElement)
  const parts = new Map<string, { tab: HTMLButtonElement; body: HTMLElement; filled: boolean }>()
  let current = ''

  const open = (name: string) => {
    const part = parts.get(name)
    if (!part) return
    current = name
    for (const [key, { tab, body }] of parts) {
      const on = key === name
      tab.setAttribute('aria-selected', String(on))
      tab.tabIndex = on ? 0 : -1
      body.hidden = !on
    }
    app.changed()
    if (part.filled) return
    part.filled = true
    panels[name]
      ?.load()
      .then((fill) => fill(app, part.body))
      .catch((error: unknown) => {
        part.filled = false
        app.fail('This panel could not be loaded', [`${error instanceof Error ? error.message : String(error)}; reload the page`])
      })
  }

  for (const [name, { title }] of Object.entries(panels)) {
    const tab = create('button', { type: 'button', id: `tab-${name}`, tabIndex: -1 }, title)
    const body = create('section', { id: `panel-${name}`, hidden: true })
    tab.setAttribute('role', 'tab')
    tab.setAttribute('aria-controls', body.id)
    tab.setAttribute('aria-selected', 'false')
    body.setAttribute('role', 'tabpanel')
    body.setAttribute('aria-labelledby', tab.id)
    tab.onclick = () => open(name)
    parts.set(name, { tab, body, filled: false })
    bar.append(tab)
    host.append(body)
  }
  bar.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const names = [...parts.keys()]
    const next = names[(names.indexOf(current) + step + names.length) % names.length]
    open(next)
    parts.get(next)?.tab.focus()
    event.preventDefault()
  }
  return {
    get current() {
      return current
    },
    open,
  }
}
