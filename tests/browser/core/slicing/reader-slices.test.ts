import { compareWithOneGo } from '../../../unit/core/slicing/slices-property.ts';

compareWithOneGo();
