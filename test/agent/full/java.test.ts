// Tests a JVM separately: the unwind table of its library is large, and would delay those of other
// programs.
import { testPrograms } from '../check-programs.ts';

testPrograms(['java']);
