import { createDecoder } from 'unspool';
import { decodeAll } from './decode-all.js';

globalThis.outcome = decodeAll(createDecoder());
