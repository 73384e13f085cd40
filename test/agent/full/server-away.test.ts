// Tests an agent whose server is away for a minute and is killed many times.
import { testAway } from '../check-away.ts';

testAway({ cpuSeconds: 70, awaySeconds: 60, kills: 10 });
