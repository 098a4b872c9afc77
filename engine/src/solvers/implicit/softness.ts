/** Constants of a row's softness from `solref` and `solimp`, for `softness.kernel`. */
import { pow } from '../../math/own.js'
import type { Vec } from '../../math/types.js'

// MuJoCo's bounds of an impedance and of a midpoint
const MIN_IMPEDANCE = 1e-4
const MAX_IMPEDANCE = 0.9999
const bounded = (x: number): number => Math.min(MAX_IMPEDANCE, Math.max(MIN_IMPEDANCE, x))

/** solimp of hard rows (solref 0 0): the impedance that single precision still resolves, from the first depth on */
const HARD = Float64Array.of(0.99, 0.99, 0.001, 0.5, 2)

/** Numbers of `Softness` at a step of h, with inverse inertia w of the row. */
export function softnessOf(solref: Vec, i: number, solimp: Vec, j: number, h: number, w: number): number[] {
  const isHard = solref[i] === 0 && solref[i + 1] === 0
  const imp = isHard ? HARD : solimp.subarray(j, j + 5)
  const [low, high] = [bounded(imp[0]), bounded(imp[1])]
  const middle = bounded(imp[3])
  const power = Math.max(1, imp[4])
  const time = isHard ? 2 * h : Math.max(solref[i], 2 * h)
  const ratio = isHard ? 1 : solref[i + 1]
  const isStandard = isHard || solref[i] > 0
  const k = isStandard ? 1 / (high * high * time * time * ratio * ratio) : -solref[i] / (high * high)
  const b = isStandard ? 2 / (high * time) : -solref[i + 1] / high
  const perWidth = 1 / Math.max(1e-15, imp[2])
  return [low, high - low, perWidth, middle, 1 / pow(middle, power - 1), 1 / pow(1 - middle, power - 1), power, k, b, w]
}

/** place of the power in these numbers */
export const POWER = 6
