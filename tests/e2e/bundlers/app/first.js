import { createDecoder } from 'unspool';
import { decodeOne } from './decode-one.js';

globalThis.outcome = decodeOne(createDecoder());
