/**
 * A whole scene in an address: its text deflated, in the alphabet of base64 that addresses take.
 */

/** longer addresses are cut off by mail programs and chats */
const longest = 24_000

/** Undefined when it is too long for a link. */
export async function packModel(text: string): Promise<string | undefined> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  const packed = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return packed.length <= longest ? packed : undefined
}

/** Throws when it is damaged. */
export async function unpackModel(packed: string): Promise<string> {
  const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0))
  return new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')))
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer())
}
