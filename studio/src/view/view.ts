/**
 * Everything that is drawn, behind messages: runs in a worker or, where a worker cannot draw, in the page.
 */
import { header, type Request } from '../worker/protocol.js'
import { drawnShapes } from './drawn-shapes.js'
import { createHand } from './hand.js'
import { createInlet } from './inlet.js'
import { createInput } from './input.js'
import { createPlayer } from './player.js'
import type { DrawSoftBodies } from './soft/soft-bodies.js'
import { createStage } from './stage.js'
import type { ViewNews, ViewOrder, ViewScene } from './view-protocol.js'
import { createViewer } from './viewer.js'

/** milliseconds between timings, and between words about a camera that moves */
const tellEvery = 400

export type View = (order: Exclude<ViewOrder, { type: 'start' }>) => void

/** Throws when this thread cannot draw. */
export function createView({ canvas, port }: Extract<ViewOrder, { type: 'start' }>, tell: (news: ViewNews) => void): View {
  const input = createInput()
  const viewer = createViewer(canvas, input)
  const stage = createStage(viewer)
  const player = createPlayer()
  let playing = true
  let speed = 1
  let wished: readonly number[] | undefined
  let moved = 0
  let fresh = false
  let coming: ViewScene | undefined
  let shown = Number.NaN
  let pictures = 0
  let since = performance.now()

  const load = (scene: ViewScene, drawSoft?: DrawSoftBodies) => {
    viewer.touch()
    stage.load(scene, drawSoft)
    player.reset(scene.first, scene.lanes, scene.bodies.length)
    if (!scene.fresh) return
    moved = 0
    if (wished) viewer.look(wished)
    wished = undefined
    tellCamera(true)
  }
  let untilFilm = 0
  const connect = (to: MessagePort) =>
    createInlet(to, {
      scene(scene) {
        coming = scene
        if (scene.modes === 0 && !scene.spec?.domains?.length) {
          coming = undefined
          return load(scene)
        }
        // frames wait until what draws bodies that deform is here
        import('./soft/soft-bodies.js').then(
          ({ drawSoftBodies }) => {
            if (coming !== scene) return
            coming = undefined
            load(scene, drawSoftBodies)
          },
          (error: Error) => tell({ type: 'said', text: `Bodies that deform cannot be drawn: ${error.message}` }),
        )
      },
      contacts(list) {
        stage.setContacts(list)
        viewer.touch()
      },
      groups(groups) {
        stage.setGroups(groups)
        viewer.touch()
      },
    })
  let inlet = connect(port)
  const hand = createHand({
    element: input.element,
    viewer,
    stage,
    send(request: Request) {
      viewer.touch()
      tell({ type: 'request', request })
    },
    selected: (body, dragged) => tell({ type: 'selected', body, ...(dragged ? { dragged } : {}) }),
    mass: () => stage.scene?.bodies.reduce((sum, { mass }) => sum + mass, 0) ?? 1,
    said: (text) => tell({ type: 'said', text }),
    cursor: (cursor) => tell({ type: 'cursor', cursor }),
  })
  // three.js draws again by itself when the driver is back
  canvas.addEventListener('webglcontextlost', () =>
    tell({ type: 'said', text: 'The graphics driver was reset. If the picture does not come back, reload the page.' }),
  )
  const tellCamera = (moved: boolean) => tell({ type: 'camera', camera: viewer.outlook(), moved })
  viewer.controls.addEventListener('end', () => tellCamera(true))

  viewer.onFrame((dt) => {
    if (!stage.scene || coming) return false
    // pictures before there is something to see are none for a film
    if (untilFilm > 0 && --untilFilm === 0) tell({ type: 'filming' })
    for (const frame of inlet.takeFrames()) {
      fresh = true
      const old = player.push(frame)
      if (old) inlet.recycle(old)
    }
    const block = player.advance(dt, playing, speed)
    if (!block) return false
    const changed = fresh || block[header.t] !== shown
    fresh = false
    shown = block[header.t]
    // a picture is finished when the next begins: the third is begun after two different ones were seen
    if (block[header.t] > stage.scene.first[header.t] && moved < 3 && ++moved === 3) tell({ type: 'moving' })
    stage.draw(block)
    if (changed) pictures++
    const now = performance.now()
    if (now - since < tellEvery) return changed
    const { drawCalls, work, quality } = viewer
    const timings = {
      drawCalls,
      work,
      pictures: (1000 * pictures) / (now - since),
      sharpness: quality.sharpness,
      shadows: quality.shadows,
      largestForce: stage.mechanism?.lines?.largest ?? 0,
      contacts: stage.contacts?.count ?? 0,
      patches: stage.contacts?.patches ?? 0,
      largestContact: stage.contacts?.largest ?? 0,
      arrowScale: stage.contacts?.scale ?? 0,
    }
    since = now
    pictures = 0
    tell({ type: 'timings', timings })
    // damping goes on after the hand has let go
    tellCamera(false)
    return changed
  })

  return (order) => {
    // a pointer that only moves changes nothing by itself
    if (!(order.type === 'input' && order.event.type === 'pointermove')) viewer.touch()
    switch (order.type) {
      case 'port':
        inlet.close()
        inlet = connect(order.port)
        return
      case 'size':
        return viewer.setSize(order.width, order.height, order.ratio, order.free)
      case 'input':
        return input.send(order.event)
      case 'theme':
        return viewer.setTheme(order.dark)
      case 'overlay':
        return stage.setOverlay(order.name, order.on)
      case 'colors':
        return stage.setColors(order.mode)
      case 'side':
        return stage.setSide(order.on)
      case 'select':
        return stage.select(order.body)
      case 'tool':
        hand.cancel()
        hand.tool = order.tool
        return
      case 'cancel':
        return hand.cancel()
      case 'look':
        // a link comes before its scene does
        wished = order.camera
        return
      case 'fit':
        stage.fit(true)
        return tellCamera(true)
      case 'follow':
        return stage.follow(order.on)
      case 'film':
        // the picture that is begun next is finished when the one after it begins
        untilFilm = order.on ? 2 : 0
        return viewer.film(order.on)
      case 'pace':
        playing = order.playing
        speed = order.speed
        return
      case 'redraw':
        return
      case 'picture':
        viewer.picture().then(
          (blob) => tell({ type: 'picture', id: order.id, blob }),
          (error: Error) => tell({ type: 'failed', id: order.id, message: error.message }),
        )
        return
      case 'shapes': {
        const { mechanism, scene } = stage
        if (!mechanism || !scene) return tell({ type: 'failed', id: order.id, message: 'nothing is loaded yet; open a scene first' })
        return tell({ type: 'shapes', id: order.id, shapes: drawnShapes(mechanism, scene, viewer.outlook()) })
      }
    }
  }
}
