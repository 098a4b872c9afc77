/**
 * Light or dark: the system's, until one is chosen.
 */
export interface Theme {
  readonly chosen: string | undefined
  set(theme: string): void
  toggle(): void
}

export function createTheme(changed: (dark: boolean) => void): Theme {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const root = document.documentElement
  const isDark = () => (root.dataset['theme'] ?? (system.matches ? 'dark' : 'light')) === 'dark'
  const set = (theme: string) => {
    if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme
    changed(isDark())
  }
  system.onchange = () => changed(isDark())
  changed(isDark())
  return {
    get chosen() {
      return root.dataset['theme']
    },
    set,
    toggle: () => set(isDark() ? 'light' : 'dark'),
  }
}
