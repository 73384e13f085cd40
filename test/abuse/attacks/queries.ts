// Attacks with queries that are valid but costly, for the profiles that every server has.
import type { Attack } from '../attack.ts';
import { makeGzippedPprof } from '../bodies/pprof.ts';
import { flood, open, send, shooting, type Shot } from '../client.ts';
import { filledQuery } from '../fill.ts';

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** Makes a GET request with these parameters. */
function get(path: string, fields: Fields): Shot {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of typeof value === 'string' ? [value] : value) query.append(name, one);
  }
  return { path: `${path}?${query}` };
}

const hour = 3_600_000;

/** Returns a time range that no earlier query used, so that no cache can answer it. */
function range(i: number): { readonly start: string; readonly end: string } {
  const start = new Date(Date.now() - 2 * hour - (i % 3_000) * 7);
  return { start: start.toISOString(), end: new Date(Date.now() + hour).toISOString() };
}

/** Makes a request for a report of a merge. */
export function merge(i: number, report: string, fields: Fields = {}, query = filledQuery): Shot {
  const { start, end } = range(i);
  return get('/api/profiles/query', {
    mode: 'MODE_MERGE',
    report_type: `REPORT_TYPE_${report}`,
    'merge.query': query,
    'merge.start': start,
    'merge.end': end,
    ...fields,
  });
}

function diff(i: number, report: string): Shot {
  const fields: Record<string, string> = {
    mode: 'MODE_DIFF',
    report_type: `REPORT_TYPE_${report}`,
  };
  for (const [at, side] of ['a', 'b'].entries()) {
    const { start, end } = range(2 * i + at);
    fields[`diff.${side}.mode`] = 'MODE_MERGE';
    fields[`diff.${side}.merge.query`] = filledQuery;
    fields[`diff.${side}.merge.start`] = start;
    fields[`diff.${side}.merge.end`] = end;
  }
  return get('/api/profiles/query', fields);
}

/** Asks in a loop. */
function asking(
  name: string,
  door: 'parca' | 'own',
  atOnce: number,
  shotOf: (i: number) => Shot,
): Attack {
  return {
    name,
    door,
    prepare: async (target) => shooting(target, atOnce, shotOf),
  };
}

const reports = ['FLAMEGRAPH_ARROW', 'TOP', 'CALLGRAPH', 'TABLE_ARROW', 'PPROF'];
const exportQuery = (i: number, format: string): Shot => {
  return get('/api/v1/export', { query: filledQuery, ...range(i), format });
};

