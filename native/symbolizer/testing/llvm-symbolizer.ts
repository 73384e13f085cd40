// Runs llvm-symbolizer for addresses.
import { execFileSync } from 'node:child_process';

/** A call at an address. An inlined call has a row of its own. */
export interface LlvmFrame {
  readonly functionName: string;
  readonly fileName: string;
  readonly line: number;
}

interface Answer {
  readonly Symbol: readonly {
    readonly FunctionName: string;
    readonly FileName: string;
    readonly Line: number;
  }[];
}

/** Returns the calls at each address in a file, innermost first; empty if unknown. */
export function llvmFrames(path: string, addresses: readonly number[]): LlvmFrame[][] {
  const output = execFileSync(
    process.env['TEST_LLVM_SYMBOLIZER'] ?? 'llvm-symbolizer',
    ['--functions=linkage', '--inlines', '--no-demangle', '--output-style=JSON', `--obj=${path}`],
    {
      input: addresses.map((address) => `0x${address.toString(16)}\n`).join(''),
      maxBuffer: 2 ** 28,
    },
  );
  const lines = output.toString().trim().split('\n');
  return lines.map((line) =>
    (JSON.parse(line) as Answer).Symbol.map(({ FunctionName, FileName, Line }) => ({
      functionName: FunctionName,
      fileName: FileName,
      line: Line,
    })).filter(({ functionName, fileName }) => functionName !== '' || fileName !== ''),
  );
}
