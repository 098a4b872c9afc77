/** Colours for parts that state none: calm, told apart side by side, none of them close to the floor's grey. sRGB, 0 to 1. */
import { pow } from '../../math/own.js'
import type { Color } from './drawables.js'

const BODY_COLORS = ['#4a7fb5', '#e0805a', '#6aa67f', '#d9b44a', '#8a6fae', '#c45f7c', '#4fa3a5', '#9a8068', '#7c8fd0', '#a3b456']
const WORLD_COLOR = '#c9cfd6'

export function bodyColor(index: number): Color {
  return parse(BODY_COLORS[index % BODY_COLORS.length])
}

export function worldColor(): Color {
  return parse(WORLD_COLOR)
}

/** sRGB to linear light, which glTF's factors are in; opacity stays. */
export function toLinear([r, g, b, a]: Color): Color {
  const linear = (x: number) => {
    const clamped = Math.min(1, Math.max(0, x))
    return clamped <= 0.04045 ? clamped / 12.92 : pow((clamped + 0.055) / 1.055, 2.4)
  }
  return [linear(r), linear(g), linear(b), Math.min(1, Math.max(0, a))]
}

function parse(hex: string): Color {
  const channel = (k: number) => Number.parseInt(hex.slice(1 + 2 * k, 3 + 2 * k), 16) / 255
  return [channel(0), channel(1), channel(2), 1]
}
