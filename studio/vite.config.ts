import { defineConfig } from 'vite'

const headers = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }

export default defineConfig({
  // relative addresses: the built page also works from any folder of a static host
  base: './',
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 1500,
    // the studio, and the gallery's page of many chains
    rolldownOptions: { input: ['index.html', 'many.html'] },
  },
  worker: { format: 'es' },
  server: { host: '127.0.0.1', headers },
  preview: { host: '127.0.0.1', headers },
})
