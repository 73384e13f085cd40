// Prints the offsets in Ruby's structures, for a row of src/interpreters/ruby/versions.rs. Needs
// gdb, and a file with debug information. This can be an interpreter, its shared library, or an
// object file with a variable of each type that was compiled with the headers in Ruby's sources:
//
//   npm exec -- node bpf/testing/ruby-offsets.ts /usr/lib/debug/libruby.so
import { spawnSync } from 'node:child_process';

/** gdb expressions by field name in versions.rs; the first expression that gdb knows is used. */
const fields: Readonly<Record<string, readonly string[]>> = {
  context_stack: [offset('rb_execution_context_t', 'vm_stack')],
  context_frame: [offset('rb_execution_context_t', 'cfp')],
  context_thread: [offset('rb_execution_context_t', 'thread_ptr')],
  thread_id: [offset('rb_thread_t', 'thread_id')],
  frame_instruction: [offset('rb_control_frame_t', 'pc')],
  frame_sequence: [offset('rb_control_frame_t', 'iseq')],
  frame_environment: [offset('rb_control_frame_t', 'ep')],
  frame_bytes: ['sizeof(rb_control_frame_t)'],
  sequence_body: [offset('struct rb_iseq_struct', 'body')],
  'body_size (in the higher half, so 4 less)': [
    offset('struct rb_iseq_constant_body', 'iseq_size'),
  ],
  'instructions (8 after body_size)': [offset('struct rb_iseq_constant_body', 'iseq_encoded')],
  body_location: [offset('struct rb_iseq_constant_body', 'location')],
  'first line (24 after body_location)': [
    offset('struct rb_iseq_constant_body', 'location.first_lineno'),
  ],
  'bytes of the first line (an object has 8)': [
    'sizeof(((struct rb_iseq_constant_body *)0)->location.first_lineno)',
  ],
  body_lines: [offset('struct rb_iseq_constant_body', 'insns_info')],
  'table of lines (24 after body_lines)': [
    offset('struct rb_iseq_constant_body', 'insns_info.succ_index_table'),
  ],
  line_entry_bytes: ['sizeof(struct iseq_insn_info_entry)'],
  method_definition: [offset('rb_method_entry_t', 'def')],
  'owner (16 after method_definition)': [offset('rb_method_entry_t', 'owner')],
  definition_name: [offset('struct rb_method_definition_struct', 'original_id')],
  'string_length (16 where it is not in the flags)': [offset('struct RString', 'len')],
  'extension of ClassNames': [offset('struct RClass', 'ptr')],
  'table of ClassNames': [offset('struct rb_classext_struct', 'iv_tbl')],
  'name of ClassNames': [offset('struct RClass_and_rb_classext_t', 'classext.classpath')],
  'attached of ClassNames': [
    offset('struct RClass_and_rb_classext_t', 'classext.as.singleton_class.attached_object'),
  ],
};

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: ruby-offsets.ts FILE');
for (const [name, expressions] of Object.entries(fields)) {
  const found = expressions.map((one) => askGdb(path, one)).find((answer) => answer !== '');
  process.stdout.write(`${name}: ${found ?? '-'}\n`);
}

function offset(type: string, field: string): string {
  return `(long)&((${type} *)0)->${field}`;
}

/** Returns the value of an expression; '' if gdb does not know a name in it. */
function askGdb(file: string, expression: string): string {
  const flags = ['-nx', '-batch', '-iex', 'set debuginfod enabled off', '-ex', 'set language c'];
  const args = [...flags, '-ex', `print/d ${expression}`, file];
  const { stdout } = spawnSync('gdb', args, { encoding: 'utf8' });
  return stdout.replace(/^\$\d+ = /, '').trim();
}
