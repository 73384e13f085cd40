// The open files of the page, which are read in a worker, never sent, and lost when the page is
// closed.
import type { OpenedFile } from '../../file-engine/messages.ts';
import { Store } from '../page/store.ts';
import { FilePort } from '../rpc/file-port.ts';
import { setLocalServer } from '../rpc/local.ts';
import type { TreeLoader } from '../tree/tree-loader.ts';

/** A file that was dropped or chosen. */
export interface FileEntry {
  readonly name: string;
  /** Content of the file; undefined while the file is being read, or if it cannot be read. */
  readonly file: OpenedFile | undefined;
  /** Reason why the file cannot be read. */
  readonly error: string | undefined;
}

export const fileEntries = new Store<readonly FileEntry[]>([]);

let started: FilePort | undefined;

/** Starts the worker for the first file, and connects `trees` to it. */
function engineFor(trees: TreeLoader): FilePort {
  if (started !== undefined) return started;
  const worker = new Worker(new URL('../../file-engine/file-engine.worker.ts', import.meta.url), {
    type: 'module',
  });
  const channel = new MessageChannel();
  worker.postMessage({ kind: 'connect', port: channel.port1 }, [channel.port1]);
  trees.connect(channel.port2);
  started = new FilePort(worker);
  setLocalServer(started);
  return started;
}

/** Reads files one by one; returns the files that could be read. */
export async function addFiles(
  files: readonly File[],
  trees: TreeLoader,
): Promise<readonly OpenedFile[]> {
  const engine = engineFor(trees);
  const opened = await Promise.all(files.map((file) => addFile(file, engine)));
  return opened.filter((file) => file !== undefined);
}

/** Adds an entry for a file that cannot be fetched. */
export function failFile(name: string, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const others = fileEntries.get().filter((one) => one.name !== name);
  fileEntries.set([...others, { name, file: undefined, error: message }]);
}

async function addFile(file: File, engine: FilePort): Promise<OpenedFile | undefined> {
  const name = freeName(file.name);
  const update = (entry: FileEntry) => {
    const others = fileEntries.get().filter((one) => one.name !== name);
    fileEntries.set([...others, entry]);
  };
  update({ name, file: undefined, error: undefined });
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const opened = await engine.open({ name, bytes, modifiedMillis: file.lastModified });
    update({ name, file: opened, error: undefined });
    return opened;
  } catch (error) {
    failFile(name, error);
    return undefined;
  }
}

/** Appends a number to the name if it is in use. */
function freeName(wished: string): string {
  const taken = new Set(fileEntries.get().map(({ name }) => name));
  if (!taken.has(wished)) return wished;
  for (let n = 2; ; n += 1) if (!taken.has(`${wished} (${n})`)) return `${wished} (${n})`;
}

/** Closes a file. */
export async function closeFile(entry: FileEntry): Promise<void> {
  if (entry.file !== undefined) await started?.close(entry.name);
  fileEntries.set(fileEntries.get().filter((one) => one !== entry));
}
