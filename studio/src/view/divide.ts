/**
 * Parts of the canvas for views beside each other; apart from the rest because the page needs it as well.
 */
import type { Area } from './view-protocol.js'

/** Equal columns beside each other or rows below each other, whichever are nearer to squares. */
export function divide({ x, y, width, height }: Area, count: number): Area[] {
  const unlikeSquare = (aspect: number) => Math.abs(Math.log(aspect))
  const tall = unlikeSquare((count * width) / height) < unlikeSquare(width / height / count)
  return Array.from({ length: count }, (_, k) =>
    tall
      ? { x, y: y + (k * height) / count, width, height: height / count }
      : { x: x + (k * width) / count, y, width: width / count, height },
  )
}
