/**
 * What can be taken away: pictures, the motion so far in several formats, a film, and a page that plays it offline.
 */
import type { App } from '../shell/app.js'
import { create } from '../shell/dom.js'
import { save } from '../shell/save.js'
import type { TableFormat } from '../worker/protocol.js'

const types: Readonly<Record<TableFormat, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  mcap: 'application/octet-stream',
  glb: 'model/gltf-binary',
  scene: 'application/json',
}
const longestFilm = 120
/** milliseconds */
const longestWait = 5000
let startFilm = () => {}

export function showExports(app: App, host: HTMLElement): void {
  const status = create('p', { className: 'quiet' }, 'Motion files hold everything on the timeline.')
  const run = (what: string, work: () => Promise<void>) => {
    status.textContent = `Making ${what}…`
    work().then(
      () => {
        status.textContent = `${what} saved.`
      },
      (error: Error) => {
        status.textContent = ''
        app.fail(`${what} could not be made`, error.message.split('\n'))
      },
    )
  }
  const button = (title: string, hint: string, work: () => Promise<void>) => {
    const made = create('button', { type: 'button', title: hint }, title)
    made.onclick = () => run(title, work)
    return made
  }
  const table = (format: TableFormat) => async () => {
    const answer = await app.link.ask({ type: 'export', format })
    if (answer.type === 'exported') save(new Blob([answer.bytes], { type: types[format] }), answer.name)
  }
  app.picture.onNews(({ type }) => type === 'filming' && startFilm())
  const name = () => (app.loaded?.name ?? 'limber').replace(/[^\w-]+/g, '-') || 'limber'
  host.append(
    create('h3', {}, 'Picture'),
    create(
      'div',
      { className: 'row' },
      button('PNG', 'What you see, as a picture', async () => save(await app.picture.take(), `${name()}.png`)),
      filmButton(app, name, run),
    ),
    create('h3', {}, 'Motion'),
    create(
      'div',
      { className: 'row' },
      button('GLB', 'Animated glTF, for Blender and viewers', table('glb')),
      button('CSV', 'Times, coordinates, velocities, energies', table('csv')),
      button('MCAP', 'For Foxglove', table('mcap')),
      button('JSON', 'Trajectory that can be dropped here again', table('json')),
      button('HTML', 'One page that plays the motion offline', async () => {
        const { makePage } = await import('../offline/make-page.js')
        save(await makePage(app), `${name()}.html`)
      }),
    ),
    create('h3', {}, 'Model'),
    create('div', { className: 'row' }, button('Scene JSON', 'The mechanism as Limber reads it', table('scene'))),
    status,
  )
}

/** A film is as large as its first picture, and shows what is there by then: waits for one in full, but not forever where drawing is very slow. */
async function inFull(app: App): Promise<void> {
  if (!app.loaded) await new Promise((resolve) => app.on('loaded', resolve))
  const drawn = new Promise<void>((resolve) => {
    startFilm = resolve
  })
  app.picture.send({ type: 'film', on: true })
  app.picture.send({ type: 'redraw' })
  await Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, longestWait))])
}

/** Films the picture until it is pressed again. */
function filmButton(app: App, name: () => string, run: (what: string, work: () => Promise<void>) => void): HTMLButtonElement {
  const button = create('button', { type: 'button', title: 'Films the picture until you press it again' }, 'WebM')
  let recorder: MediaRecorder | undefined
  let filmed = 0
  let ending = false
  button.onclick = () => {
    if (recorder) {
      // where drawing is slow the first picture may still be on its way: a film without one is an empty file
      ending = true
      button.textContent = 'Ends with the first picture…'
      if (filmed > 0) recorder.stop()
      return
    }
    const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((one) => MediaRecorder.isTypeSupported(one))
    if (!type) return app.fail('WebM could not be made', ['this browser cannot film a canvas; use GLB or HTML instead'])
    run('WebM', async () => {
      button.disabled = true
      await inFull(app)
      button.disabled = false
      await new Promise<void>((resolve, reject) => {
        const film = new MediaRecorder(app.picture.canvas.captureStream(30), { mimeType: type, videoBitsPerSecond: 12e6 })
        recorder = film
        filmed = 0
        ending = false
        const parts: Blob[] = []
        film.ondataavailable = ({ data }) => {
          parts.push(data)
          filmed += data.size
          if (ending && filmed > 0 && film.state !== 'inactive') film.stop()
        }
        film.onerror = () => reject(new Error('the browser stopped filming; try a smaller window'))
        film.onstop = () => {
          app.picture.send({ type: 'film', on: false })
          recorder = undefined
          button.textContent = 'WebM'
          if (filmed === 0) return reject(new Error('nothing was drawn while filming; let the motion run, or make the window smaller'))
          save(new Blob(parts, { type: 'video/webm' }), `${name()}.webm`)
          resolve()
        }
        film.start(500)
        app.picture.send({ type: 'redraw' })
        button.textContent = 'Stop filming'
        setTimeout(() => recorder === film && film.stop(), 1000 * longestFilm)
      })
    })
  }
  return button
}
