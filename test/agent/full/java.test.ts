// A JVM on its own: the table of its library is large, and that of a program which started at the
// same time would come later.
import { testPrograms } from '../check-programs.ts';

testPrograms(['java']);
