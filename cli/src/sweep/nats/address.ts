/**
 * `--nats URL`: where the server is, and who we are. What is secret is taken out of it, and never printed or written.
 */
import { refuse } from '../../problem.js'

export interface Address {
  /** `host:port` of one server or several */
  readonly servers: readonly string[]
  readonly tls: boolean
  readonly user?: string
  readonly pass?: string
  readonly token?: string
  /** for messages: no credentials */
  readonly shown: string
}

/** Reads `nats://user:password@host:port`, several with commas between; credentials may also be in NATS_USER and NATS_PASSWORD, or NATS_TOKEN. */
export function readAddress(text: string, environment: NodeJS.ProcessEnv = process.env): Address {
  const urls = text.split(',').map(readUrl)
  const [first] = urls
  if (!first) return refuse('--nats', 'expected nats://host:4222')
  const named = urls.find(({ username }) => username !== '')
  const { NATS_USER: user, NATS_PASSWORD: pass, NATS_TOKEN: token } = environment
  const servers = urls.map(({ host, port }) => (port === '' ? `${host}:4222` : host))
  const protocol = urls.some((url) => url.protocol === 'tls:') ? 'tls' : 'nats'
  return {
    servers,
    tls: protocol === 'tls',
    shown: servers.map((server) => `${protocol}://${server}`).join(','),
    ...(named
      ? credentials(named)
      : user === undefined
        ? token === undefined
          ? {}
          : { token }
        : { user, ...(pass === undefined ? {} : { pass }) }),
  }
}

function readUrl(text: string): URL {
  // never in a message: it may hold a password
  const problem = (): never => refuse('--nats', 'expected an address such as nats://host:4222 or tls://user:password@host:4222')
  let url: URL
  try {
    url = new URL(/^[a-z]+:\/\//i.test(text) ? text : `nats://${text}`)
  } catch {
    return problem()
  }
  return ['nats:', 'tls:'].includes(url.protocol) && url.hostname !== '' ? url : problem()
}

/** A name alone is a token. */
function credentials({ username, password }: URL): Partial<Address> {
  return password === ''
    ? { token: decodeURIComponent(username) }
    : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
}
