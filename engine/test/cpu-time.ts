/**
 * Seconds of processor time that this process has used. A bound on it fails for an algorithm that is too slow, and not for a machine on
 * which other work takes the processor away.
 */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
