import { Unpackr } from 'msgpackr';
import { visit } from './visit.js';

const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true });

void visit(async (url) => unpackr.unpack(new Uint8Array(await (await fetch(url)).arrayBuffer())));
