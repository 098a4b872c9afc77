/** A force that fails in the threads of the tests, but not in the first one, after some time. */
import { workerData } from 'node:worker_threads'

const other = workerData?.start?.rank > 0
export const forces = [
  {
    name: 'wind',
    apply(_model, _data, state) {
      if (other && state.t > 0.02) throw new Error('the wind broke it')
    },
  },
]
