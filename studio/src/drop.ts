/**
 * Files from the disk: dropped on the page or chosen with the button.
 */
import { element } from './dom.js'
import type { SourceFile } from './protocol.js'

export function acceptFiles(opened: (files: readonly SourceFile[]) => void): void {
  const veil = element('drop', HTMLElement)
  const picker = element('file', HTMLInputElement)
  const take = async (files: Iterable<File>) => {
    const sources = await Promise.all(
      [...files].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
    )
    if (sources.length > 0) opened(sources)
  }
  let depth = 0
  addEventListener('dragenter', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    depth++
    veil.hidden = false
  })
  addEventListener('dragleave', () => {
    depth = Math.max(0, depth - 1)
    veil.hidden = depth === 0
  })
  addEventListener('dragover', (event) => event.preventDefault())
  addEventListener('drop', (event) => {
    event.preventDefault()
    depth = 0
    veil.hidden = true
    void take(event.dataTransfer?.files ?? [])
  })
  element('open', HTMLButtonElement).onclick = () => picker.click()
  picker.onchange = () => {
    void take(picker.files ?? [])
    picker.value = ''
  }
}
