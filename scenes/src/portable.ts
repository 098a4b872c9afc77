/** Mathematics with the same bits in every engine: a scene is the same mechanism in Node and in every browser. */
import { portable } from 'limber/core'

export const { acos, asin, atan, atan2, cos, hypot, norm, pow, sin, squared, tan } = portable
