import { unspool } from './unspool.js';

export const contender = unspool({ id: 'unspool-rows', label: 'Unspool as rows', result: 'rows' });
