// Makes config files with huge numbers of targets, which Prometheus can read, too.
import { join } from 'node:path';

/** Makes a config file with targets that do not exist, scraped once an hour. */
export function manyTargets(count: number): string {
  const targets = Array.from({ length: count }, (_, i) => `'127.0.${i >> 8}.${i & 255}:1'`);
  return (
    'scrape_configs:\n  - job_name: many\n    scrape_interval: 1h\n    scrape_timeout: 10s\n' +
    `    static_configs:\n      - targets: [${targets.join(',')}]\n`
  );
}

/** Makes a config file with the targets that the file `targets.json` lists. */
export function listedTargets(folder: string): string {
  return (
    'scrape_configs:\n  - job_name: listed\n    scrape_interval: 1s\n    scrape_timeout: 1s\n' +
    `    file_sd_configs:\n      - files: [${join(folder, 'targets.json')}]\n`
  );
}
