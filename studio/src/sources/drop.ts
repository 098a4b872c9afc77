/**
 * Files from the disk: dropped on the page (also folders) or chosen with the button. Only what was dropped is read.
 */
import { element } from '../shell/dom.js'
import type { SourceFile } from '../worker/protocol.js'

/** more than this is a mistake, and would fill the memory */
const mostFiles = 2000
const mostBytes = 512e6

export function acceptFiles(opened: (files: readonly SourceFile[]) => void, failed: (message: string) => void): void {
  const veil = element('drop', HTMLElement)
  const picker = element('file', HTMLInputElement)
  const take = (files: Promise<{ path: string; file: File }[]>) => {
    files
      .then(readAll)
      .then((sources) => (sources.length > 0 ? opened(sources) : undefined))
      .catch((error: unknown) => failed(error instanceof Error ? error.message : String(error)))
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
    if (event.dataTransfer) take(listDropped(event.dataTransfer))
  })
  element('open', HTMLButtonElement).onclick = () => picker.click()
  picker.onchange = () => {
    take(Promise.resolve([...(picker.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }))))
    picker.value = ''
  }
}

async function readAll(files: readonly { path: string; file: File }[]): Promise<SourceFile[]> {
  if (files.length > mostFiles)
    throw new Error(`${files.length} files were dropped, at most ${mostFiles} are read; drop only the model's folder`)
  const total = files.reduce((sum, { file }) => sum + file.size, 0)
  if (total > mostBytes)
    throw new Error(
      `${(total / 1e6).toFixed(0)} MB were dropped, at most ${mostBytes / 1e6} are read; leave out what the model does not use`,
    )
  const sources: SourceFile[] = []
  for (const { path, file } of files) {
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (/\.zip$/i.test(path)) {
      const { unzip } = await import('./unzip.js')
      sources.push(...(await unzip(bytes, mostBytes)))
    } else sources.push({ name: path, bytes })
  }
  return sources
}

/** Files and, one by one, the contents of folders. */
async function listDropped(transfer: DataTransfer): Promise<{ path: string; file: File }[]> {
  const plain = [...transfer.files].map((file) => ({ path: file.name, file }))
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null)
  if (!entries.some((entry) => entry?.isDirectory)) return plain
  const found: { path: string; file: File }[] = []
  const visit = async (entry: FileSystemEntry | null): Promise<void> => {
    if (!entry || found.length > mostFiles) return
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
      found.push({ path: entry.fullPath.replace(/^\//, ''), file })
      return
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader()
    for (;;) {
      const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
      if (part.length === 0) return
      for (const child of part) await visit(child)
    }
  }
  for (const entry of entries) await visit(entry)
  return found
}
