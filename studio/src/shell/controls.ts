/**
 * The bar below the picture: play, step, reset, speed, hand, clock and timeline.
 */

import { header } from '../worker/protocol.js'
import type { App } from './app.js'
import { create, element } from './dom.js'
import { type Tool, tools } from './looks.js'

/** milliseconds over which the pace is taken */
const paceEvery = 1000

export interface Controls {
  step(): void
  reset(): void
  /** moves by so many kept moments */
  nudge(by: number): void
  setTool(tool: Tool): void
  setSpeed(speed: number): void
  /** shows the time and place of a frame */
  update(block: Float64Array): void
}

export function createControls(app: App, paceChanged: () => void): Controls {
  const play = element('play', HTMLButtonElement)
  const clock = element('clock', HTMLOutputElement)
  const timeline = element('timeline', HTMLInputElement)
  const speed = element('speed', HTMLSelectElement)
  const tool = element('tool', HTMLSelectElement)
  let frame = 0
  let frames = 0
  let scrubbing = false
  const reached = element('pace', HTMLOutputElement)
  /** simulated and real time at which the present measure began */
  let since = { t: 0, at: 0, speed: 0 }

  /** How fast it really runs, once a second, beside what was asked for. */
  const measure = (t: number) => {
    const at = performance.now()
    if (!app.playing || app.loaded?.origin === 'trajectory') {
      reached.hidden = true
      since = { t, at, speed: app.speed }
      return
    }
    if (t < since.t || since.speed !== app.speed) since = { t, at, speed: app.speed }
    if (at - since.at < paceEvery) return
    const pace = (1000 * (t - since.t)) / (at - since.at)
    const slow = pace < 0.9 * app.speed
    reached.hidden = false
    reached.className = slow ? 'slow' : ''
    reached.textContent = `${pace < 0.095 ? pace.toFixed(3) : pace.toFixed(2)}×`
    reached.title = slow
      ? `Real time × ${pace.toFixed(2)}: slower than the ${app.speed}× that were asked for, because a step takes longer than the time it covers`
      : `Real time × ${pace.toFixed(2)}, as asked for`
    since = { t, at, speed: app.speed }
  }

  const seek = (to: number) => {
    frame = Math.min(Math.max(0, to), Math.max(0, frames - 1))
    if (app.playing) app.setPlaying(false)
    app.link.send({ type: 'seek', frame })
  }

  const controls: Controls = {
    step() {
      if (app.playing) app.setPlaying(false)
      app.link.send({ type: 'step' })
    },
    reset() {
      app.link.send({ type: 'reset' })
    },
    nudge: (by) => seek(frame + by),
    setTool(next) {
      app.picture.send({ type: 'tool', tool: next })
      tool.value = next
      app.say(tools[next].hint)
    },
    setSpeed(next) {
      app.speed = next
      if (![...speed.options].some(({ value }) => Number(value) === next))
        speed.append(create('option', { value: String(next) }, `${next}×`))
      speed.value = [...speed.options].find(({ value }) => Number(value) === next)?.value ?? '1'
      paceChanged()
      app.link.send({ type: 'speed', speed: next })
    },
    update(block) {
      const text = `${block[header.t].toFixed(2)} s`
      if (clock.textContent !== text) clock.textContent = text
      measure(block[header.t])
      frame = block[header.frame]
      frames = block[header.frames]
      if (scrubbing) return
      const last = String(Math.max(0, frames - 1))
      if (timeline.max !== last) timeline.max = last
      timeline.value = String(frame)
    },
  }

  play.onclick = () => app.setPlaying(!app.playing)
  element('step', HTMLButtonElement).onclick = () => controls.step()
  element('reset', HTMLButtonElement).onclick = () => controls.reset()
  app.on('playing', (playing) => {
    play.textContent = playing ? 'Pause' : 'Play'
  })
  speed.onchange = () => {
    controls.setSpeed(Number(speed.value))
    app.changed()
  }
  tool.append(...Object.entries(tools).map(([name, { title }]) => create('option', { value: name }, title)))
  tool.onchange = () => controls.setTool(tool.value as Tool)
  timeline.oninput = () => {
    scrubbing = true
    seek(Number(timeline.value))
  }
  timeline.onchange = () => {
    scrubbing = false
  }
  return controls
}
