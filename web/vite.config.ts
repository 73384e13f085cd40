// Builds the UI to dist/ and prints the size of the first load.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { firstLoadFiles } from './build/first-load.ts';
import { inBrowser } from './build/in-browser.ts';

const dist = join(import.meta.dirname, 'dist');

/** Prints the number of bytes that a visitor downloads before the first graph, after each build. */
function reportFirstLoad(): Plugin {
  return {
    name: 'report-first-load',
    apply: 'build',
    closeBundle() {
      const files = firstLoadFiles(readFileSync(join(dist, 'index.html'), 'utf8'), (name) =>
        readdirSync(join(dist, name)),
      );
      const sizes = files.map((file) => gzipSync(readFileSync(join(dist, file))).length);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      this.info(`first load: ${(total / 1024).toFixed(1)} KiB gzipped in ${files.length} files`);
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), reportFirstLoad()],
  worker: { format: 'es', plugins: () => [inBrowser()] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2024',
    chunkSizeWarningLimit: 600,
    // Browsers that support this target support modulepreload, too.
    modulePreload: { polyfill: false },
    // Puts modules that all visits need into a single file: 154 kB before the first graph, instead
    // of 174 kB in 24 files.
    rolldownOptions: {
      // Disables warnings about a slow build.
      checks: { pluginTimings: false },
      output: { codeSplitting: { groups: [{ name: 'first', test: /src\/main\.tsx$/ }] } },
    },
  },
  server: {
    proxy: { '/api': process.env['PARCA_ADDRESS'] ?? 'http://127.0.0.1:7070' },
  },
});
