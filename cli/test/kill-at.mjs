/**
 * Loaded before the command (`node --import`): ends the process, as `kill -9` does, in the middle of its n-th change of a file (LIMBER_KILL_AT), be it
 * an opening, half a write, a flush, a renaming or a removal; LIMBER_KILL_CALL counts the calls of one function only. Without a number: says at the end
 * how many there were.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const at = Number(process.env.LIMBER_KILL_AT ?? Infinity)
const only = process.env.LIMBER_KILL_CALL
let calls = 0

function die() {
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}

/** `half` does what can be half done. */
function watch(name, half = () => {}, counts = () => true) {
  const call = fs[name]
  fs[name] = (...args) => {
    if (counts(...args) && (only === undefined || only === name) && ++calls === at) {
      half(call, args)
      die()
    }
    return call(...args)
  }
}

watch(
  'openSync',
  (open, args) => open(...args),
  (_file, flags = 'r') => flags !== 'r',
)
watch('writeFileSync', (write, [file, content]) => write(file, content.slice(0, content.length >> 1)))
watch('writeSync', (write, [fd, bytes, from, count, position]) => write(fd, bytes, from, count >> 1, position))
for (const name of ['fsyncSync', 'renameSync', 'ftruncateSync', 'rmSync', 'fchmodSync']) watch(name)
syncBuiltinESMExports()
if (at === Infinity) process.on('exit', () => process.stderr.write(`${calls} changes\n`))
