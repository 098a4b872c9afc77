/**
 * Links over Open MPI, between processes of one machine or of many, started by `mpirun`. The library is called through koffi; both are loaded
 * when they are asked for.
 *
 * Sends do not wait for the receiver: each goes from a slot of a ring of its own for every other processor, and a slot waits only until MPI has
 * taken its last message. Parts are so short that MPI takes them at once, so that two that send each other much at once do not wait for each
 * other. MPI keeps addresses: every buffer is memory outside the heap that stays referenced while the link lives.
 *
 * A process that dies takes all with it, with a non-zero code of `mpirun`: no wait here ends in an error.
 */
import { writeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { LibraryHandle } from 'koffi'
import { checkLinks, type Link, wrongLength } from './link.js'

export interface MpiOptions {
  /** numbers in an ordinary message; longer ones are sent in parts */
  readonly capacity: number
}

export interface Mpi {
  readonly link: Link
  /** Ends this processor's part in good order; it waits for all others to do the same. */
  finish(): void
  /** Ends all processes of the run; `mpirun` returns a non-zero code. */
  abort(code: number): void
}

const LIBRARY = 'libmpi.so.40'
const TAG = 17
const FUNNELED = 1
/** messages to one processor that MPI may still hold */
const SLOTS = 16
/** the longest part: 4 kB go at once also in shared memory, with what MPI adds */
const LONGEST = 480
/** words of a status: bytes of the message (the low half) */
const BYTES = 4
const STATUS_WORDS = 6
/** looks before a processor that shares its core sleeps, and for how long */
const LOOKS = 30
const NAP_MILLISECONDS = 0.05

/** Outgoing messages to one processor. */
interface Ring {
  readonly slots: readonly Float64Array[]
  readonly addresses: readonly bigint[]
  readonly requests: readonly bigint[]
  /** what the addresses of requests point to */
  readonly handles: BigInt64Array
  next: number
}

type Call = (...given: (number | bigint | null)[]) => number

/** Joins the other processes that `mpirun` started. */
export async function openMpi({ capacity }: MpiOptions): Promise<Mpi> {
  checkLinks(1, capacity)
  const { address, library } = await loadLibrary()
  const call = (name: string, ...types: string[]): Call => library.func(name, 'int', types) as Call
  const send = call('MPI_Isend', 'void *', 'int', 'void *', 'int', 'int', 'void *', 'void *')
  const receive = call('MPI_Recv', 'void *', 'int', 'void *', 'int', 'int', 'void *', 'void *')
  const probe = call('MPI_Iprobe', 'int', 'int', 'void *', 'void *', 'void *')
  const wait = call('MPI_Wait', 'void *', 'void *')
  const finalize = call('MPI_Finalize')
  const abortAll = call('MPI_Abort', 'void *', 'int')
  const world = library.symbol('ompi_mpi_comm_world') as bigint
  const double = library.symbol('ompi_mpi_double') as bigint
  const none = library.symbol('ompi_request_null') as bigint

  // one answer in whole numbers: rank, number of processors, whether a message is there
  const answer = new Int32Array(new ArrayBuffer(8))
  const answerAt = address(answer)
  const ask = (name: string): number => {
    call(name, 'void *', 'void *')(world, answerAt)
    return answer[0]
  }
  call('MPI_Init_thread', 'void *', 'void *', 'int', 'void *')(null, null, FUNNELED, answerAt)
  const rank = ask('MPI_Comm_rank')
  const processors = ask('MPI_Comm_size')
  const local = Number(process.env['OMPI_COMM_WORLD_LOCAL_SIZE'] ?? processors)
  const sharesCore = local > availableParallelism()

  const part = Math.min(capacity, LONGEST)
  const rings: (Ring | undefined)[] = Array.from({ length: processors }, () => undefined)
  const incoming = new Float64Array(new ArrayBuffer(8 * part))
  const status = new Int32Array(new ArrayBuffer(4 * STATUS_WORDS))
  const incomingAt = address(incoming)
  const statusAt = address(status)
  const napping = new Int32Array(new SharedArrayBuffer(4))
  let finished = false

  /** MPI looks for messages without a pause, and so would take the core from the processor that is to send one. */
  const waitAsleep = (from: number): void => {
    for (let looks = 0; ; looks++) {
      probe(from, TAG, world, answerAt, statusAt)
      if (answer[0] !== 0) return
      if (looks >= LOOKS) Atomics.wait(napping, 0, 0, NAP_MILLISECONDS)
    }
  }
  const abort = (code: number): void => {
    finished = true
    abortAll(world, code)
  }
  const say = (text: string): void => void writeSync(2, `limber: processor ${rank} of ${processors}: ${text}\n`)

  process.once('uncaughtExceptionMonitor', (error) => {
    // who listens may go on
    if (finished || process.listenerCount('uncaughtException') > 0) return
    say(`${error.stack ?? String(error)}\nall others are ended too`)
    abort(1)
  })
  process.once('exit', (code) => {
    if (finished) return
    say(`ended with exit code ${code} before the run was over; all others are ended too`)
    abort(code || 1)
  })

  const link: Link = {
    rank,
    processors,
    send(to, x, o, n) {
      const ring = (rings[to] ??= createRing(part, none, address))
      let done = 0
      do {
        const count = Math.min(n - done, part)
        const slot = ring.next
        wait(ring.requests[slot], null)
        const out = ring.slots[slot]
        for (let k = 0, at = o + done; k < count; k++) out[k] = x[at + k]
        send(ring.addresses[slot], count, double, to, TAG, world, ring.requests[slot])
        ring.next = (slot + 1) % SLOTS
        done += count
      } while (done < n)
    },
    arrived: () => true,
    receive(from, x, o, n) {
      let done = 0
      do {
        const count = Math.min(n - done, part)
        if (sharesCore) waitAsleep(from)
        receive(incomingAt, part, double, from, TAG, world, statusAt)
        if (status[BYTES] !== 8 * count) throw wrongLength(from, done + status[BYTES] / 8, n)
        for (let k = 0, at = o + done; k < count; k++) x[at + k] = incoming[k]
        done += count
      } while (done < n)
    },
    fail(why) {
      say(`${why}; all others are ended too`)
      abort(1)
    },
  }
  return {
    link,
    finish() {
      if (finished) return
      for (const ring of rings) ring?.requests.forEach((request) => wait(request, null))
      finished = true
      finalize()
    },
    abort,
  }
}

/** `none` is the request of no message, for which nothing has to be waited. */
function createRing(part: number, none: bigint, address: (memory: ArrayBufferView) => bigint): Ring {
  const slots = Array.from({ length: SLOTS }, () => new Float64Array(new ArrayBuffer(8 * part)))
  const handles = new BigInt64Array(new ArrayBuffer(8 * SLOTS)).fill(none)
  const requests = slots.map((_, k) => address(handles.subarray(k, k + 1)))
  return { slots, addresses: slots.map(address), requests, handles, next: 0 }
}

async function loadLibrary(): Promise<{ address: (memory: ArrayBufferView) => bigint; library: LibraryHandle }> {
  const { OMPI_COMM_WORLD_SIZE, PMIX_RANK } = process.env
  if (OMPI_COMM_WORLD_SIZE === undefined && PMIX_RANK === undefined)
    throw new Error('mpi: this program was not started by mpirun of Open MPI; start it as `mpirun -n 4 limber run … --parallel mpi`')
  let koffi: typeof import('koffi')
  try {
    koffi = await import('koffi')
  } catch {
    throw new Error('mpi: the package koffi, which calls MPI, is missing; install it: npm install koffi')
  }
  try {
    return { address: koffi.address, library: koffi.load(LIBRARY, { global: true }) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`mpi: the library of Open MPI cannot be loaded (${why}); install it: apt-get install openmpi-bin libopenmpi-dev`)
  }
}
