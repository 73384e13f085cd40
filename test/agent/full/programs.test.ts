// The programs that the short run leaves out.
import { testPrograms } from '../check-programs.ts';

testPrograms([
  ...['rust', 'node with a map', 'names in node 20', 'names in node 22', 'python', 'threads'],
  ...['signals', 'deleted', 'static'],
]);
