/**
 * One self-contained HTML file that plays the motion on the timeline: shapes, poses and a small WebGL player, no network.
 */
import type { App } from '../shell/app.js'
import { type OfflineMotion, playMotion } from './play-motion.js'

export async function makePage(app: App): Promise<Blob> {
  const answer = await app.link.ask({ type: 'motion' })
  const { loaded } = app
  if (answer.type !== 'motion' || !loaded) throw new Error('nothing is loaded yet; open a scene first')
  const { forms, parts, lines, camera, reach } = await app.picture.shapes()
  const { times, poses, nbody } = answer
  const motion: OfflineMotion = {
    title: loaded.title,
    nbody,
    times: [...times].map((t) => Number(t.toPrecision(6))),
    poses: base64(poses),
    forms: forms.map(({ position, normal, triangles }) => ({
      position: base64(position),
      normal: base64(normal),
      triangles: base64(triangles),
    })),
    parts,
    lines,
    camera,
    reach,
  }
  const data = JSON.stringify(motion).replaceAll('<', '\\u003c')
  const title = loaded.title.replace(/[<&]/g, (c) => (c === '<' ? '&lt;' : '&amp;'))
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>html,body{margin:0;height:100%;background:#1b2029;color:#e7ebf2;font:14px system-ui,sans-serif;overflow:hidden}
canvas{width:100%;height:100%;display:block;touch-action:none}
div{position:fixed;left:12px;right:12px;bottom:12px;display:flex;gap:10px;align-items:center}
input{flex:1}button{font:inherit;min-width:5em;padding:4px 10px}h1{position:fixed;top:8px;left:14px;font-size:15px;margin:0}</style></head>
<body><h1>${title}</h1><canvas id="c"></canvas>
<div><button id="p">Pause</button><input id="s" type="range" min="0" step="any" value="0" aria-label="Time"><output id="o"></output></div>
<script type="application/json" id="motion">${data}</script>
<script>(${playMotion.toString()})(JSON.parse(document.getElementById('motion').textContent))</script>
</body></html>
`
  return new Blob([html], { type: 'text/html' })
}

function base64(array: Float32Array | Uint32Array): string {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
  let text = ''
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
  return btoa(text)
}
