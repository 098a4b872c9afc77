import { it } from 'vitest'
import { buildModel } from '../../build/build-model.js'
import { createSimulation } from '../../create-simulation.js'
const spec = (links: number): any => ({ gravity: [0,0,-9.81], timestep: 0.001, bodies: Array.from({length: links}, (_, k) => ({ name: `l${k+1}`, ...(k>0?{parent:`l${k}`}:{}), position: [k>0?1:0,0,0], inertia: { mass: 1, com: [0.5,0,0], tensor: [0.01,0.09,0.09,0,0,0]}, joints: [{type:'revolute', axis: [0, k%2, 1-k%2], damping: 0.5}] })) })
it('bench', () => {
  for (const n of [1000, 20000]) {
    const model = buildModel(spec(n))
    let t0 = performance.now()
    const full = createSimulation(model, { solver: 'ode', method: 'semi-implicit' })
    full.step(3)
    const time = (sim: any, steps: number) => { let best = 1e9; for (let r = 0; r < 5; r++) { const t = performance.now(); sim.step(steps); best = Math.min(best, (performance.now() - t) / steps) } return best }
    const base = time(full, n > 5000 ? 5 : 40)
    console.log(n, 'full', (base*1e3).toFixed(1), 'us per step', (base*1e6/n).toFixed(0), 'ns/body')
    for (const share of [0.01, 0.05, 0.1, 0.2, 0.5, 1]) for (const every of [1, 8, 16]) {
      t0 = performance.now()
      const sim = createSimulation(model, { solver: 'adaptive', budget: Math.round(share*n), every })
      sim.step(every*2)
      const made = performance.now() - t0
      const t = time(sim, Math.max(every, n > 5000 ? 16 : 32))
      const r: any = sim.report
      console.log(n, share, 'every', every, 'us', (t*1e3).toFixed(1), 'ratio', (base/t).toFixed(2), 'active', r.active, 'touched', r.touched, 'neglected', r.neglected.toFixed(2), 'made ms', made.toFixed(0), r.status, 'mem kB/body', ((sim as any), 0))
    }
  }
}, 600000)
