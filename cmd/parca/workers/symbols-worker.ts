// Thread with low priority that reads DWARF and symbol tables from the real disk, and demangles
// names.
import { readDemanglerModule } from '../../../src/base/node/demangler-module.ts';
import { createFiles } from '../../../src/base/node/files.ts';
import { lowerThreadPriority } from '../../../src/base/node/thread-priority.ts';
import { answerQuestion } from '../../../src/base/threads/ask-thread.ts';
import type { DemangleMode } from '../../../src/symbolize/interface.ts';
import type { NamesRequest } from '../../../src/symbolize/demangle/thread-demangler.ts';
import { WasmDemangler } from '../../../src/symbolize/demangle/wasm-demangler.ts';
import { isMangled } from '../../../src/symbolize/demangler.ts';
import { type DwarfRequest, resolveByDwarf } from '../../../src/symbolize/dwarf/dwarf-resolver.ts';
import { resolveByTables, type TableRequest } from '../../../src/symbolize/table-resolver.ts';

/** A request to this thread. */
export type SymbolsRequest = (TableRequest | DwarfRequest | NamesRequest) & {
  readonly mode: DemangleMode;
};

lowerThreadPriority('background');
await answerQuestion(async (question) => {
  const request = question as SymbolsRequest;
  const { mode } = request;
  // The demangler is loaded on demand, because most symbol tables come from C and Go programs.
  let demangler: WasmDemangler | undefined;
  const readable = (name: string): string => {
    if (mode === 'none' || !isMangled(name)) return name;
    demangler ??= new WasmDemangler(readDemanglerModule());
    return demangler.demangle(name, mode);
  };
  if ('names' in request) return request.names.map(readable);
  if ('dwarfPath' in request) {
    return resolveByDwarf(createFiles(), request, readable);
  }
  const { source, addresses } = request;
  return resolveByTables(createFiles(), source.path, addresses, readable);
});
