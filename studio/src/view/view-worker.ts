/**
 * The worker that draws: the first order brings the canvas, the others go to the view.
 */
import { createView, type View } from './view.js'
import type { ViewNews, ViewOrder } from './view-protocol.js'

let view: View | undefined
const tell = (news: ViewNews) => postMessage(news)

self.onmessage = ({ data: order }: MessageEvent<ViewOrder>) => {
  if (order.type !== 'start') return view?.(order)
  try {
    view = createView(order, tell)
  } catch (error) {
    tell({ type: 'unable', reason: error instanceof Error ? error.message : String(error) })
  }
}
