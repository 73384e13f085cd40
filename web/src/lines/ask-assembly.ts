// Requests the instructions of a function with their values; see docs/api.md.
import { type Coverage, unknownCoverage } from '../format/measure.ts';
import type { Span } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { getJson } from '../rpc/json.ts';

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
}

export interface Assembly {
  readonly rows: readonly AssemblyRow[];
  /** Index of the instruction with the largest self value, or else the largest total value. */
  readonly hottest: number;
  readonly selfMax: bigint;
  readonly totalMax: bigint;
  /** Total of the selection, and the time that it covers. */
  readonly total: bigint;
  readonly coverage: Coverage;
  readonly warnings: readonly string[];
}

interface AssemblyMessage {
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
  readonly warnings: readonly string[];
}

/** Requests the instructions. Errors: RpcError with the reason why there are none. */
export async function askAssembly(
  base: string,
  query: string,
  { from, to }: Span,
  { functionName, buildId }: { readonly functionName: string; readonly buildId: string },
  asking: Asking,
): Promise<Assembly> {
  const [start, end] = [from, to].map((millis) => new Date(millis).toISOString());
  const asked = { query, start, end, function: functionName };
  const parameters = new URLSearchParams(buildId === '' ? asked : { ...asked, build_id: buildId });
  return toAssembly((await getJson(base, 'assembly', parameters, asking)) as AssemblyMessage);
}

/** Converts an answer to rows: the head of each function, followed by its instructions. */
function toAssembly(message: AssemblyMessage): Assembly {
  const { functions, warnings, total, coveredNanos, snapshots } = message;
  const rows = functions.flatMap(({ name, address: start, instructions, cutBytes }) => {
    let last = '';
    const code = instructions.map(({ address, text, target, file, line, ...values }) => {
      const at = line === 0 ? '' : `${file.split('/').at(-1)}:${line}`;
      const place = at === last ? '' : at;
      last = at;
      const [self, sum] = [BigInt(values.flat), BigInt(values.cumulative)];
      return { address, text, target, place, self, total: sum };
    });
    const head = { ...noInstruction, text: `${name} at ${start}` };
    const cut = { ...noInstruction, text: `${cutBytes} bytes more` };
    return [head, ...code, ...(cutBytes > 0 ? [cut] : [])];
  });
  const [selfMax, totalMax] = (['self', 'total'] as const).map((column) =>
    rows.reduce((max, row) => (row[column] > max ? row[column] : max), 0n),
  );
  const hottest = rows.findIndex(({ self, total: sum }) =>
    selfMax > 0n ? self === selfMax : sum === totalMax,
  );
  const coverage = { ...unknownCoverage, seconds: Number(coveredNanos) / 1e9, snapshots };
  return { rows, hottest, selfMax, totalMax, total: BigInt(total), coverage, warnings };
}

const noInstruction = { address: '', target: '', place: '', self: 0n, total: 0n };
