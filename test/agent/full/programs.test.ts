// The programs that the short run leaves out.
import { testPrograms } from '../check-programs.ts';

testPrograms(['rust', 'node with a map', 'python', 'threads', 'signals', 'deleted', 'static']);
