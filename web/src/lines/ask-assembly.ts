// Requests the instructions of a function with their values; see docs/api.md.
import { type Coverage, unknownCoverage } from '../format/measure.ts';
import type { Span } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { getJson } from '../rpc/json.ts';
import { timeBounds } from '../rpc/time-bounds.ts';

/** One instruction, or the head of a function. */
export interface AssemblyRow {
  /** Hexadecimal address; "" in the head of a function. */
  readonly address: string;
  /** The instruction, or the name of the function. */
  readonly text: string;
  /** Function to which the instruction jumps or that it calls; "" if there is none. */
  readonly target: string;
  /** Base name of the file, and the line; "" if they are the same as in the previous row. */
  readonly place: string;
  readonly self: bigint;
  readonly total: bigint;
  /** True for code of the base of a comparison. */
  readonly isBase: boolean;
}

/** Total of a side, and the time that it covers. */
interface SideTotal {
  readonly total: bigint;
  readonly coverage: Coverage;
}

export interface Assembly extends SideTotal {
  readonly rows: readonly AssemblyRow[];
  /** Index of the instruction with the largest self value, or else the largest total value. */
  readonly hottest: number;
  readonly selfMax: bigint;
  readonly totalMax: bigint;
  /** Base of a comparison; undefined without one. */
  readonly base: SideTotal | undefined;
  readonly warnings: readonly string[];
}

interface SideMessage {
  readonly total: string;
  readonly coveredNanos: string;
  readonly snapshots: number;
  readonly functions: readonly {
    readonly name: string;
    readonly address: string;
    readonly cutBytes: number;
    readonly instructions: readonly {
      readonly address: string;
      readonly text: string;
      readonly target: string;
      readonly file: string;
      readonly line: number;
      readonly flat: string;
      readonly cumulative: string;
    }[];
  }[];
}

interface AssemblyMessage extends SideMessage {
  /** Null if the base has no code; absent without a base. */
  readonly base?: SideMessage | null;
  readonly warnings: readonly string[];
}

/** Requests the instructions. Errors: RpcError with the reason why there are none. */
export async function askAssembly(
  base: string,
  query: string,
  span: Span,
  { functionName, buildId }: { readonly functionName: string; readonly buildId: string },
  asking: Asking,
): Promise<Assembly> {
  const asked = { query, ...timeBounds(span), function: functionName };
  const parameters = new URLSearchParams(buildId === '' ? asked : { ...asked, build_id: buildId });
  return toAssembly((await getJson(base, 'assembly', parameters, asking)) as AssemblyMessage);
}

/** Converts an answer to rows of both sides, the compared side first. */
export function toAssembly({ base, ...message }: AssemblyMessage): Assembly {
  const rows = [...toRows(message, false), ...(base ? toRows(base, true) : [])];
  const [selfMax, totalMax] = (['self', 'total'] as const).map((column) =>
    rows.reduce((max, row) => (row[column] > max ? row[column] : max), 0n),
  );
  const hottest = rows.findIndex(({ self, total: sum }) =>
    selfMax > 0n ? self === selfMax : sum === totalMax,
  );
  const { warnings } = message;
  const ofBase = base ? toTotal(base) : undefined;
  return { rows, hottest, selfMax, totalMax, ...toTotal(message), base: ofBase, warnings };
}

function toTotal({ total, coveredNanos, snapshots }: SideMessage): SideTotal {
  const coverage = { ...unknownCoverage, seconds: Number(coveredNanos) / 1e9, snapshots };
  return { total: BigInt(total), coverage };
}

/** Converts a side to rows: the head of each function, followed by its instructions. */
function toRows({ functions }: SideMessage, isBase: boolean): AssemblyRow[] {
  return functions.flatMap(({ name, address: start, instructions, cutBytes }) => {
    let last = '';
    const code = instructions.map(({ address, text, target, file, line, ...values }) => {
      const at = line === 0 ? '' : `${file.split('/').at(-1)}:${line}`;
      const place = at === last ? '' : at;
      last = at;
      const [self, sum] = [BigInt(values.flat), BigInt(values.cumulative)];
      return { address, text, target, place, self, total: sum, isBase };
    });
    const side = isBase ? 'Base: ' : '';
    const head = { ...noInstruction, isBase, text: `${side}${name} at ${start}` };
    const cut = { ...noInstruction, isBase, text: `${cutBytes} bytes more` };
    return [head, ...code, ...(cutBytes > 0 ? [cut] : [])];
  });
}

const noInstruction = { address: '', target: '', place: '', self: 0n, total: 0n };
