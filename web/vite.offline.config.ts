// Builds dist/offline.html, the page in a single file. vite.config.ts must run first, because it
// empties dist.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { oneFile } from './build/one-file.ts';

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [react(), oneFile()],
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: 'es2024',
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 4_000,
    rolldownOptions: {
      // Disables warnings about a slow build.
      checks: { pluginTimings: false },
      // Nothing is loaded from other URLs.
      transform: { define: { 'import.meta': '{}' } },
      input: join(import.meta.dirname, 'src/main.tsx'),
      output: { format: 'iife', codeSplitting: false },
    },
  },
});
