/**
 * Two hosts with a cable between them, in network namespaces of a test's own.
 */
import { spawnSync } from 'node:child_process'

export interface Hosts {
  /** words before a command that runs on a host */
  readonly on: { readonly a: readonly string[]; readonly b: readonly string[] }
  readonly addresses: { readonly a: string; readonly b: string }
  /** Takes the cable out, or puts it in. */
  cable(state: 'down' | 'up'): void
  remove(): void
}

/** Makes them; a sentence where that is not allowed here. */
export function makeHosts(): Hosts | string {
  const own = String(process.pid)
  const [a, b] = [`limber-${own}-a`, `limber-${own}-b`]
  const [endA, endB] = [`lma${own}`, `lmb${own}`]
  // a network of its own, so that two runs on one machine do not meet: namespaces keep them apart anyway
  const addresses = { a: '10.213.47.1', b: '10.213.47.2' }
  const ip = (...args: string[]): string => {
    const { status, stderr, error } = spawnSync('ip', args, { encoding: 'utf8' })
    return status === 0 ? '' : error?.message || stderr.trim() || `ip ended with ${status}`
  }
  const remove = (): void => {
    for (const host of [a, b]) ip('netns', 'del', host)
    ip('link', 'del', endA)
  }
  const steps = [
    ['netns', 'add', a],
    ['netns', 'add', b],
    ['link', 'add', endA, 'type', 'veth', 'peer', 'name', endB],
    ['link', 'set', endA, 'netns', a],
    ['link', 'set', endB, 'netns', b],
    ...(
      [
        [a, endA, addresses.a],
        [b, endB, addresses.b],
      ] as const
    ).flatMap(([host, end, address]) => [
      ['-n', host, 'addr', 'add', `${address}/24`, 'dev', end],
      ['-n', host, 'link', 'set', end, 'up'],
      ['-n', host, 'link', 'set', 'lo', 'up'],
    ]),
  ]
  for (const step of steps) {
    const problem = ip(...step)
    if (problem === '') continue
    remove()
    return `two hosts cannot be made here: ip ${step.join(' ')}: ${problem}`
  }
  return {
    on: { a: ['ip', 'netns', 'exec', a], b: ['ip', 'netns', 'exec', b] },
    addresses,
    cable(state) {
      const problem = ip('-n', b, 'link', 'set', endB, state)
      if (problem) throw new Error(problem)
    },
    remove,
  }
}
