/**
 * The command in a process that stays: loads it once, then runs one command line after another as its parent asks, each in the folder, with the
 * environment and with the pipe that it is given, and sends back what it printed and its exit code. See `limber` in limber.ts.
 */
import { Readable } from 'node:stream'
import { main } from '../dist/main.js'

const own = { ...process.env }
const start = process.cwd()
/** one command at a time: what it prints is told apart by time alone */
let last = Promise.resolve()

process.on('message', (request) => {
  last = last.then(() => answer(request))
})
process.on('disconnect', () => process.exit())

async function answer({ id, args, cwd, env, input }) {
  const stdout = capture(process.stdout)
  const stderr = capture(process.stderr)
  const pipe = Readable.from(input === undefined ? [] : [Buffer.from(input)])
  Object.defineProperty(process, 'stdin', { configurable: true, get: () => pipe })
  process.chdir(cwd)
  Object.assign(process.env, env)
  let reply
  try {
    reply = { id, code: await main(args) }
  } catch (error) {
    // a real process would end with a trace: the caller must see that it was not a result
    reply = { id, failed: String(error?.stack ?? error) }
  }
  for (const name of Object.keys(env)) {
    if (name in own) process.env[name] = own[name]
    else delete process.env[name]
  }
  // not in a folder that its test may remove
  process.chdir(start)
  // each command listens for a closed pipe; in a process of its own that is once
  process.stdout.removeAllListeners('error')
  process.send({ ...reply, stdout: stdout.end(), stderr: stderr.end() })
}

/** Keeps what is written to a stream instead of writing it, until `end`. */
function capture(stream) {
  const { write } = stream
  const parts = []
  stream.write = (chunk, encoding, done) => {
    parts.push(Buffer.from(chunk, typeof encoding === 'string' ? encoding : undefined))
    const call = typeof encoding === 'function' ? encoding : done
    if (call) process.nextTick(call)
    return true
  }
  return {
    end() {
      stream.write = write
      return Buffer.concat(parts).toString()
    },
  }
}
