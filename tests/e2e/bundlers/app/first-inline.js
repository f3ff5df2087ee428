import { createDecoder } from 'unspool/inline';
import { decodeOne } from './decode-one.js';

globalThis.outcome = decodeOne(createDecoder());