export const queryAttacks: readonly Attack[] = [
  asking('merges', 'parca', 64, (i) => merge(i, reports[i % reports.length])),
  asking('merges-of-one-kind', 'parca', 128, (i) => merge(i, 'FLAMEGRAPH_ARROW')),
  asking('nested-reports', 'parca', 32, (i) => merge(i, 'FLAMEGRAPH_TABLE')),
  asking('diffs', 'parca', 32, (i) => diff(i, reports[i % 4])),
  asking('inverted-sandwiches', 'own', 32, (i) =>
    merge(i, 'FLAMEGRAPH_ARROW', {
      invert_call_stack: 'true',
      sandwich_by_function: `fn_fill${i % 6}_${i % 200}`,
      root_trim_threshold: '0',
    }),
  ),
  asking('patterns-over-names', 'own', 32, (i) =>
    merge(i, 'TOP', {
      'search.mode': 'MODE_REGEX',
      'search.text': `(f|n|_|fn)*(${'[a-z_0-9]?'.repeat(30)})${i}$`,
    }),
  ),
  asking('grouped-profiles', 'own', 16, (i) =>
    merge(i, 'PPROF', { 'group_by.fields': ['labels.pod', 'labels.service', 'function_name'] }),
  ),
  asking('ranges-with-tiny-steps', 'parca', 64, (i) => {
    return get('/api/profiles/query_range', { query: filledQuery, ...range(i), step: '0.001s' });
  }),
  asking('ranges-by-label', 'parca', 64, (i) =>
    get('/api/profiles/query_range', {
      query: filledQuery,
      ...range(i),
      step: `${1 + (i % 5)}s`,
      sum_by: ['pod', 'service'],
      limit: '0',
    }),
  ),
  asking('flame-charts', 'own', 16, (i) => merge(i, 'FLAMECHART', { root_trim_threshold: '0' })),
  asking('functions-over-time', 'own', 16, (i) =>
    get('/api/v1/functions', { query: filledQuery, ...range(i), step: '12s', top: '31' }),
  ),
  asking('users', 'own', 16, (i) =>
    get('/api/v1/users', {
      query: filledQuery,
      ...range(i),
      pattern: '(a|b|.*)+x',
      limit: '1000',
    }),
  ),
  asking('changes', 'own', 16, (i) =>
    get('/api/v1/changes', { query: filledQuery, ...range(i), limit: '10000' }),
  ),
  asking('pictures', 'own', 16, (i) =>
    get('/api/v1/picture', { query: filledQuery, ...range(i), title: 'x'.repeat(1_000 + i) }),
  ),
  asking('exports', 'own', 32, (i) =>
    exportQuery(i, ['pprof', 'collapsed', 'speedscope', 'firefox'][i % 4]),
  ),
  asking('exports-of-text', 'own', 64, (i) => exportQuery(i, 'collapsed')),
  asking('renders', 'own', 32, (i) =>
    get(i % 2 ? '/pyroscope/render' : '/render', {
      query: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds{job="shop"}',
      from: `now-${60 + (i % 500)}m`,
      until: 'now',
      'max-nodes': '100000',
      format: i % 3 ? 'json' : 'dot',
    }),
  ),
  asking('long-queries', 'own', 32, (i) =>
    merge(
      i,
      'TOP',
      {},
      `${filledQuery}${' | hide "x.*y"'.repeat(60)} | focus "${'a?'.repeat(400)}"`,
    ),
  ),
  asking('broken-queries', 'parca', 64, (i) => merge(i, 'TOP', {}, `${'({'.repeat(14_000)}${i}`)),
  asking('long-urls', 'own', 32, (i) =>
    get('/api/profiles/query', {
      'merge.query': 'x',
      zoom_path: Array.from({ length: 6_000 }, () => `${i}`),
    }),
  ),
  asking('has-profile-data', 'own', 64, () => ({ path: '/api/profiles/has_profile_data' })),
  asking('lists-of-queries', 'own', 64, (i) =>
    i % 2 ? merge(i, 'TOP') : { path: '/api/v1/queries' },
  ),
  {
    name: 'abandoned-questions',
    door: 'parca',
    prepare: async (target) => (signal) =>
      flood(signal, 32, async (i) => {
        const gone = new AbortController();
        const timer = setTimeout(() => gone.abort(), 5 + (i % 60));
        await send(target, i % 2 ? merge(i, 'FLAMEGRAPH_ARROW') : diff(i, 'TOP'), gone.signal);
        clearTimeout(timer);
      }),
  },
  {
    name: 'slow-readers',
    door: 'own',
    // Reads only the headers of responses that are megabytes long.
    prepare: async (target) => async (signal) =>
      flood(signal, 300, async (i) => {
        const shot = exportQuery(i, 'collapsed');
        const answer = await open(target, shot, signal).catch(() => undefined);
        answer?.on('error', () => undefined).pause();
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, 5_000);
          signal.addEventListener('abort', () => (clearTimeout(timer), resolve(undefined)), {
            once: true,
          });
        });
        answer?.destroy();
      }),
  },
  {
    name: 'question-about-a-large-profile',
    door: 'own',
    prepare: async (target) => {
      const shape = { samples: 200_000, depth: 40, functions: 60_000, salt: 'large' };
      const body = makeGzippedPprof(shape);
      await send(target, { path: '/api/v1/push?job=large', body });
      return shooting(target, 32, (i) =>
        merge(
          i,
          reports[i % reports.length],
          { root_trim_threshold: '0' },
          'process_cpu{job="large"}',
        ),
      );
    },
  },
];
