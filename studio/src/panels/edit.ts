/**
 * The scene as JSON, to be edited: checked while one writes, built when it is right.
 */

import { createEditor } from '../forms/editor/editor.js'
import type { App } from '../shell/app.js'
import { create } from '../shell/dom.js'
import type { TextProblem } from '../worker/protocol.js'

const pause = 350
/** longer texts are read, but not into a field */
const longest = 2_000_000

export function showEditor(app: App, host: HTMLElement): void {
  const problems = create('ul', { className: 'problems' })
  problems.setAttribute('aria-live', 'polite')
  const apply = create('button', { type: 'button', className: 'main' }, 'Build')
  const reload = create('button', { type: 'button' }, 'Take from scene')
  const live = create('input', { type: 'checkbox', checked: true })
  let timer = 0
  let mine = ''

  const send = (build: boolean) => {
    clearTimeout(timer)
    mine = editor.text
    app.link.send({ type: 'text', text: mine, apply: build, lanes: app.lanes })
  }
  const editor = createEditor(() => {
    clearTimeout(timer)
    timer = window.setTimeout(() => send(live.checked), pause)
  })
  const take = () => {
    app.link
      .ask({ type: 'export', format: 'scene' })
      .then((answer) => {
        if (answer.type !== 'exported') return
        const text = new TextDecoder().decode(answer.bytes)
        if (text.length > longest) throw new Error('this scene is too long to edit here; export it as Scene JSON and edit the file')
        editor.text = text
        list([])
      })
      .catch((error: Error) => app.fail('The scene cannot be edited', [error.message]))
  }
  const list = (found: readonly TextProblem[]) => {
    editor.setProblems(found)
    problems.replaceChildren(
      ...found.slice(0, 50).map(({ line, column, message }) => {
        const go = create('button', { type: 'button', className: 'link' }, `${line}:${column}`)
        go.onclick = () => editor.goTo(line, column)
        return create('li', {}, go, ` ${message}`)
      }),
    )
  }
  apply.onclick = () => send(true)
  reload.onclick = take
  reload.title = 'Throws away what you wrote and shows the running scene'
  host.append(
    create('div', { className: 'row' }, apply, reload, create('label', { className: 'check' }, live, 'build while writing')),
    editor.host,
    problems,
    create('p', { className: 'quiet' }, 'Ctrl+Space suggests names. The scene is rebuilt when the text is right.'),
  )
  app.on('checked', ({ problems: found, text }) => {
    if (text === editor.text) list(found)
  })
  app.on('loaded', ({ fresh, origin }) => {
    // what one writes is not overwritten by its own result
    if (fresh && origin !== 'editor' && host.offsetParent !== null) take()
  })
  app.link.onReply((reply) => {
    if (reply.type === 'schema') editor.setSchema(reply.schema)
  })
  app.link.send({ type: 'schema' })
  take()
}
