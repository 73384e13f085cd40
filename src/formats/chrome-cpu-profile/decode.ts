// Converts a V8 CPU profile (`node --cpu-prof`, Chrome's DevTools) to pprof.
//
// The nodes form a tree of calls. Each sample has the node that was running and the time since the
// previous sample.
// Source: https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile
import { inputLimits } from '../../base/input-limits.ts';
import type { ImportContext, ImportedProfile } from '../reading/imported-profile.ts';
import { JsonValue } from '../reading/json.ts';
import { StackValues } from '../reading/stack-values.ts';
import { wholeNumber } from '../reading/whole-number.ts';
import { PprofWriter } from '../pprof/writer.ts';

const what = 'cannot read V8 CPU profile';
/** Names of nodes that mean idle time. */
const idleNames: ReadonlySet<string> = new Set(['(idle)', '(root)']);

/**
 * Converts a parsed file to one profile of CPU time, without idle time.
 *
 * Errors: AppError 'invalid-argument' naming the path in the file.
 */
export function decodeChromeCpuProfile(json: unknown, context: ImportContext): ImportedProfile {
  const file = new JsonValue(json, what, '');
  const writer = new PprofWriter();
  const stacks = new StackValues();
  const nodes = readNodes(file.get('nodes'), writer, stacks);
  const samples = file.get('samples').list();
  const deltas = file.get('timeDeltas').list();
  if (deltas.length !== samples.length) {
    throw file.get('timeDeltas').fail(`has ${deltas.length} entries, not ${samples.length}`);
  }
  samples.forEach((sample, i) => {
    const node = nodes.get(sample.number());
    if (node === undefined)
      throw sample.fail(`is ${sample.number()}, which is not the id of a node`);
    // A sample lasts until the next sample.
    const micros = i + 1 < deltas.length ? deltas[i + 1].number() : 0;
    if (node !== 0 && micros > 0) stacks.add(node, wholeNumber(micros, what) * 1_000n);
  });
  stacks.writeTo(writer);
  const micros = file.get('endTime').numberOr(0) - file.get('startTime').numberOr(0);
  const { timeNanos, durationNanos } = context;
  const pprof = writer.finish({
    sampleTypes: [{ type: 'cpu', unit: 'nanoseconds' }],
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    timeNanos,
    durationNanos:
      durationNanos === 0n && micros > 0 ? wholeNumber(micros, what) * 1_000n : durationNanos,
  });
  return { name: 'process_cpu', labels: [], pprof };
}

/** Returns the stack of each node by its id; 0 for nodes of idle time. */
function readNodes(
  nodes: JsonValue,
  writer: PprofWriter,
  stacks: StackValues,
): Map<number, number> {
  const parents = new Map<number, number>();
  const byId = new Map<number, JsonValue>();
  for (const node of nodes.list()) {
    const id = node.get('id').number();
    if (byId.has(id)) throw node.get('id').fail(`is ${id}, as of another node`);
    byId.set(id, node);
    if (!node.has('children')) continue;
    for (const child of node.get('children').list()) parents.set(child.number(), id);
  }
  const found = new Map<number, number>();
  for (const start of byId.keys()) {
    // Walks up from a node to the nearest caller whose stack is known, then down again.
    const path: JsonValue[] = [];
    let id: number | undefined = start;
    for (; id !== undefined && !found.has(id); id = parents.get(id)) {
      const node = byId.get(id);
      if (node !== undefined) path.push(node);
      if (path.length > inputLimits.stackDepth) {
        throw nodes.failDeep('has a stack of more than');
      }
    }
    let stack = id === undefined ? 0 : (found.get(id) ?? 0);
    for (const node of path.reverse()) {
      stack = readStack(node.get('callFrame'), stack, writer, stacks);
      found.set(node.get('id').number(), stack);
    }
  }
  return found;
}

function readStack(
  call: JsonValue,
  parent: number,
  writer: PprofWriter,
  stacks: StackValues,
): number {
  const name = call.get('functionName').text();
  if (idleNames.has(name)) return 0;
  const line = call.get('lineNumber').numberOr(-1);
  const column = call.get('columnNumber').numberOr(-1);
  // V8 counts lines from 0. The line is the function's first line.
  const startLine = Number.isInteger(line) && line >= 0 && line < 2 ** 31 - 1 ? line + 1 : 0;
  const location = writer.frame({
    name: name === '' ? '(anonymous)' : name,
    file: call.get('url').textOr(''),
    line: startLine,
    startLine,
    column: Number.isInteger(column) && column >= 0 && column < 2 ** 31 - 1 ? column + 1 : 0,
  });
  return stacks.child(parent, location);
}
