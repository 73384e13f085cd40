// GET /api/v1/assembly: the instructions of a function with their values, as JSON.
import { AppError } from '../../base/errors.ts';
import { parseJsonBytes } from '../../base/text/json.ts';
import { nameGapSentences } from '../../model/name-gaps.ts';
import { parseQuery } from '../../promql-like/parse.ts';
import { printQuery } from '../../promql-like/print.ts';
import type { SelectorPipeline } from '../../promql-like/query.ts';
import type { TimeRange } from '../../storage/interface.ts';
import { readParameters, readQueryText, readRange } from '../transport/http/parameters.ts';
import type { InstructionsJson } from './encode-instructions.ts';
import type { InsightCall } from './insight-answers.ts';
import type { InsightPath } from './insight-calls.ts';

/** One instruction with its address and its line of source. */
export interface ShownInstruction {
  readonly address: number;
  readonly bytes: string;
  readonly text: string;
  readonly target: string;
  readonly file: string;
  readonly line: number;
}

/** Code of one function. */
export interface ShownFunction {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly instructions: readonly ShownInstruction[];
  readonly cutBytes: number;
}

/** An address in a range of memory; see LoadedRange. */
export interface LoadedAddress {
  readonly address: number;
  readonly start: number;
  readonly limit: number;
  readonly offset: number;
}

/** Reads the code of programs. */
export interface AssemblyReader {
  /** Returns the ELF virtual address of each address. */
  fileAddresses(buildId: string, addresses: readonly LoadedAddress[]): number[];
  /**
   * Returns the functions around ELF virtual addresses, and reasons why some are missing.
   *
   * Errors: AppError 'not-found' if no file with code is stored, 'failed-precondition' if the
   * program that reads it is missing; errors of that program; the reason of `signal`.
   */
  read(
    buildId: string,
    addresses: readonly number[],
    signal: AbortSignal,
  ): Promise<{ readonly functions: readonly ShownFunction[]; readonly missing: readonly string[] }>;
}

/** Reader for a server without uploaded programs. */
export const noAssembly: AssemblyReader = {
  fileAddresses: (_buildId, addresses) => addresses.map(({ address }) => address),
  read: () => Promise.reject(new AppError('unimplemented', 'this server has no programs')),
};

/**
 * Returns the path, with the function that answers its calls. `assembly` throws AppError
 * 'unavailable' while the server starts.
 */
export function assemblyCall(assembly: () => AssemblyReader): InsightPath {
  return {
    path: '/api/v1/assembly',
    name: 'Assembly',
    answer: (call) => answerAssembly(call, assembly()),
  };
}

/** Answers a call; see docs/api.md. Errors: AppError 'invalid-argument', the engine's, `read`'s. */
async function answerAssembly(call: InsightCall, assembly: AssemblyReader): Promise<object> {
  const parameters = ['query', 'start', 'end', 'function', 'build_id', 'base_build_id'];
  const given = readParameters(call.url, parameters);
  const functionName = given.get('function') ?? '';
  if (functionName === '') throw new AppError('invalid-argument', 'function: cannot be blank.');
  const range = readRange(given, call.nowMillis);
  const buildId = given.get('build_id') ?? '';
  const text = readQueryText(given);
  const { operand, stages } = parseQuery(text);
  if (operand.kind !== 'diff') {
    return answerSide({ query: text, range, functionName, buildId }, call, assembly);
  }
  const queryOf = ({ selector, stages: own }: SelectorPipeline): string =>
    printQuery({ operand: selector, stages: [...own, ...stages] });
  const baseId = given.get('base_build_id') ?? '';
  const sides = [
    { query: queryOf(operand.compared), range, functionName, buildId },
    { query: queryOf(operand.base), range, functionName, buildId: baseId },
  ];
  const [compared, base] = await Promise.all(
    sides.map((side) => answerSide(side, call, assembly).catch(toReason)),
  );
  if (compared instanceof AppError && base instanceof AppError) throw compared;
  const shown = compared instanceof AppError ? noSide : compared;
  const warnings = [compared, base].flatMap((side, i) =>
    side instanceof AppError
      ? [`${i === 0 ? 'compared side' : 'base'}: ${side.message}`]
      : side.warnings,
  );
  if (base instanceof AppError) return { ...shown, base: null, warnings };
  const { warnings: _, ...ofBase } = base;
  return { ...shown, base: ofBase, warnings };
}

