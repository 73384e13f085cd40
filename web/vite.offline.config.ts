// Builds dist/offline.html, the page in one file; vite.config.ts runs first, and empties dist.
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
      // A slow machine is no reason for a warning at the first start.
      checks: { pluginTimings: false },
      // Nothing is loaded from another address.
      transform: { define: { 'import.meta': '{}' } },
      input: join(import.meta.dirname, 'src/main.tsx'),
      output: { format: 'iife', codeSplitting: false },
    },
  },
});
