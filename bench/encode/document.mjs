import { readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { size } from '../table.mjs';
import { STREAMS } from './cases.mjs';
import { caseNames } from './figures.mjs';
import { findings, publishedEncoding } from './published.mjs';
import { barLines, documentTable, groupTable } from './tables.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../../docs/internals/BAKEOFF.md', import.meta.url));
/** Marks of the part of the document that this file writes and the decoding part keeps. */
const BEGIN = '<!-- Encoding: npm run bench -- --encode -->';
const END = '<!-- End of encoding -->';

/**
 * Extracts the part about encoding from a document, with its marks; empty if it is missing.
 *
 * @param {string} document
 */
export function encodingPart(document) {
  const from = document.indexOf(BEGIN);
  return from < 0 ? '' : document.slice(from, document.indexOf(END) + END.length);
}

/**
 * Writes the part about encoding of `docs/internals/BAKEOFF.md`.
 *
 * @param {import('./run.mjs').EncodeOutcome} outcome
 * @returns {Promise<string>} the file
 */
export async function writeEncodingPart(outcome) {
  const document = await readFile(DOCUMENT, 'utf8');
  const before = encodingPart(document);
  const part = `${BEGIN}\n${partOf(outcome)}\n${END}`;
  await writeFile(DOCUMENT, before === '' ? `${document.trimEnd()}\n\n${part}\n` : document.replace(before, () => part));
  return relative(ROOT, DOCUMENT);
}

const BUSY = ' **Other work was running on the machine**: times are longer than on a quiet one, and ratios and verdicts vary from run to run.';

const STREAM_WORDS =
  ' **Stream of a list** and **stream of items** are the same stream into a sink that keeps nothing: of the rows, and of an async generator that makes each row within the time. Their peak is without the output, but for what the collector leaves.';

/** @param {import('./run.mjs').EncodeOutcome} outcome */
function partOf({ machine, browser, node, date, results }) {
  const groups = [...new Set(results.map((result) => caseNames(result).group))];
  const lists = groups.filter((group) => /^(?:trips|numbers)-\d+$/.test(group));
  const documents = groups.filter((group) => !lists.includes(group));
  const hasStreams = results.some(({ contender }) => STREAMS.includes(contender));
  return `## Encoding

The same values written by every library of each format, in one run of \`npm run bench -- --encode\`.

${browser} and Node ${node} on ${machine.cores} × ${machine.cpu}, ${size(machine.memoryBytes)} of memory, ${machine.system}, ${date.slice(0, 10)}; load ${machine.load} at the start.${machine.load > machine.cores / 4 ? BUSY : ''}

- **÷ JSON**: the time ÷ that of \`new TextEncoder().encode(JSON.stringify(value))\` of the same rows, measured in turn in the same process. Ratios are of medians.
- **Unspool** writes at once, into a list of chunks (\`encodeChunks\`); **one array** is \`encodeSync\`; **in slices** is \`createEncoder().stream\`, read to its end, on the calling thread. In small calls one array is the result: \`encodeSync\`, and \`await encoder.encode()\` in slices.${hasStreams ? STREAM_WORDS : ''}
- **Peak** is the process's memory above what it had before the run, the output included. Libraries block the page for their whole time.
- Each contender has a process of its own and has encoded a smaller value. Libraries that take plain objects get them made before the time begins. What each wrote first is read back by Unspool and compared.

### Bars

${barLines(results)}

${lists.map((group) => `### ${group}\n\n${groupTable(results, group)}`).join('\n\n')}

${documents.length === 0 ? '' : `### Documents\n\n${documentTable(results, documents)}\n\n`}### Compared with published figures

${publishedEncoding(results)}

### What was found

${findings(results)}`;
}
