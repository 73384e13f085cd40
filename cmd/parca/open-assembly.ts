// Reads the code of uploaded programs: chooses among the files of a build id, and starts the
// disassembler.
import type { AssemblyReader } from '../../src/api/routes/assembly-route.ts';
import { AppError } from '../../src/base/errors.ts';
import type { DebuginfoStore } from '../../src/debuginfo/debuginfo-store.ts';
import type { FileKind } from '../../src/debuginfo/interface.ts';
import type { Disassemble } from '../../src/symbolize/disassembler.ts';
import { disassemblyAddressesMax } from '../../src/symbolize/limits.ts';
import type { Symbolizer } from '../../src/symbolize/symbolizer.ts';

/** Kinds of files that may contain code, the most likely kind first. */
const codeKinds: readonly FileKind[] = ['executable', 'debuginfo', 'debuginfod'];
/** Kinds of files that may contain the symbols of a stripped program. */
const nameKinds: readonly FileKind[] = ['debuginfo', 'debuginfod'];

/** Creates the reader. */
export function createAssembly(
  disassemble: Disassemble,
  debuginfo: Pick<DebuginfoStore, 'find'>,
  symbolizer: Pick<Symbolizer, 'findBias'>,
): AssemblyReader {
  return {
    fileAddresses: (buildId, addresses) =>
      addresses.map(({ address, start, limit, offset }) => {
        const isInMapping = start <= address && address < limit;
        if (!isInMapping) return address;
        return address - symbolizer.findBias(buildId, { start, limit, offset });
      }),
    async read(buildId, addresses, signal) {
      const asked = addresses.slice(0, disassemblyAddressesMax);
      let refused: AppError | undefined;
      for (const kind of codeKinds) {
        const file = debuginfo.find(buildId, kind);
        if (file === undefined) continue;
        const names = nameKinds
          .filter((other) => other !== kind && !file.quality.hasSymbols)
          .flatMap((other) => debuginfo.find(buildId, other) ?? []);
        const files = { path: file.path, namesPath: names.at(0)?.path };
        const found = await disassemble(files, asked, signal);
        if (found.functions.some(({ instructions }) => instructions.length > 0)) return found;
        refused = notFound(buildId, found.missing[0] ?? 'its file has no function there');
      }
      throw refused ?? notFound(buildId, 'its program was not uploaded');
    },
  };
}

function notFound(buildId: string, why: string): AppError {
  return new AppError('not-found', `cannot disassemble build id ${buildId}: ${why}`);
}
