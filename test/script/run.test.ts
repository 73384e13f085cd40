// Runs every script of this folder on the real write path, store and query engine, three times: as
// it is written; with the store closed and opened again before the questions; and with that done
// after every load, so that each lies in a part of its own, decoded by ingest workers.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, test, type TestContext } from 'node:test';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { errorCode, errorMessage } from '../../src/base/errors.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { seededRandom } from '../../src/base/random.ts';
import { DecodePool } from '../../src/ingest/decode-pool.ts';
import { createIngester } from '../../src/ingest/ingester.ts';
import { createQueryEngine } from '../../src/query/engine.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import type { Storage } from '../../src/storage/interface.ts';
import { encodeLoad } from './encode-load.ts';
import { evaluate, type Answer, type AnswerRow } from './evaluate.ts';
import { parseScript, type EvalCommand, type LoadCommand } from './parse-script.ts';

/** When profiles without a time arrive. */
const arrivalMillis = 1_000_000;

const services = { metrics: noMetrics, logger: silentLogger };
const workers = new DecodePool({ ...services, size: 2, random: seededRandom(3) });
after(() => workers.close());

const modes = ['live', 'replayed', 'in parts'] as const;
type Mode = (typeof modes)[number];

for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test'))) {
  for (const mode of modes) {
    test(`${file}, ${mode}`, (context) => runScript(context, file, mode));
  }
}

async function runScript(context: TestContext, file: string, mode: Mode): Promise<void> {
  const commands = parseScript(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'));
  let store = new Store(mode);
  let isWritten = false;
  for (const command of commands) {
    if (command.kind === 'clear') {
      await store.close();
      store = new Store(mode);
    } else if (command.kind === 'load') {
      await load(store, command, file);
      isWritten = true;
      if (mode === 'in parts') await store.close();
    } else {
      if (isWritten && mode === 'replayed') await store.close();
      isWritten = false;
      const place = `${file}:${command.line}`;
      await context.test(`${place} ${command.what} ${command.query}`, () => check(store, command));
    }
  }
  await store.close();
}

/** A store in memory, opened when it is needed. */
class Store {
  readonly #random = seededRandom(7);
  readonly #files = new MemoryFiles(this.#random);
  readonly #shared = { ...services, clock: createFakeClock(arrivalMillis) };
  readonly #mode: Mode;
  #storage: Storage | undefined;

  constructor(mode: Mode) {
    this.#mode = mode;
  }

  async open(): Promise<Storage> {
    const files = this.#files;
    const random = this.#random;
    const shared = this.#shared;
    this.#storage ??= await openStore({ path: '/data', files, random, ...shared });
    return this.#storage;
  }

  async close(): Promise<void> {
    await this.#storage?.close();
    this.#storage = undefined;
  }

  async ingester() {
    return createIngester({
      ...this.#shared,
      storage: await this.open(),
      decoder: this.#mode === 'in parts' ? workers : undefined,
    });
  }

  async engine() {
    const { querier } = await this.open();
    return createQueryEngine({ querier, ...this.#shared });
  }
}

async function load(store: Store, command: LoadCommand, file: string): Promise<void> {
  const labels = command.labels.map(({ name, text }) => ({ name, value: text }));
  const upload = {
    labels: [{ name: '__name__', value: command.name }, ...labels],
    profile: encodeLoad(command),
  };
  const ingester = await store.ingester();
  const error = await errorOf(() => ingester.write([upload]));
  assert.equal(error, command.error, `load of ${file}:${command.line}`);
}

async function check(store: Store, command: EvalCommand): Promise<void> {
  const engine = await store.engine();
  if (command.kind === 'eval_fail') {
    const error = await errorOf(() => evaluate(engine, command));
    assert.equal(error, command.expected.join('\n'));
    return;
  }
  const answer = await evaluate(engine, command);
  const expected = command.expected.filter((line) => !line.startsWith('='));
  assert.deepEqual(rowsLike(answer, expected), answer.isOrdered ? expected : expected.toSorted());
  for (const line of command.expected.filter((text) => text.startsWith('='))) {
    assert.equal(withFacts({ text: '=', facts: answer.facts }, line), line);
  }
}

/** "code text" of what was thrown, "" for nothing. */
async function errorOf(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return '';
  } catch (error) {
    return `${errorCode(error)} ${errorMessage(error)}`;
  }
}

/** The rows of an answer, each with the facts that the expected row of the same text names. */
function rowsLike({ rows, isOrdered }: Answer, expected: readonly string[]): string[] {
  const unused = [...expected];
  const lines = rows.map((row) => {
    const at = unused.findIndex((line) => textOf(line) === row.text);
    return at === -1 ? row.text : withFacts(row, unused.splice(at, 1)[0]);
  });
  return isOrdered ? lines : lines.sort();
}

const trailingFacts = /(?: [a-z_]+=\S*)+$/;

function textOf(line: string): string {
  return line.replace(trailingFacts, '');
}

function withFacts({ text, facts }: AnswerRow, line: string): string {
  const names = [...line.slice(textOf(line).length).matchAll(/ ([a-z_]+)=/g)].map(
    ([, name]) => name,
  );
  return [text, ...names.map((name) => `${name}=${String(facts[name])}`)].join(' ');
}
