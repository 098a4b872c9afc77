/**
 * Ctrl-C and `kill`: the first one asks to end, the second one ends the process as usual.
 */

const names = ['SIGINT', 'SIGTERM'] as const

export function interruption(): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const release = (): void => {
    for (const name of names) process.removeListener(name, stop)
  }
  const stop = (): void => {
    release()
    controller.abort()
  }
  for (const name of names) process.on(name, stop)
  return { signal: controller.signal, release }
}
