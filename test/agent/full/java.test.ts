// Tests a JVM by itself: the table of its library is large, and would delay those of other
// programs.
import { testPrograms } from '../check-programs.ts';

testPrograms(['java']);
