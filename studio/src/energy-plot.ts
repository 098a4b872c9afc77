/**
 * Kinetic, potential and total energy over the last seconds, as three lines.
 */
const span = 10
const most = 1200
const names = ['--kinetic', '--potential', '--total']

export interface EnergyPlot {
  clear(): void
  add(t: number, kinetic: number, potential: number): void
  draw(): void
}

export function createEnergyPlot(canvas: HTMLCanvasElement): EnergyPlot {
  const context = canvas.getContext('2d')
  let points: (readonly [number, number, number, number])[] = []
  return {
    clear() {
      points = []
    },
    add(t, kinetic, potential) {
      const last = points.at(-1)?.[0] ?? -1
      if (t <= last) return
      points.push([t, kinetic, potential, kinetic + potential])
      while (points.length > most || t - (points[0]?.[0] ?? t) > span) points.shift()
    },
    draw() {
      if (!context) return
      const { width, height } = fit(canvas)
      context.clearRect(0, 0, width, height)
      const end = Math.max(points.at(-1)?.[0] ?? 0, points[0]?.[0] ?? 0)
      const start = end - span
      let low = Infinity
      let high = -Infinity
      for (const point of points) {
        low = Math.min(low, point[1], point[2], point[3])
        high = Math.max(high, point[1], point[2], point[3])
      }
      if (!(high > low)) return
      const style = getComputedStyle(canvas)
      const pad = 3 * devicePixelRatio
      context.lineWidth = 1.5 * devicePixelRatio
      names.forEach((name, k) => {
        context.strokeStyle = style.getPropertyValue(name)
        context.beginPath()
        for (const point of points) {
          const y = height - pad - ((point[k + 1] ?? 0) - low) * ((height - 2 * pad) / (high - low))
          context.lineTo(((point[0] - start) / span) * width, y)
        }
        context.stroke()
      })
    },
  }
}

function fit(canvas: HTMLCanvasElement): { width: number; height: number } {
  const width = Math.round(canvas.clientWidth * devicePixelRatio)
  const height = Math.round(canvas.clientHeight * devicePixelRatio)
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
  return { width, height }
}