/** Returns the reason why a side has no code, such as a new function; throws other errors. */
function toReason(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'not-found') return error;
  throw error;
}

/** The question about one side of a comparison, or the whole question if nothing is compared. */
interface SideQuestion {
  readonly query: string;
  readonly range: TimeRange;
  readonly functionName: string;
  /** Build id of the code; "" = the build with the largest value. */
  readonly buildId: string;
}

/** Code of one side; int64 values are strings. */
interface AssemblySide {
  readonly unit: string;
  readonly total: string;
  readonly coveredNanos: string;
  readonly snapshots: number;
  readonly buildId: string;
  readonly builds: InstructionsJson['builds'];
  readonly functions: readonly object[];
  readonly warnings: readonly string[];
}

const noSide: AssemblySide = {
  unit: '',
  total: '0',
  coveredNanos: '0',
  snapshots: 0,
  buildId: '',
  builds: [],
  functions: [],
  warnings: [],
};

async function answerSide(
  { query, range, functionName, buildId }: SideQuestion,
  { engine, caller }: InsightCall,
  assembly: AssemblyReader,
): Promise<AssemblySide> {
  const report = await engine.encodedReport(
    {
      select: { mode: 'merge', query, range },
      report: 'instructions',
      code: { functionName, buildId },
      nodeTrimFraction: 0,
      rootTrimFraction: 0,
      groupBy: [],
    },
    'json',
    caller,
  );
  const values = parseJsonBytes(report.bytes, 'instructions') as InstructionsJson;
  const { unit, total, coveredNanos, snapshots, builds, buildId: wanted } = values;
  if (wanted === undefined || values.addresses.length === 0) {
    throw noAddresses(functionName, values);
  }
  const addresses = assembly.fileAddresses(wanted, values.addresses);
  const { functions, missing } = await assembly.read(wanted, addresses, caller.signal);
  const shown = functions
    .map((code) => withValues(code, addresses, values.addresses))
    .sort((a, b) => (a.weight > b.weight ? -1 : a.weight < b.weight ? 1 : 0));
  return {
    unit,
    total,
    coveredNanos,
    snapshots,
    buildId: wanted,
    builds,
    functions: shown.map(({ code }) => code),
    warnings: [...report.missing, ...nameGapSentences(report.nameGaps), ...missing],
  };
}

function noAddresses(name: string, { builds }: InstructionsJson): AppError {
  const what = `cannot disassemble ${JSON.stringify(name)}`;
  const why =
    builds.length === 0
      ? 'no profile of the selection has it'
      : 'its profiles have no build id, so its binary is not known';
  return new AppError('not-found', `${what}: ${why}`);
}

/**
 * Gives each instruction the sum of the values of its addresses. A caller's address may be anywhere
 * within its call instruction.
 */
function withValues(
  code: ShownFunction,
  addresses: readonly number[],
  values: InstructionsJson['addresses'],
) {
  const { instructions, start, end } = code;
  const flat = new BigInt64Array(instructions.length);
  const cumulative = new BigInt64Array(instructions.length);
  let weight = 0n;
  addresses.forEach((address, i) => {
    if (address < start || address >= end) return;
    const at = findInstruction(instructions, address);
    if (at === -1) return;
    flat[at] += BigInt(values[i].flat);
    cumulative[at] += BigInt(values[i].cumulative);
    weight += BigInt(values[i].cumulative);
  });
  const rows = instructions.map(({ address, ...instruction }, i) => ({
    address: hex(address),
    ...instruction,
    flat: String(flat[i]),
    cumulative: String(cumulative[i]),
  }));
  const { name, cutBytes } = code;
  return { weight, code: { name, address: hex(start), cutBytes, instructions: rows } };
}

function hex(address: number): string {
  return `0x${address.toString(16)}`;
}

/**
 * Returns the index of the instruction that contains an address; -1 if the instruction was left
 * out.
 */
function findInstruction(instructions: readonly ShownInstruction[], address: number): number {
  let [low, high] = [0, instructions.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (instructions[middle].address <= address) low = middle + 1;
    else high = middle;
  }
  const found = instructions[low - 1];
  const isInside = found !== undefined && address < found.address + found.bytes.length / 2;
  return isInside ? low - 1 : -1;
}
