// Makes profiles of a fictitious shop for a time range, with the types that the dashboards in
// deploy/grafana show.
import type { TypedStacks } from '../watched-server.ts';

const stepMillis = 15_000;
const serve =
  'net/http.(*conn).serve;net/http.serverHandler.ServeHTTP;shop/api.(*Router).ServeHTTP';
const checkout = `${serve};shop/cart.(*Handler).Checkout`;
const search = `${serve};shop/search.(*Handler).Find`;

/** Stacks of each type, with the value that each has in 15 seconds of one instance. */
const stacksOfTypes: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  'process_cpu:cpu:nanoseconds:cpu:nanoseconds': [
    [`${checkout};encoding/json.Marshal;encoding/json.structEncoder.encode`, 1.5e9],
    [`${checkout};shop/price.(*Engine).Total;shop/price.(*Engine).discount`, 2.1e9],
    [`${checkout};shop/price.(*Engine).Total;math/big.nat.mul`, 0.6e9],
    [`${checkout};database/sql.(*DB).QueryContext;github.com/lib/pq.(*conn).query`, 1.2e9],
    [`${search};shop/search.(*Index).match;regexp.(*Regexp).doExecute`, 1.8e9],
    [`${search};shop/search.(*Index).rank;sort.Slice`, 0.7e9],
    ['runtime.gcBgMarkWorker;runtime.gcDrain;runtime.scanobject', 1.1e9],
    ['runtime.mcall;runtime.schedule;runtime.findRunnable;runtime.futex', 0.4e9],
  ],
  'memory:alloc_space:bytes:space:bytes': [
    [`${checkout};encoding/json.Marshal`, 3e8],
    [`${checkout};shop/price.(*Engine).Total;math/big.nat.make`, 2e8],
    [`${search};shop/search.(*Index).match;regexp.(*Regexp).FindAll`, 4e8],
    [`${serve};net/http.(*Request).parse;bufio.NewReaderSize`, 0.8e8],
  ],
  'memory:inuse_space:bytes:space:bytes': [
    ['main.main;shop/search.LoadIndex;shop/search.(*Index).add', 2.6e8],
    [`${serve};bufio.NewReaderSize`, 0.3e8],
  ],
  'mutex:delay:nanoseconds:contentions:count': [
    [`${checkout};shop/price.(*Cache).Get;sync.(*Mutex).Unlock`, 0.9e9],
    [`${search};shop/search.(*Index).match;sync.(*RWMutex).RUnlock`, 0.3e9],
  ],
};

/** Instances of services, and the load of each. */
const instances: readonly (readonly [service: string, instance: string, load: number])[] = [
  ['checkout', 'checkout-a', 1],
  ['checkout', 'checkout-b', 0.8],
  ['search', 'search-a', 0.6],
  ['mail', 'mail-a', 0.15],
];

/** Service that is shown in the dashboard for a single service. */
export const shownService = 'checkout';

/** Lists the profiles between two times in milliseconds, one for every 15 seconds, by time. */
export function shopProfiles(start: number, end: number): TypedStacks[] {
  const profiles: TypedStacks[] = [];
  for (let timeMillis = start; timeMillis < end; timeMillis += stepMillis) {
    for (const [service, instance, load] of instances) {
      for (const [type, stacks] of Object.entries(stacksOfTypes)) {
        const scaled = stacks.map(([stack, value]): [string, number] => [
          stack,
          value * load * wave(timeMillis, stack.length + instance.length),
        ]);
        const labels = { service_name: service, instance };
        profiles.push({ type, labels, timeMillis, seconds: stepMillis / 1_000, stacks: scaled });
      }
    }
  }
  return profiles;
}

/** Returns the value of a slow wave around 1 at a time. */
function wave(timeMillis: number, phase: number): number {
  return 1 + 0.3 * Math.sin(timeMillis / 200_000 + phase);
}
