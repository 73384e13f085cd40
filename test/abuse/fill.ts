// Fills a server before it is attacked: profiles of ten services.
import type { Target } from './attack.ts';
import { gzippedPprofOf, ordinaryShape } from './bodies/pprof.ts';
import { seriesOf, writeRawJson } from './bodies/write-raw.ts';
import { ask } from './client.ts';

/** Selects all of it. */
export const filledQuery = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="shop"}';

/** Pushes `rounds` profiles of each of 40 series, by Parca's API. */
export async function fill(target: Target, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const timeMillis = Date.now() - round * 60_000;
    for (let service = 0; service < 10; service += 1) {
      const profile = gzippedPprofOf(ordinaryShape(`fill${service % 6}`, timeMillis));
      const labelsOf = (pod: number): Record<string, string> => ({
        job: 'shop',
        service: `s${service}`,
        pod: `pod-${service}-${pod}`,
      });
      await ask(target, {
        path: '/api/profiles/writeraw',
        headers: { 'content-type': 'application/json' },
        body: writeRawJson(seriesOf(4, profile, labelsOf)),
      });
    }
  }
}
