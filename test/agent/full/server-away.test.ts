// Tests a minute without a server, and many kills.
import { testAway } from '../check-away.ts';

testAway({ cpuSeconds: 70, awaySeconds: 60, kills: 10 });
