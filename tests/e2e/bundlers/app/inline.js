import { createDecoder } from 'unspool/inline';
import { decodeAll } from './decode-all.js';

globalThis.outcome = decodeAll(createDecoder());
