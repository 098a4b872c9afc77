/**
 * Parts of the canvas for views beside each other; apart from the rest because the page needs it as well.
 */
import type { Area } from './view-protocol.js'

/** Equal columns beside each other, or rows below each other where the area is tall. */
export function divide({ x, y, width, height }: Area, count: number): Area[] {
  const tall = height > 1.2 * width
  return Array.from({ length: count }, (_, k) =>
    tall
      ? { x, y: y + (k * height) / count, width, height: height / count }
      : { x: x + (k * width) / count, y, width: width / count, height },
  )
}
