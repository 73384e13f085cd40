// Runs every script of test/script on the newest ClickHouse engine.
import { after, before, test } from 'node:test';
import type { Storage } from '../../src/storage/interface.ts';
import { runScript, scripts, type ScriptStore } from '../script/run-script.ts';
import { openEmptyStore, startChdb } from '../support/clickhouse.ts';

let chdb: Awaited<ReturnType<typeof startChdb>>;
before(async () => {
  chdb = await startChdb();
});
after(() => chdb.remove());

/** Creates a store in a new database. */
function newStore(): ScriptStore {
  let storage: Promise<Storage> | undefined;
  return {
    open: () => (storage ??= openEmptyStore(chdb.url)),
    close: async () => (await storage)?.close(),
  };
}

for (const file of scripts) {
  test(file, (context) => runScript(context, file, newStore, { closes: 'never' }));
}
