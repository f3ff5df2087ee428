import { unspool } from './unspool.js';

export const contender = unspool({ id: 'unspool-codegen', label: 'Unspool as objects, codegen', result: 'objects', codegen: true });
