// Prints the offsets in PHP's structures, for a row of src/interpreters/php/versions.rs. Needs a C
// compiler, and the headers of PHP, such as those of Debian's php8.2-dev:
//
//   npm exec -- node bpf/testing/php-offsets.ts /usr/include/php/20220829
import { spawnSync } from 'node:child_process';

/** Expressions by field name in versions.rs. */
const fields: Readonly<Record<string, string>> = {
  newest_frame: offset('zend_executor_globals', 'current_execute_data'),
  function_count: offset('zend_op_array', 'last'),
  function_operations: offset('zend_op_array', 'opcodes'),
  function_file: offset('zend_op_array', 'filename'),
  'lines (8 after function_file)': offset('zend_op_array', 'line_start'),
  closure_bit: '__builtin_ctz(ZEND_ACC_CLOSURE)',
  'the next one is that of copies of functions': '__builtin_ctz(ZEND_ACC_FAKE_CLOSURE)',
  generator_frame: offset('zend_generator', 'execute_data'),
  generator_inner: offset('zend_generator', 'node.parent'),
  generator_placeholder: offset('zend_generator', 'execute_fake'),
  // What kernel/php.h and src/interpreters/php/code.rs know of all versions.
  'PHP_FRAME_OPERATION, in bytes': offset('zend_execute_data', 'opline'),
  'PHP_FRAME_FUNCTION, in bytes': offset('zend_execute_data', 'func'),
  'PHP_FRAME_OBJECT, in bytes': offset('zend_execute_data', 'This'),
  'PHP_FRAME_FLAGS, in bytes': offset('zend_execute_data', 'This.u1.type_info'),
  'PHP_FRAME_CALLER, in bytes': offset('zend_execute_data', 'prev_execute_data'),
  PHP_FRAME_ENDS: 'ZEND_CALL_TOP',
  PHP_IN_C: 'ZEND_INTERNAL_FUNCTION',
  PHP_IN_PHP: 'ZEND_USER_FUNCTION',
  PHP_EVALUATED: 'ZEND_EVAL_CODE',
  PHP_FUNCTION_NAME: offset('zend_op_array', 'function_name'),
  PHP_FUNCTION_CLASS: offset('zend_op_array', 'scope'),
  PHP_CLASS_NAME: offset('zend_class_entry', 'name'),
  PHP_STRING_HASH: offset('zend_string', 'h'),
  'length of a string': offset('zend_string', 'len'),
  'bytes of a string': offset('zend_string', 'val'),
  PHP_OPERATION_BYTES: 'sizeof(zend_op)',
  PHP_OPERATION_LINE: offset('zend_op', 'lineno'),
};

const [headers] = process.argv.slice(2);
if (headers === undefined) throw new Error('usage: php-offsets.ts FOLDER_OF_HEADERS');
const names = Object.keys(fields);
const source = [
  '#include "php.h"',
  '#include "zend_compile.h"',
  '#include "zend_generators.h"',
  ...names.map((name, i) => `long value_${i} = ${fields[name]}; /* ${name} */`),
].join('\n');
const folders = ['', '/main', '/Zend', '/TSRM'].map((folder) => `-I${headers}${folder}`);
const compiled = spawnSync('cc', [...folders, '-S', '-o', '-', '-x', 'c', '-'], {
  input: source,
  encoding: 'utf8',
});
if (compiled.status !== 0) throw new Error(`cannot compile with the headers: ${compiled.stderr}`);
for (const [i, name] of names.entries()) {
  // A variable of value 0 has no .quad.
  const value = new RegExp(`^value_${i}:\\n\\s*\\.(?:quad|zero)\\s+(\\d+)`, 'm').exec(
    compiled.stdout,
  );
  const isZero = value?.[0].includes('.zero') ?? true;
  process.stdout.write(`${name}: ${isZero ? 0 : value?.[1]}\n`);
}

function offset(type: string, field: string): string {
  return `__builtin_offsetof(${type}, ${field})`;
}
