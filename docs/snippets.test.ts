/**
 * The pages keep their word: every program on them is compiled in strict mode and run against the built package, and prints what the page says;
 * every command ends well.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, describe, expect, it } from 'vitest'
import { limber } from '../cli/test/limber.js'
import { pairPrograms, readBlocks } from './snippets.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const command = join(root, 'cli/bin/limber.js')
// inside the repository, so that `limber` is found as a package; git ignores it
mkdirSync(join(root, '.limber'), { recursive: true })

const pages = ['README.md', ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))]
  .map((page) => [page, readBlocks(readFileSync(join(root, page), 'utf8'))] as const)
  .filter(([, blocks]) => blocks.some(({ language }) => ['ts', 'js', 'sh'].includes(language)))

it('finds the pages', () => {
  expect(pages.map(([page]) => page)).toEqual(expect.arrayContaining(['README.md', 'docs/getting-started.md', 'docs/cli.md']))
})

/** the programs of all pages, which are compiled together: most of the work is reading the declarations that they share */
const allFiles: string[] = []
let compiled: ts.Program | undefined

describe.each(pages)('%s', (page, blocks) => {
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

  for (const { file, code } of blocks) if (file) writeFileSync(join(folder, file), code)
  for (const { program } of programs) {
    const file = fileOf(program.line, program.language)
    writeFileSync(file, program.code)
    allFiles.push(file)
  }
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('has something to run', () => {
    expect(programs.length + commands.length).toBeGreaterThan(0)
  })

  it.skipIf(programs.length === 0)('holds programs that compile in strict mode', () => {
    expect(compile(folder)).toEqual([])
  })

  it.each(programs.map((entry) => [entry.program.line, entry] as const))('runs the program in line %i', (line, { program, prints }) => {
    const { status, stdout, stderr } = run([fileOf(line, program.language).replace(/\.mts$/, '.mjs')])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    if (prints === undefined) expect(stdout).not.toBe('')
    else expect(stdout).toBe(prints)
  })

  it.skipIf(commands.length === 0).each(commands)('runs limber %s', async (line) => {
    // the commands of the first page in processes of their own, as its reader runs them; the others share one (see cli/test/limber.ts)
    if (page !== 'README.md') {
      const { code, stderr } = await limber(words(line), { cwd: folder })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return
    }
    const { status, stderr } = run([command, ...words(line)])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

/** Strict, as the README recommends; emits the programs of a folder beside the sources; returns what the compiler says of them. */
function compile(folder: string): string[] {
  compiled ??= ts.createProgram({
    rootNames: allFiles,
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
      outDir: join(root, '.limber'),
      noEmitOnError: false,
    },
  })
  const program = compiled
  const sources = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${folder}/`))
  if (sources.length === 0) throw new Error(`the compiler found no program in ${folder}`)
  for (const source of sources.filter(({ fileName }) => fileName.endsWith('.mts'))) {
    program.emit(source, (name, text) => writeFileSync(join(folder, basename(name)), text))
  }
  // what has no file is said of the whole, once for each source
  const diagnostics = new Set(sources.flatMap((source) => [...ts.getPreEmitDiagnostics(program, source)]))
  return [...diagnostics]
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
