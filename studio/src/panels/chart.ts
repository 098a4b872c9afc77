/**
 * One plot over time, by uPlot, in the colours of the page.
 */
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

export interface Series {
  readonly label: string
  readonly color: string
}

export interface Chart {
  /** times, then one column a series */
  setData(columns: readonly Float64Array[]): void
  picture(): Promise<Blob>
  destroy(): void
}

/** between numbers on an axis: what diverges goes beyond the library's own, and would have none */
const steps = Array.from({ length: 340 }, (_, k) => k - 30)
  .flatMap((power) => [1, 2, 2.5, 5].map((digit) => Number(`${digit}e${power}`)))
  .filter(Number.isFinite)

export function createChart(host: HTMLElement, options: { title: string; log: boolean; series: readonly Series[] }): Chart {
  const style = getComputedStyle(document.body)
  const stroke = style.getPropertyValue('--quiet-plain') || style.color
  const grid = { stroke: 'rgb(128 128 128 / 22%)', width: 1 }
  const axis = { stroke, grid, ticks: grid, font: '11px system-ui' }
  const plot = new UPlot(
    {
      title: options.title,
      width: Math.max(120, host.clientWidth),
      height: 190,
      legend: { live: true },
      cursor: { drag: { x: true, y: false } },
      scales: { x: { time: false }, y: options.log ? { distr: 3 } : {} },
      axes: [
        { ...axis, size: 28 },
        {
          ...axis,
          size: 58,
          ...(options.log ? {} : { incrs: steps }),
          values: (_: unknown, ticks: readonly (number | null)[], __: unknown, ___: unknown, step: number) =>
            ticks.map((tick) => (options.log ? shortNumber(tick) : tickNumber(tick, step))),
        },
      ],
      series: [
        { label: 't', value: (_, x) => (x === null ? '–' : `${x.toFixed(3)} s`) },
        ...options.series.map(({ label, color }) => ({
          label,
          stroke: color,
          width: 1.5,
          points: { show: false },
          value: (_: unknown, y: number | null) => shortNumber(y),
        })),
      ],
    },
    [[], ...options.series.map(() => [])],
    host,
  )
  const observer = new ResizeObserver(() => plot.setSize({ width: Math.max(120, host.clientWidth), height: 190 }))
  observer.observe(host)
  return {
    setData(columns) {
      // a logarithm has no zero, and gaps are drawn as gaps
      const clean = columns.map((column, k) =>
        k === 0 ? column : Array.from(column, (y) => (Number.isFinite(y) && !(options.log && y <= 0) ? y : null)),
      )
      plot.setData(clean as UPlot.AlignedData)
    },
    picture: () =>
      new Promise((resolve, reject) => {
        const { canvas } = plot.ctx
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser made no picture'))))
      }),
    destroy() {
      observer.disconnect()
      plot.destroy()
    },
  }
}

/** As many digits as tell one tick from the next. */
function tickNumber(x: number | null, step: number): string {
  if (x === null || !(step < 1e4 && step > 1e-6) || Math.abs(x) >= 1e5) return shortNumber(x)
  // 2.5 has a digit more than its power of ten
  const places = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9) + (step.toExponential().startsWith('2.5') ? 1 : 0))
  return String(Number(x.toFixed(places)))
}

function shortNumber(x: number | null): string {
  if (x === null) return '–'
  if (x === 0) return '0'
  const size = Math.abs(x)
  return size >= 1e5 || size < 1e-3 ? x.toExponential(1).replace('e+', 'e') : String(Number(x.toPrecision(4)))
}
