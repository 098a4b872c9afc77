import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FileServer, serveFolder } from './serve.js'

const folder = mkdtempSync(join(tmpdir(), 'limber-serve-'))
let server: FileServer

beforeAll(async () => {
  mkdirSync(join(folder, 'site/deep'), { recursive: true })
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'site/index.html'), '<p>page</p>')
  writeFileSync(join(folder, 'site/deep/a b.js'), 'export {}')
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'site/link.txt'))
  server = await serveFolder(join(folder, 'site'))
})

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Raw paths: `fetch` would tidy them up before sending. */
function get(path: string, options: { method?: string; headers?: Record<string, string> } = {}) {
  return new Promise<{ status: number; text: string; headers: Record<string, unknown> }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: server.port, path, ...options }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('serveFolder', () => {
  it('listens on loopback and names its address', () => {
    expect(server.url).toBe(`http://127.0.0.1:${server.port}/`)
  })

  it('serves the index and files with their types and the headers for shared memory', async () => {
    const page = await get('/')
    expect(page).toMatchObject({ status: 200, text: '<p>page</p>' })
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'x-content-type-options': 'nosniff',
    })
    const script = await get('/deep/a%20b.js?x=1')
    expect(script.status).toBe(200)
    expect(script.headers['content-type']).toMatch(/javascript/)
  })

  it.each(['/../secret.txt', '/deep/../../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/link.txt', '/deep', '/nowhere'])(
    'finds nothing at %s',
    async (path) => {
      const { status, text } = await get(path)
      expect(status).toBe(404)
      expect(text).not.toContain('secret')
    },
  )

  it.each(['/%', '/a%00b', '/..\\secret.txt'])('refuses %s', async (path) => {
    expect((await get(path)).status).toBe(400)
  })

  it('answers GET and HEAD only', async () => {
    expect((await get('/', { method: 'POST' })).status).toBe(405)
    expect(await get('/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  })

  it('refuses foreign host names, which a hostile page could point here', async () => {
    expect((await get('/', { headers: { host: 'evil.example' } })).status).toBe(421)
    expect((await get('/', { headers: { host: `localhost:${server.port}` } })).status).toBe(200)
  })

  it('refuses WebSockets, whoever asks', async () => {
    const handshake = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    }
    for (const origin of ['http://elsewhere.example', `http://127.0.0.1:${server.port}`]) {
      expect((await get('/', { headers: { ...handshake, origin } })).status).toBe(403)
    }
  })

  it('gives nothing to scripts of other origins', async () => {
    expect((await get('/', { headers: { origin: 'http://elsewhere.example' } })).status).toBe(403)
    expect((await get('/', { headers: { origin: 'null' } })).status).toBe(403)
    expect((await get('/', { headers: { origin: `http://127.0.0.1:${server.port}`, host: `127.0.0.1:${server.port}` } })).status).toBe(200)
  })

  it('lets the page talk to its own server only', async () => {
    expect((await get('/')).headers['content-security-policy']).toContain("connect-src 'self'")
  })

  it('cannot be reached from other addresses of this machine unless told', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((one) => one && !one.internal && one.family === 'IPv4')
    if (!outside) return
    await expect(fetch(`http://${outside.address}:${server.port}/`)).rejects.toThrow()
    const open = await serveFolder(join(folder, 'site'), { host: outside.address })
    expect((await fetch(open.url)).status).toBe(200)
    await open.close()
  })
})
