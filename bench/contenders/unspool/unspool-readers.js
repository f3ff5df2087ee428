import { unspool } from './unspool.js';

export const contender = unspool({ id: 'unspool-readers', label: 'Unspool as rows, without kernels', result: 'rows', decoder: { kernel: false } });
