/**
 * Licences of all that the published packages bring along, their own dependencies and those of these; development tools are none.
 *
 *   node scripts/licences.mjs [--print]    writes LICENSES.md, or prints it
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { at } from './lib.mjs'

const packages = ['engine', 'scenes', 'bench', 'cli', 'studio']
const own = new Set(packages.map((path) => manifest(path).name))

function manifest(path) {
  return JSON.parse(readFileSync(at(`${path}/package.json`), 'utf8'))
}

/** Where a package is installed, as Node looks for it from another. */
function folderOf(name, from) {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const path = `${base === '' ? '' : `${base}/`}node_modules/${name}`
    if (existsSync(at(`${path}/package.json`))) return path
    if (base === '') return undefined
  }
}

const rows = new Map()
function visit(path, users) {
  const { dependencies = {}, optionalDependencies = {}, devDependencies = {} } = manifest(path)
  // those of dependencies are binaries for one machine each; the studio is built, with its own inside
  const optional = packages.includes(path) ? optionalDependencies : {}
  const inside = path === 'studio' ? devDependencies : {}
  for (const name of Object.keys({ ...dependencies, ...optional, ...inside })) {
    if (own.has(name) || name.startsWith('@types/')) continue
    const found = folderOf(name, path) ?? folderOf(name, '')
    if (!found) continue
    const { version, license, repository } = manifest(found)
    const key = `${name} ${version}`
    const row = rows.get(key) ?? {
      name,
      version,
      licence: license ?? 'not stated',
      from: repository?.url ?? repository ?? '',
      users: new Set(),
    }
    const isNew = !rows.has(key)
    for (const user of users) row.users.add(user)
    rows.set(key, row)
    if (isNew) visit(found, users)
  }
}
for (const path of packages) visit(path, [manifest(path).name])

const clean = (url) =>
  String(url)
    .replace(/^git\+/, '')
    .replace(/^git:/, 'https:')
    .replace(/\.git$/, '')
    .replace(/^github:/, 'https://github.com/')
    .replace(/^(ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$2/')
const list = [...rows.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1))
const text = `# Licences

Limber is under the MIT licence ([LICENSE](LICENSE)). This is what its packages bring along; \`node scripts/licences.mjs\` writes the list.

| package | version | licence | brought along by | source |
|---|---|---|---|---|
${list.map((row) => `| ${row.name} | ${row.version} | ${row.licence} | ${[...row.users].sort((a, b) => (a < b ? -1 : 1)).join(', ')} | ${clean(row.from)} |`).join('\n')}
`
if (process.argv.includes('--print')) process.stdout.write(text)
else writeFileSync(at('LICENSES.md'), text)
