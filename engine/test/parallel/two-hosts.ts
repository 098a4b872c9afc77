/**
 * Two hosts on one machine: network namespaces joined by a cable of their own (a veth pair), each with its own host name. Programs start in them
 * with Open MPI over TCP; a script takes the place of ssh. All is taken away in the end, processes included.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MpiResult, type MpiRunOptions, mpirun, noMpi } from './mpirun.js'

export interface TwoHosts {
  /** Runs n processes of a program, the first half of them on the first host, over TCP. */
  mpirun(n: number, program: readonly string[], options?: Pick<MpiRunOptions, 'env' | 'onOutput' | 'options'>): Promise<MpiResult>
  /** Cuts the cable, or joins it again. */
  connect(joined: boolean): void
  /** Bytes that have gone from the first host to the second one. */
  crossed(): number
}

interface Host {
  readonly name: string
  readonly address: string
}

/** the only names that are not in a namespace of their own */
const unique = (): string => `limber-${process.pid}-${Math.random().toString(36).slice(2, 6)}`

/** Why two hosts cannot be made here, or undefined; found out by making a namespace. */
export function noTwoHosts(): string | undefined {
  if (noMpi) return noMpi
  if (!existsSync('/sbin/ip')) return 'skipped: apt-get install iproute2'
  const name = unique()
  const made = ip('netns', 'add', name)
  if (made !== '') return `skipped: no network namespaces here (${made}); run the tests as root`
  ip('netns', 'delete', name)
  return undefined
}

/** Makes two hosts, runs `use`, and takes them away. */
export async function withTwoHosts<T>(use: (hosts: TwoHosts) => Promise<T>): Promise<T> {
  const base = unique()
  const hosts: readonly Host[] = ['a', 'b'].map((letter, k) => ({ name: `${base}-${letter}`, address: `10.87.65.${k + 1}` }))
  const folder = mkdtempSync(join(tmpdir(), 'limber-hosts-'))
  const clean = (): void => {
    for (const { name } of hosts) removeHost(name)
    rmSync(folder, { recursive: true, force: true })
  }
  // also where the tests are ended in the middle
  process.once('exit', clean)
  try {
    for (const { name } of hosts) must('netns', 'add', name)
    must('link', 'add', 'cable', 'netns', hosts[0].name, 'type', 'veth', 'peer', 'name', 'cable', 'netns', hosts[1].name)
    for (const { name, address } of hosts) {
      must('-n', name, 'address', 'add', `${address}/24`, 'dev', 'cable')
      must('-n', name, 'link', 'set', 'cable', 'up')
      must('-n', name, 'link', 'set', 'lo', 'up')
    }
    const agent = join(folder, 'agent.sh')
    writeFileSync(agent, agentScript(hosts))
    chmodSync(agent, 0o755)
    return await use({
      mpirun(n, program, { options = [], ...others } = {}) {
        const first = Math.ceil(n / 2)
        const where = `${hosts[0].address}:${first},${hosts[1].address}:${Math.max(1, n - first)}`
        return mpirun(n, program, {
          ...others,
          within: enter(hosts[0]),
          options: [
            ...['--host', where, '--mca', 'plm_rsh_agent', agent, '--mca', 'btl', 'tcp,self', '--mca', 'pml', 'ob1'],
            // both have the same cores
            ...[
              '--mca',
              'mpi_yield_when_idle',
              '1',
              '--mca',
              'btl_tcp_if_include',
              'cable',
              '--mca',
              'oob_tcp_if_include',
              'cable',
              ...options,
            ],
          ],
        })
      },
      connect: (joined) => void must('-n', hosts[1].name, 'link', 'set', 'cable', joined ? 'up' : 'down'),
      crossed() {
        const [cable] = JSON.parse(must('-n', hosts[0].name, '-j', '-s', 'link', 'show', 'cable')) as [
          { stats64: { tx: { bytes: number } } },
        ]
        return cable.stats64.tx.bytes
      },
    })
  } finally {
    process.off('exit', clean)
    clean()
  }
}

/** Words that run the following ones on a host. */
function enter({ name }: Host): string[] {
  return ['ip', 'netns', 'exec', name, 'unshare', '--uts', 'sh', '-c', `hostname ${name}; exec "$@"`, 'sh']
}

/** Called as ssh is: the host, and the words of a command for its shell. */
function agentScript(hosts: readonly Host[]): string {
  const cases = hosts.map(({ name, address }) => `  ${address}) name=${name} ;;`)
  return `#!/bin/sh
case "$1" in
${cases.join('\n')}
  *) echo "no host $1" >&2; exit 255 ;;
esac
shift
exec ip netns exec "$name" unshare --uts sh -c "hostname $name; $*"
`
}

function removeHost(name: string): void {
  const { stdout } = spawnSync('/sbin/ip', ['netns', 'pids', name], { encoding: 'utf8' })
  for (const pid of stdout.split('\n').filter((line) => line !== ''))
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // it has ended meanwhile
    }
  ip('netns', 'delete', name)
}

/** What `ip` complains of; nothing where it did what it was told. */
function ip(...words: string[]): string {
  const { status, stderr, error } = spawnSync('/sbin/ip', words, { encoding: 'utf8' })
  return status === 0 ? '' : stderr?.trim() || (error?.message ?? `exit code ${status}`)
}

function must(...words: string[]): string {
  return execFileSync('/sbin/ip', words, { encoding: 'utf8', stdio: 'pipe' })
}
