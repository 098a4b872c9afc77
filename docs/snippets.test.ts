/**
 * The pages keep their word: every program on them is compiled in strict mode and run against the built package, and prints what the page says;
 * every command ends well.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pairPrograms, readBlocks } from './snippets.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const limber = join(root, 'cli/bin/limber.js')
// inside the repository, so that `limber` is found as a package; git ignores it
mkdirSync(join(root, '.limber'), { recursive: true })

const pages = ['README.md', ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))]
  .map((page) => [page, readBlocks(readFileSync(join(root, page), 'utf8'))] as const)
  .filter(([, blocks]) => blocks.some(({ language }) => ['ts', 'js', 'sh'].includes(language)))

it('finds the pages', () => {
  expect(pages.map(([page]) => page)).toEqual(expect.arrayContaining(['README.md', 'docs/getting-started.md', 'docs/cli.md']))
})

describe.each(pages)('%s', (_page, blocks) => {
  const programs = pairPrograms(blocks)
  const commands = blocks.filter(({ language }) => language === 'sh').flatMap(({ code }) => commandLines(code))
  const folder = mkdtempSync(join(root, '.limber/snippets-'))
  const run = (args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return { status, stdout, stderr }
  }
  const fileOf = (line: number, language: string) => join(folder, `line-${line}.${language === 'ts' ? 'mts' : 'mjs'}`)

  beforeAll(() => {
    for (const { file, code } of blocks) if (file) writeFileSync(join(folder, file), code)
    for (const { program } of programs) writeFileSync(fileOf(program.line, program.language), program.code)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('has something to run', () => {
    expect(programs.length + commands.length).toBeGreaterThan(0)
  })

  it.skipIf(programs.length === 0)('holds programs that compile in strict mode', () => {
    const files = programs.map(({ program }) => fileOf(program.line, program.language))
    expect(compile(files)).toEqual([])
  })

  it.each(programs.map((entry) => [entry.program.line, entry] as const))('runs the program in line %i', (line, { program, prints }) => {
    const { status, stdout, stderr } = run([fileOf(line, program.language).replace(/\.mts$/, '.mjs')])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    if (prints === undefined) expect(stdout).not.toBe('')
    else expect(stdout).toBe(prints)
  })

  it.skipIf(commands.length === 0).each(commands)('runs limber %s', (line) => {
    const { status, stderr } = run([limber, ...words(line)])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

/** Strict, as the README recommends; emits beside the sources; returns what the compiler says. */
function compile(files: readonly string[]): string[] {
  const program = ts.createProgram({
    rootNames: files,
    options: {
      strict: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      allowJs: true,
      checkJs: true,
      skipLibCheck: true,
      types: ['node'],
      // a program in JavaScript is checked, and runs as it stands
      outDir: join(files[0] ?? '', '..'),
      noEmitOnError: false,
    },
  })
  const diagnostics = [...ts.getPreEmitDiagnostics(program)]
  const typed = program.getSourceFiles().filter((file) => file.fileName.endsWith('.mts') && files.includes(file.fileName))
  for (const file of typed) program.emit(file)
  return diagnostics
    .filter(({ code }) => code !== overwritesInput)
    .map((d) => `${d.file?.fileName.split('/').at(-1) ?? ''}: ${ts.flattenDiagnosticMessageText(d.messageText, '\n')}`)
}

/** said of programs in JavaScript, which are checked but not emitted */
const overwritesInput = 5055

/** `limber …` lines; `npm` and comments are for people. */
function commandLines(code: string): string[] {
  return code.split('\n').flatMap((line) => /^(?:npx )?limber (.+?)(?:\s+#.*)?$/.exec(line)?.[1] ?? [])
}

function words(line: string): string[] {
  return line.split(/\s+/)
}
