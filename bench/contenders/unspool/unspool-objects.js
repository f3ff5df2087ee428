import { unspool } from './unspool.js';

export const contender = unspool({ id: 'unspool-objects', label: 'Unspool as objects', result: 'objects' });
