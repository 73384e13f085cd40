// Tests some seconds without a server; full/ has a test of a minute.
import { testAway } from './check-away.ts';

testAway({ cpuSeconds: 6, awaySeconds: 2, kills: 1 });
