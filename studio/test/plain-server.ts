/**
 * A web server as there are many: files and their types, and none of the headers that allow shared memory.
 */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}

export interface PlainServer {
  readonly url: string
  close(): Promise<void>
}

/** Serves the files below `folder` on a free port of this machine. */
export async function servePlainly(folder: string): Promise<PlainServer> {
  const server = createServer(({ url = '/' }, response) => {
    const path = url === '/' ? 'index.html' : url.split('?', 1)[0]
    readFile(join(folder, path)).then(
      (bytes) => response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
