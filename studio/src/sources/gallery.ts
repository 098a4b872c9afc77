/**
 * The gallery: a card for every built-in scene, with a picture, a sentence, the method it shows and its size.
 */
import { create, element } from '../shell/dom.js'
import type { Link } from '../shell/link.js'
import type { SceneInfo, Sketch } from '../worker/protocol.js'

export interface Gallery {
  open(): void
  /** all scenes are known now: the first ones come with the page, the others when the gallery is opened */
  renew(): void
}

export function createGallery(link: Link, scenes: () => readonly SceneInfo[], chosen: (name: string) => void): Gallery {
  const dialog = element('gallery', HTMLDialogElement)
  const cards = new Map<string, { facts: HTMLElement; picture: HTMLElement }>()
  let filled = false
  let all = false

  link.onReply((reply) => {
    if (reply.type !== 'sketch') return
    const card = cards.get(reply.name)
    if (!card) return
    const { solver, nbody, nv } = reply.sketch
    card.facts.textContent = describeSize(solver || 'auto', nbody - 1, nv)
    if (card.picture instanceof HTMLCanvasElement) drawSketch(card.picture, reply.sketch)
  })

  const fill = () => {
    filled = scenes().length > 0
    dialog.replaceChildren()
    const close = create('button', { type: 'button', className: 'icon', title: 'Close' }, '✕')
    close.setAttribute('aria-label', 'Close')
    close.onclick = () => dialog.close()
    const list = create('div', { className: 'cards' }, ...scenes().map(makeCard), makeManyCard())
    dialog.append(create('header', {}, create('h2', { id: 'gallery-title' }, 'Gallery'), close), list)
    for (const { name, size } of scenes()) if (!size) link.send({ type: 'sketch', name })
  }

  const makeCard = ({ name, title, description, size }: SceneInfo): HTMLElement => {
    // those that take long to build say how large they are
    const facts = create('small', {}, size ? describeSize('substructuring', size.bodies, size.dof) : '…')
    const shown = pictures[name]
    const picture = shown
      ? create('img', { src: shown, alt: '', loading: 'lazy', width: 320, height: 200 })
      : create('canvas', { width: 320, height: 200 })
    cards.set(name, { facts, picture })
    const card = create(
      'button',
      { type: 'button', className: 'card' },
      picture,
      create('strong', {}, title),
      create('span', {}, firstSentence(description)),
      facts,
    )
    card.dataset['scene'] = name
    card.onclick = () => {
      dialog.close()
      chosen(name)
    }
    return card
  }

  /** Not a scene of the studio: a page of its own, whose thousands of chains are one batch. */
  const makeManyCard = (): HTMLElement => {
    const shown = pictures['many']
    const card = create(
      'a',
      { className: 'card', href: './many.html' },
      ...(shown ? [create('img', { src: shown, alt: '', loading: 'lazy', width: 320, height: 200 })] : []),
      create('strong', {}, 'Thousands of chains'),
      create('span', {}, '4,096 chains swing in one batch, on the GPU where there is one.'),
      create('small', {}, 'batch · 40,960 bodies · 81,920 DoF'),
    )
    card.dataset['scene'] = 'many'
    return card
  }

  return {
    open() {
      if (!all) link.send({ type: 'scenes' })
      if (!filled) fill()
      dialog.showModal()
    },
    renew() {
      all = true
      filled = false
      if (dialog.open) fill()
    },
  }
}

function describeSize(solver: string, bodies: number, dof: number): string {
  return `${solver} · ${bodies.toLocaleString('en')} bodies · ${dof.toLocaleString('en')} DoF`
}

/** Pictures that were taken of scenes, by name; a scene without one is drawn as a sketch. */
const pictures: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(import.meta.glob('../pictures/*.webp', { eager: true, query: '?url', import: 'default' })).map(([path, url]) => [
    path.replace(/^.*\/|\.webp$/g, ''),
    String(url),
  ]),
)

function firstSentence(text: string): string {
  return text.match(/^.*?\.(?=\s|$)/)?.[0] ?? text
}

/** Bodies as dots joined to their parents, seen as the camera would. */
function drawSketch(canvas: HTMLCanvasElement, { points, parents }: Sketch): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const n = parents.length
  const x = (i: number) => 0.85 * points[3 * i] + 0.53 * points[3 * i + 1]
  const y = (i: number) => -points[3 * i + 2] + 0.25 * (0.53 * points[3 * i] - 0.85 * points[3 * i + 1])
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let i = n > 2 ? 1 : 0; i < n; i++) {
    left = Math.min(left, x(i))
    right = Math.max(right, x(i))
    top = Math.min(top, y(i))
    bottom = Math.max(bottom, y(i))
  }
  const { width, height } = canvas
  const scale = Math.min((width - 40) / Math.max(right - left, 1e-9), (height - 40) / Math.max(bottom - top, 1e-9), 1e6)
  const px = (i: number) => width / 2 + scale * (x(i) - (left + right) / 2)
  const py = (i: number) => height / 2 + scale * (y(i) - (top + bottom) / 2)
  context.strokeStyle = '#f2a93c'
  context.lineWidth = n > 300 ? 1 : 3
  context.lineCap = 'round'
  context.beginPath()
  for (let i = 1; i < n; i++) {
    if (parents[i] === 0) context.arc(px(i), py(i), 1.5, 0, 7)
    else context.moveTo(px(parents[i]), py(parents[i]))
    context.lineTo(px(i), py(i))
  }
  context.stroke()
}
