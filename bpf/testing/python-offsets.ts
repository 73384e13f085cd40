// Prints the offsets of a Python interpreter for a row of versions.rs. Needs gdb, and an
// interpreter or its shared library with debug information:
//
// npm exec -- node bpf/testing/python-offsets.ts /usr/lib/debug/python3.12
//
// From 3.13 on, also prints the words at the start of `_PyRuntime`, in groups: each group starts
// with the size of a structure.
import { spawnSync } from 'node:child_process';

/**
 * Field names in versions.rs, and their paths in Python versions; the first path that exists is
 * used.
 */
const fields: Readonly<Record<string, readonly string[]>> = {
  interpreters: ['_PyRuntimeState interpreters.head'],
  interpreter_threads: ['PyInterpreterState threads.head', 'PyInterpreterState tstate_head'],
  interpreter_next: ['PyInterpreterState next'],
  thread_next: ['PyThreadState next'],
  thread_id: ['PyThreadState thread_id'],
  // From 3.10 to 3.12 there is a record, which contains frames from 3.11 on.
  'thread_frame (of a frame)': ['PyThreadState current_frame', 'PyThreadState frame'],
  'thread_frame (of a record)': ['PyThreadState cframe'],
  record_frame: ['_PyCFrame current_frame'],
  record_back: ['_PyCFrame previous'],
  frame_code: [
    'struct _PyInterpreterFrame f_executable',
    'struct _PyInterpreterFrame f_code',
    'PyFrameObject f_code',
  ],
  frame_back: ['struct _PyInterpreterFrame previous', 'PyFrameObject f_back'],
  frame_instruction: [
    'struct _PyInterpreterFrame instr_ptr',
    'struct _PyInterpreterFrame prev_instr',
    'PyFrameObject f_lasti',
  ],
  'frame_owner (first of a call)': ['struct _PyInterpreterFrame is_entry'],
  'frame_owner (owner)': ['struct _PyInterpreterFrame owner'],
  code_line: ['PyCodeObject co_firstlineno'],
  'code_version (24 bytes after the line)': ['PyCodeObject co_version'],
  code_name: ['PyCodeObject co_name'],
  code_qualified_name: ['PyCodeObject co_qualname'],
  code_file: ['PyCodeObject co_filename'],
  code_lines: ['PyCodeObject co_linetable', 'PyCodeObject co_lnotab'],
  code_start: ['PyCodeObject co_code_adaptive'],
  object_type: ['PyObject ob_type'],
  name_hash: ['PyASCIIObject hash'],
  string_length: ['PyASCIIObject length'],
  string_state: ['PyASCIIObject state'],
  bytes_length: ['PyVarObject ob_size'],
  bytes_data: ['PyBytesObject ob_sval'],
};
const sizes = { string_ascii_data: 'PyASCIIObject', string_other_data: 'PyCompactUnicodeObject' };

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: python-offsets.ts FILE');
const places = Object.values(fields).flat();
const commands = [
  ...places.map(offsetCommand),
  ...Object.values(sizes).map((type) => `print sizeof(${type})`),
  'x/128gd &_PyRuntime',
];
const answers = askGdb(path, commands);
const offsets = new Map(places.map((place, i) => [place, answers[i]]));
for (const [name, own] of Object.entries(fields)) {
  const found = own.map((place) => offsets.get(place)).find((offset) => offset !== '');
  process.stdout.write(`${name}: ${found ?? '-'}\n`);
}
for (const [i, name] of Object.keys(sizes).entries()) {
  process.stdout.write(`${name}: ${answers[places.length + i]}\n`);
}
process.stdout.write(`words:\n${answers.at(-1)}\n`);

/** Returns the gdb command for the offset of "TYPE FIELD". */
function offsetCommand(place: string): string {
  const at = place.lastIndexOf(' ');
  return `print/d (long)&((${place.slice(0, at)} *)0)->${place.slice(at + 1)}`;
}

/** Returns gdb's output for each command; '' for unknown names. */
function askGdb(file: string, asked: readonly string[]): string[] {
  const flags = ['-nx', '-batch', '-iex', 'set debuginfod enabled off', '-ex', 'set language c'];
  const args = [...flags, ...asked.flatMap((one) => ['-ex', 'echo @', '-ex', one]), file];
  // gdb exits with code 1 if the last command fails, and prints errors to stderr.
  const { stdout } = spawnSync('gdb', args, { encoding: 'utf8' });
  return stdout
    .split('@')
    .slice(1)
    .map((answer) => answer.replace(/^\$\d+ = /, '').trim());
}
