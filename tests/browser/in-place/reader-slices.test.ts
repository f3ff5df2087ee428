import { compareWithOneGo } from '../../unit/in-place/slices-property.ts';

compareWithOneGo();
