import { visit } from './visit.js';

void visit(async (url) => await (await fetch(url)).json());
