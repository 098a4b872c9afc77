/**
 * A small static file server for the studio page: loopback by default, one root, the headers that shared memory needs.
 */
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, sep } from 'node:path'
import { type Duplex, pipeline } from 'node:stream'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.glb': 'model/gltf-binary',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.urdf': 'application/xml; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
}

const headers: Readonly<Record<string, string>> = {
  // SharedArrayBuffer exists only with these two
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'SAMEORIGIN',
  // the page may talk to this server only, whatever a dropped file says
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'cache-control': 'no-cache',
}

export interface FileServer {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** Serves the files below `root`. Port 0 takes a free one. */
export async function serveFolder(root: string, { port = 0, host = '127.0.0.1' } = {}): Promise<FileServer> {
  const base = await realpath(root)
  const server = createServer((request, response) => {
    respond(base, request, response).catch(() => fail(response, 500))
  })
  // files only: nobody, from here or from another origin, gets a WebSocket or a tunnel
  const refuse = (_: IncomingMessage, socket: Duplex) => void socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
  server.on('upgrade', refuse)
  server.on('connect', refuse)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  const shown = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shown}:${taken}/`,
    port: taken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(base: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return fail(response, 405, { allow: 'GET, HEAD' })
  if (!isLocalName(request)) return fail(response, 421)
  if (!isOwnOrigin(request)) return fail(response, 403)
  const path = decodePath(request.url ?? '/')
  if (path === undefined) return fail(response, 400)
  const file = await findFile(base, path)
  if (!file) return fail(response, 404)
  response.writeHead(200, {
    ...headers,
    'content-type': types[extname(file.path).toLowerCase()] ?? 'application/octet-stream',
    'content-length': file.size,
  })
  if (request.method === 'HEAD') response.end()
  else pipeline(createReadStream(file.path), response, () => {})
}

/** A page elsewhere must not reach this server through a name that it points at the loopback address. */
function isLocalName({ headers: { host }, socket }: IncomingMessage): boolean {
  const address = socket.localAddress ?? ''
  if (!/^(::1|(::ffff:)?127\.)/.test(address)) return true
  return host === undefined || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host)
}

/** Scripts of other origins say where they come from; they get nothing. */
function isOwnOrigin({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin === undefined || origin === `http://${host ?? ''}`
}

function decodePath(url: string): string | undefined {
  try {
    const path = decodeURIComponent(url.split(/[?#]/, 1)[0] ?? '/')
    return path.includes('\0') || path.includes('\\') || !path.startsWith('/') ? undefined : path
  } catch {
    return undefined
  }
}

/** The file for a path, `index.html` in a folder; nothing outside the root, not by `..` and not by a link. */
async function findFile(base: string, path: string): Promise<{ path: string; size: number } | undefined> {
  try {
    const real = await realpath(join(base, path.endsWith('/') ? `${path}index.html` : path))
    if (!real.startsWith(base + sep)) return undefined
    const info = await stat(real)
    return info.isFile() ? { path: real, size: info.size } : undefined
  } catch {
    return undefined
  }
}

function fail(response: ServerResponse, status: number, extra: Record<string, string> = {}): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const text: Readonly<Record<number, string>> = {
    400: 'Bad request',
    403: 'Forbidden',
    404: 'Not found',
    405: 'Method not allowed',
    421: 'Wrong host name',
    500: 'Server error',
  }
  response.writeHead(status, { ...headers, ...extra, 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${text[status] ?? 'Error'}\n`)
}
