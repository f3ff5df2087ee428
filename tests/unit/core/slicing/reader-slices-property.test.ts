import { compareWithOneGo } from './slices-property.ts';

compareWithOneGo();
