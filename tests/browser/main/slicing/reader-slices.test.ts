import { compareWithOneGo } from '../../../unit/main/slicing/slices-property.ts';

compareWithOneGo();
