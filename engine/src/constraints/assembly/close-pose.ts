/**
 * Back onto the constraints from a pose near by, where the quick way has failed: Newton's method with rows of its own at every round, in the
 * metric of masses, then with every velocity alike; and near poses where rows vanish (a chain stretched to a line) the safeguarded descent of
 * `assemble`, which allocates, and only then.
 */
import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { updatePoses } from '../../tree/kinematics.js'
import { updateRows } from '../rows/rows.js'
import { assemble } from './assemble.js'
import { createProjection, projectPose } from './projection.js'

export interface PoseCloser {
  /** of the last call: empty, or what is wrong */
  trouble: string
  /** Moves q onto the constraints at the time t[0]; Data holds the poses there. */
  close(q: Vec, t: Vec): void
}

// m or rad: a pose with a wider gap is closed by other means, and with one wider than a file's numbers can tell it is open
const OPEN = 1e-8

/** `skip`: rows that are not looked at while they are 1. */
export function createPoseCloser(m: Model, d: Data, skip?: Int32Array): PoseCloser {
  const p = createProjection(m, true, skip)
  const { rows } = p
  const kept = new Float64Array(m.nq)
  const residual = new Float64Array(1)
  let worst = 0

  /** Reads q. Writes poses, rows, the largest residual and the row it belongs to. */
  const measure = (q: Vec, t: Vec): void => {
    updatePoses(m, d, q)
    updateRows(rows, m, d, q, t)
    let most = 0
    for (let r = 0; r < rows.count; r++) {
      if (p.skip[r] === 1 || Math.abs(rows.g[r]) <= most) continue
      most = Math.abs(rows.g[r])
      worst = r
    }
    residual[0] = most
  }

  const closer: PoseCloser = {
    trouble: '',
    close(q, t) {
      closer.trouble = ''
      kept.set(q)
      projectPose(p, m, d, q, t)
      measure(q, t)
      if (residual[0] < OPEN) return
      let spare = false
      for (let k = p.ldl.rank; k < rows.count; k++) spare ||= p.ldl.order[k] === worst
      const name = m.constraints.names[rows.source[worst]]
      q.set(kept)
      projectPose(p, m, d, q, t, true)
      measure(q, t)
      if (residual[0] < OPEN) return
      // never by a push: a pose far away is another motion
      q.set(kept)
      assemble(m, q, { t: t[0], pushes: false })
      measure(q, t)
      if (residual[0] <= p.tolerance) return
      closer.trouble = spare
        ? `constraint '${name}' contradicts the others: it cannot be met together with them; remove one of them`
        : `constraint '${name}' is open by ${residual[0]} m or rad after the step; take a smaller timestep, or check what pulls it apart`
    },
  }
  return closer
}
