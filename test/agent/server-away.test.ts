// Tests an agent whose server is away for some seconds; full/ tests a minute.
import { testAway } from './check-away.ts';

testAway({ cpuSeconds: 6, awaySeconds: 2, kills: 1 });
