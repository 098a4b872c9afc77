/**
 * `limber reproduce gear`: T. Jung, An Algorithm with Logarithmic Time Complexity for Interactive Simulation of Hierarchically
 * Articulated Bodies, part II: which solver needs the fewest evaluations of the forward dynamics.
 */
import { type Block, type Reproduction, type ReproductionOptions, table, text } from '../report/report.js'
import { measureLinearCost } from './gear-linear-cost.js'
import { measurePrecision } from './gear-precision.js'
import { bestRuns, type SessionResult } from './gear-results.js'
import { createSubject, mobileSpec, runMethod, SECONDS, UNSTABLE } from './gear-runs.js'
import { measureScatter } from './gear-scatter.js'
import { tryReadings } from './gear-session-b.js'
import { columns, type SessionTable, sessions } from './gear-tables.js'
import { sessionBlocks, verdicts } from './gear-verdicts.js'

const TOLERANCES = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6]

export function reproduceGear({ quick = false, progress = () => {} }: ReproductionOptions = {}): Reproduction {
  const results: SessionResult[] = []
  for (const session of sessions) {
    results.push(runSession(session, session.name, session.title, {}, quick, progress))
    if (session.name === 'B') results.push(runSession(session, 'B*', `${session.title}, read with p = 0.3`, { p: 0.3 }, quick, progress))
  }
  const scatter = measureScatter(quick, progress)
  const readings = tryReadings(quick, progress)
  const precision = measurePrecision(quick, progress)
  const cost = measureLinearCost(quick, progress)
  const checks = verdicts(results)
  return {
    report: {
      title: 'Solvers for hierarchically articulated bodies',
      summary: `T. Jung's comparison of six solvers (Tables IV to VII) on his mobiles${quick ? ', short version' : ''}. Evaluations are counted in the force function, rejected steps included, and given per simulated second.`,
      sections: [
        { title: 'How it was run', blocks: conditions(quick) },
        { title: 'What holds', blocks: [...checks.blocks, ...scatter.blocks] },
        ...results.map((result) => ({ title: result.title, blocks: sessionBlocks(result) })),
        { title: 'The riddle of session B', blocks: readings.blocks },
        { title: 'Work against precision', blocks: [text(PRECISION), ...precision.blocks] },
        { title: 'A stiff solver with linear cost', blocks: cost.blocks },
      ],
    },
    data: {
      paper: 'gear',
      quick,
      sessions: results.map(({ name, rows }) => ({
        name,
        rows: rows.map(({ row, runs, plain }) => ({ label: row.label, paper: row.paper, runs, plain, best: bestRuns(runs) })),
      })),
      verdicts: checks.data,
      scatter: scatter.results,
      sessionB: readings.results,
      sessionBRadii: readings.radii,
      precision: precision.points,
      cost: cost.points,
    },
  }
}

const PRECISION =
  'Each point is one run; tolerances fall by ten from 1e-2 at the upper end. The reference was computed to 1e-12. On the damped mobile the explicit methods are bound by stability: ' +
  'they spend the same evaluations whatever the tolerance.'

function runSession(
  session: SessionTable,
  name: string,
  title: string,
  change: Readonly<Record<string, number>>,
  quick: boolean,
  progress: (text: string) => void,
): SessionResult {
  const last = session.rows.length - 1
  const rows = session.rows.filter((_, k) => !quick || k === 0 || k === last)
  const tolerances = quick ? TOLERANCES.slice(0, 3) : TOLERANCES
  return {
    session,
    name,
    title,
    rows: rows.map((row) => {
      progress(`session ${name}: ${session.varies} ${row.label}`)
      const values = { ...row.values, ...change }
      const stiff = Number(values.damping ?? 0) > 0
      const subject = createSubject(mobileSpec(values), mobileSpec({ ...values, elongation: 0 }), stiff, quick ? 1 : SECONDS)
      const runs = columns.flatMap((method) => tolerances.map((tolerance) => runMethod(subject, method, tolerance)))
      const plain = tolerances.map((tolerance) => runMethod(subject, 'gear', tolerance, { corrector: 'plain' }))
      return { session: name, row, runs, plain }
    }),
  }
}

function conditions(quick: boolean): Block[] {
  return [
    text(
      `Every mobile swings for ${quick ? 1 : SECONDS} s from its start elongation (0.8 rad but in session C) of the topmost joint, under 9.81 m/s². Each method runs with the tolerances ` +
        `1e-2 to ${quick ? '1e-4' : '1e-6'}, relative and absolute alike; the run with the fewest evaluations counts, as in the paper, with its tolerance and true error beside it. ` +
        `A run is unstable, and removed, if it stops or if at any of 25 frames a second its energy has risen by more than ${100 * UNSTABLE} % of what the start lies above rest: nothing in a mobile can raise it. ` +
        'The true error is the root mean square over the joints against a run to 1e-12.',
    ),
    text(
      'Bodies have the mass that their shape has (the paper prints a mass larger by half), and damping is −k q̇ (printed −k q). "gear" evaluates the forces once a step and corrects positions before and after that, ' +
        'with the velocities known then, which costs no evaluation; "gear, plain" is the iteration of the paper, in which both see the prediction. RKI of the paper is rk3, RKF is rkf45.',
    ),
    table(
      'Methods',
      ['method', 'order', 'error control', 'evaluations a step'],
      [
        ['iec', '2', 'step doubling', '6'],
        ['rk3', '3', 'embedded, order 2', '3'],
        ['rkg', '4', 'step doubling', '12'],
        ['rkf45', '5', 'embedded, order 4', '6'],
        ['gear', '1 to 12', 'predictor and corrector', '1'],
        ['bdf', '1 to 5', 'predictor and corrector', '1 or more'],
      ],
    ),
  ]
}
