// Some seconds without a server; full/ has a minute of it.
import { testAway } from './check-away.ts';

testAway({ cpuSeconds: 6, awaySeconds: 2, kills: 1 });
