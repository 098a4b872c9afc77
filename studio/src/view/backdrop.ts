/**
 * The background of the page as part of the picture, for films and files: on the screen it is the page's own.
 */
import * as THREE from 'three'

/** top and bottom, as in the style sheet */
const colors = { light: ['#f4f6f9', '#d5dce6'], dark: ['#232936', '#12151c'] } as const
const rows = 64

export interface Backdrop {
  readonly texture: THREE.DataTexture
  setTheme(dark: boolean): void
}

export function createBackdrop(): Backdrop {
  const pixels = new Uint8Array(4 * rows)
  const texture = new THREE.DataTexture(pixels, 1, rows)
  texture.colorSpace = THREE.SRGBColorSpace
  texture.magFilter = THREE.LinearFilter
  const setTheme = (dark: boolean) => {
    const [top, bottom] = colors[dark ? 'dark' : 'light'].map((text) => [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)))
    for (let row = 0; row < rows; row++) {
      const part = row / (rows - 1)
      for (let c = 0; c < 3; c++) pixels[4 * row + c] = Math.round(bottom[c] + part * (top[c] - bottom[c]))
      pixels[4 * row + 3] = 255
    }
    texture.needsUpdate = true
  }
  setTheme(false)
  return { texture, setTheme }
}
