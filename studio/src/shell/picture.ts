/**
 * The page's handle on the view: starts it in a worker where the browser can draw there, else in the page, sends orders, and forwards
 * what happens on the canvas.
 */

import type { Area, DrawnShapes, InputEvent, ViewNews, ViewOrder, ViewTimings } from '../view/view-protocol.js'
import type { Request } from '../worker/protocol.js'

export interface Picture {
  readonly canvas: HTMLCanvasElement
  /** whether a worker draws */
  readonly apart: boolean
  /** place and target, six numbers */
  readonly camera: readonly number[]
  readonly timings: ViewTimings | undefined
  send(order: ViewOrder): void
  onNews(listener: (news: ViewNews) => void): void
  /** the picture as a PNG file */
  take(): Promise<Blob>
  shapes(): Promise<DrawnShapes>
  /** to be called when another worker simulates */
  reconnect(): void
  /** to be called when panels open or close */
  layOut(): void
}

/** orders that are for the moment */
const passing: ReadonlySet<ViewOrder['type']> = new Set(['start', 'port', 'input', 'cancel', 'fit', 'redraw', 'picture', 'shapes'])

/** `free` gives the part of the canvas that no panel covers. */
export function createPicture(
  element: HTMLCanvasElement,
  simulation: (request: Request, transfer: Transferable[]) => void,
  free: () => Area,
): Picture {
  const listeners: ((news: ViewNews) => void)[] = []
  const open = new Map<number, { resolve(answer: Blob | DrawnShapes): void; reject(error: Error): void }>()
  let canvas = element
  let apart = canDrawApart()
  let camera: readonly number[] = []
  let timings: ViewTimings | undefined
  let lastId = 0
  // what holds until it is said otherwise, for a view that has to start anew
  const standing = new Map<string, ViewOrder>()
  let give: (order: ViewOrder, transfer?: Transferable[]) => void = () => {}

  const hear = (news: ViewNews): void => {
    if (news.type === 'unable') return apart ? drawHere() : listeners.forEach((listener) => listener(news))
    if (news.type === 'camera') camera = news.camera
    if (news.type === 'timings') timings = news.timings
    if (news.type === 'cursor') canvas.style.cursor = news.cursor
    if ('id' in news) {
      const waiting = open.get(news.id)
      open.delete(news.id)
      if (news.type === 'failed') waiting?.reject(new Error(news.message))
      else waiting?.resolve(news.type === 'picture' ? news.blob : news.shapes)
      return
    }
    for (const listener of listeners) listener(news)
  }
  const newPort = (): MessagePort => {
    const { port1, port2 } = new MessageChannel()
    simulation({ type: 'view', port: port1 }, [port1])
    return port2
  }

  const drawApart = () => {
    const worker = new Worker(new URL('../view/view-worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<ViewNews>) => hear(data)
    worker.onerror = (event) => {
      worker.terminate()
      hear({ type: 'unable', reason: event.message || 'the worker that draws could not be started' })
    }
    const offscreen = canvas.transferControlToOffscreen()
    const port = newPort()
    worker.postMessage({ type: 'start', canvas: offscreen, port } satisfies ViewOrder, [offscreen, port])
    give = (order, transfer = []) => worker.postMessage(order, transfer)
  }

  /** A canvas that was given away cannot come back: another takes its place. */
  const drawHere = () => {
    if (apart) {
      const next = canvas.cloneNode() as HTMLCanvasElement
      canvas.replaceWith(next)
      canvas = next
      listenTo(canvas)
    }
    apart = false
    give = () => {}
    import('../view/view.js')
      .then(({ createView }) => {
        const view = createView({ type: 'start', canvas, port: newPort() }, hear)
        give = (order) => order.type !== 'start' && view(order)
        for (const order of standing.values()) give(order)
        if (camera.length > 0) give({ type: 'look', camera })
      })
      .catch((error: unknown) => hear({ type: 'unable', reason: error instanceof Error ? error.message : String(error) }))
  }

  const send = (order: ViewOrder): void => {
    if (!passing.has(order.type)) standing.set('name' in order ? `${order.type} ${order.name}` : order.type, order)
    give(order)
  }

  const layOut = () => {
    const { clientWidth: width, clientHeight: height } = canvas
    send({ type: 'size', width, height, ratio: devicePixelRatio, free: free() })
  }

  const listenTo = (target: HTMLCanvasElement) => {
    new ResizeObserver(layOut).observe(target)
    forward(target, (event) => send({ type: 'input', event }))
  }

  const ask = (order: (id: number) => ViewOrder): Promise<Blob | DrawnShapes> => {
    const id = ++lastId
    return new Promise((resolve, reject) => {
      open.set(id, { resolve, reject })
      send(order(id))
    })
  }

  if (apart) drawApart()
  else drawHere()
  listenTo(canvas)
  layOut()

  return {
    get canvas() {
      return canvas
    },
    get apart() {
      return apart
    },
    get camera() {
      return camera
    },
    get timings() {
      return timings
    },
    send,
    onNews: (listener) => void listeners.push(listener),
    take: () => ask((id) => ({ type: 'picture', id })) as Promise<Blob>,
    shapes: () => ask((id) => ({ type: 'shapes', id })) as Promise<DrawnShapes>,
    reconnect() {
      const port = newPort()
      give({ type: 'port', port }, [port])
    },
    layOut,
  }
}

/** Whether a worker may have a canvas; whether it can draw on it only the worker finds out. */
function canDrawApart(): boolean {
  return (
    'transferControlToOffscreen' in HTMLCanvasElement.prototype &&
    typeof OffscreenCanvas !== 'undefined' &&
    'convertToBlob' in OffscreenCanvas.prototype
  )
}

/** What happens on the canvas, as plain values. */
function forward(canvas: HTMLCanvasElement, send: (event: InputEvent) => void): void {
  const place = (event: MouseEvent) => {
    const { left, top } = canvas.getBoundingClientRect()
    const [x, y] = [event.clientX - left, event.clientY - top]
    return { clientX: x, clientY: y, pageX: x, pageY: y, ctrlKey: event.ctrlKey, metaKey: event.metaKey, shiftKey: event.shiftKey }
  }
  for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const) {
    canvas.addEventListener(type, (event) => {
      // so that a drag goes on outside of the canvas
      if (type === 'pointerdown') canvas.setPointerCapture(event.pointerId)
      const { button, pointerId, pointerType } = event
      send({ type, ...place(event), button, pointerId, pointerType })
    })
  }
  canvas.addEventListener('contextmenu', (event) => event.preventDefault())
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      send({ type: 'wheel', ...place(event), deltaY: event.deltaY, deltaMode: event.deltaMode })
    },
    { passive: false },
  )
  canvas.addEventListener('keydown', (event) => {
    const { key, code, ctrlKey, metaKey } = event
    if (ctrlKey || metaKey || event.altKey) return
    if (key === '+' || key === '-') {
      const middle = { clientX: canvas.clientWidth / 2, clientY: canvas.clientHeight / 2 }
      send({ type: 'wheel', ...middle, deltaY: key === '+' ? -120 : 120, deltaMode: 0, ctrlKey: false })
    } else if (!code.startsWith('Arrow')) return
    // OrbitControls shifts by arrows and turns by shift and arrows; turning is wanted more often
    else send({ type: 'keydown', key, code, ctrlKey, metaKey, shiftKey: !event.shiftKey })
    event.preventDefault()
  })
}
