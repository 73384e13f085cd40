// Runs a script on the real write path and query engine, with a store from the caller.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { errorCode, errorMessage } from '../../src/base/errors.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import type { Decoder } from '../../src/ingest/decoder.ts';
import { createIngester } from '../../src/ingest/ingester.ts';
import { createQueryEngine } from '../../src/query/engine/engine.ts';
import type { Storage } from '../../src/storage/interface.ts';
import { encodeLoad } from './encode-load.ts';
import { evaluate, type Answer, type AnswerRow } from './evaluate.ts';
import { parseScript, type EvalCommand, type LoadCommand } from './parse-script.ts';

/** Arrival time of profiles without a time, in milliseconds. */
const arrivalMillis = 1_000_000;

/** Names of all scripts. */
export const scripts: readonly string[] = readdirSync(import.meta.dirname).filter((name) =>
  name.endsWith('.test'),
);

/** Clock, logger and metrics that all parts of a script use. */
export const scriptMachine = {
  metrics: noMetrics,
  logger: silentLogger,
  clock: createFakeClock(arrivalMillis),
};

/**
 * A store for a script, which is opened when it is needed. It keeps its profiles when it is closed.
 */
export interface ScriptStore {
  open(): Promise<Storage>;
  close(): Promise<void>;
}

export interface ScriptMode {
  /** Moments at which the store is closed and opened again. */
  readonly closes: 'never' | 'before questions' | 'after loads';
  /** Decoder of uploads; by default one that runs in this thread. */
  readonly decoder?: Decoder | undefined;
}

/** Runs all commands of a script; `newStore` returns an empty store. */
export async function runScript(
  context: TestContext,
  file: string,
  newStore: () => ScriptStore,
  { closes, decoder }: ScriptMode,
): Promise<void> {
  const commands = parseScript(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'));
  let store = newStore();
  let isWritten = false;
  for (const command of commands) {
    if (command.kind === 'clear') {
      await store.close();
      store = newStore();
    } else if (command.kind === 'load') {
      await load(await store.open(), command, file, decoder);
      isWritten = true;
      if (closes === 'after loads') await store.close();
    } else {
      if (isWritten && closes === 'before questions') await store.close();
      isWritten = false;
      const place = `${file}:${command.line}`;
      const storage = await store.open();
      await context.test(`${place} ${command.what} ${command.query}`, () =>
        check(storage, command),
      );
    }
  }
  await store.close();
}

async function load(
  storage: Storage,
  command: LoadCommand,
  file: string,
  decoder: Decoder | undefined,
): Promise<void> {
  const labels = command.labels.map(({ name, text }) => ({ name, value: text }));
  const upload = {
    labels: [{ name: '__name__', value: command.name }, ...labels],
    profile: encodeLoad(command),
  };
  const ingester = createIngester({ ...scriptMachine, storage, decoder });
  const error = await catchError(() => ingester.write([upload]));
  assert.equal(error, command.error, `load of ${file}:${command.line}`);
}

async function check({ querier }: Storage, command: EvalCommand): Promise<void> {
  const engine = createQueryEngine({ querier, ...scriptMachine });
  if (command.kind === 'eval_fail') {
    const error = await catchError(() => evaluate(engine, command));
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

/** Returns "code message" of the thrown error; "" if there is none. */
async function catchError(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return '';
  } catch (error) {
    return `${errorCode(error)} ${errorMessage(error)}`;
  }
}

/**
 * Returns the rows of an answer as text. A row includes those facts that the expected row with the
 * same text includes.
 */
function rowsLike({ rows, isOrdered }: Answer, expected: readonly string[]): string[] {
  const unused = [...expected];
  const lines = rows.map((row) => {
    const at = unused.findIndex((line) => cutFacts(line) === row.text);
    return at === -1 ? row.text : withFacts(row, unused.splice(at, 1)[0]);
  });
  return isOrdered ? lines : lines.sort();
}

const trailingFacts = /(?: [a-z_]+=\S*)+$/;

function cutFacts(line: string): string {
  return line.replace(trailingFacts, '');
}

function withFacts({ text, facts }: AnswerRow, line: string): string {
  const names = [...line.slice(cutFacts(line).length).matchAll(/ ([a-z_]+)=/g)].map(
    ([, name]) => name,
  );
  return [text, ...names.map((name) => `${name}=${String(facts[name])}`)].join(' ');
}
