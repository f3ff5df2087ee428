import { maxInflatedSize } from '../../devtools-extension/reading/compression/inflate.ts';
import type { AnswerMessage, CallMessage, CallName, Calls, ReadAnswer, ReadRequest } from '../../devtools-extension/reading/protocol.ts';
import { FORMATS } from '../../core/formats/registry.ts';
import { toHex } from '../setup/values/hex.ts';
import { checkTree } from '../unit/panel/values/tree-rules.ts';
import { type FuzzResult, isSlow, spent } from './fuzz.ts';
import { mutate, mutateFew, mutateText, Random } from './mutate.ts';
import { type PanelSeed, panelSeeds } from './subjects/panel.ts';

/** Limit for the processor time of a call, whose inputs are small. */
const SLOW_MS = 2000;
const MAX_FAULTS = 10;
/** One input in this number is large: it repeats a piece of another. */
const LARGE_ONES = 41;
const FORMAT_IDS = FORMATS.map(({ id }) => id);
const FORMS = ['typescript', 'proto', 'avsc'] as const;
/** Messages of engines that indicate a bug. */
const MISTAKE =
  /Cannot (?:read|set|convert|destructure|mix)|is not (?:a function|a constructor|iterable|extensible)|Maximum call stack|Invalid (?:array|typed array|string|array buffer|atomics|DataView)|[Oo]ut of (?:memory|bounds)|offset is out|Offset is outside|of undefined|allocation failed|must be greater|\[object/;

/** Calls the panel's worker like the panel. */
class Worker {
  readonly #answers: AnswerMessage[] = [];
  #next = 1;

  static async start(): Promise<Worker> {
    const worker = new Worker();
    const scope = globalThis as { onmessage?: unknown; postMessage?: unknown };
    scope.postMessage = (message: AnswerMessage) => void worker.#answers.push(message);
    await import('../../devtools-extension/reading/worker/panel-worker.ts');
    return worker;
  }

  /** Returns the worker's answer. Throws the problem that it reports. */
  async call<Name extends CallName>(name: Name, request: Calls[Name]['request']): Promise<Calls[Name]['answer']> {
    const id = this.#next++;
    const { onmessage } = globalThis as unknown as { onmessage: (event: { data: CallMessage }) => void };
    onmessage({ data: { id, name, request } as CallMessage });
    for (;;) {
      const at = this.#answers.findIndex((answer) => answer.id === id);
      if (at >= 0) {
        const [answer] = this.#answers.splice(at, 1) as [AnswerMessage];
        if ('problem' in answer) throw new Error(answer.problem);
        return answer.answer;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

let started: Promise<Worker> | undefined;

/**
 * Reads, searches, formats, edits, saves and describes `count` mutated bodies with the panel's worker. Each call must quickly
 * return a result or an explanation; results must respect the panel's caps, and the ranges of trees must nest. A seed
 * determines the bodies.
 */
export async function fuzzPanel(count: number, seed = 1): Promise<FuzzResult> {
  const random = new Random(seed);
  const worker = await (started ??= Worker.start());
  const groups = await panelSeeds();
  const inputs = groups.flat().map(({ bytes }) => bytes);
  const result: FuzzResult = { good: 0, refused: 0, faults: [] };
  for (let run = 0; run < count && result.faults.length < MAX_FAULTS; run += 1) {
    const given = random.pick(random.pick(groups));
    const bytes =
      run % LARGE_ONES === 0 ? enlarged(random, given.bytes) : run % 2 === 0 ? mutateFew(random, given.bytes) : mutate(random, given.bytes, inputs);
    const body: PanelSeed = {
      ...given,
      bytes,
      contentType: random.below(8) === 0 ? random.pick(random.pick(groups)).contentType : given.contentType,
    };
    const calls: string[] = [];
    /** Makes a call and records its faults. */
    const call = async <Name extends CallName>(name: Name, request: Calls[Name]['request']): Promise<Calls[Name]['answer'] | undefined> => {
      const start = spent();
      const fault = (what: string): void => {
        result.faults.push(`run ${run}: ${name} ${what}\n${JSON.stringify({ ...request, bytes: undefined }).slice(0, 2000)}\n${describe(bytes)}`);
      };
      calls.push(name);
      try {
        const answer = await worker.call(name, request);
        const text = problemIn(answer);
        if (text !== undefined && MISTAKE.test(text)) fault(`says: ${text}`);
        return answer;
      } catch (error) {
        const { message } = error as Error;
        // Every body gets a description of its detected format.
        if (MISTAKE.test(message) || message === '' || name === 'detect') fault(`fails: ${message}`);
        return undefined;
      } finally {
        // Repeats a slow call: garbage collection or compilation may have taken the time.
        if (isSlow(spent() - start, SLOW_MS)) {
          const again = spent();
          await worker.call(name, request).catch(() => undefined);
          const time = spent() - again;
          if (isSlow(time, SLOW_MS)) fault(`took ${Math.round(time)} ms`);
        }
      }
    };
    try {
      if (await fuzzBody(random, body, run, call)) result.good += 1;
      else result.refused += 1;
    } catch (error) {
      result.faults.push(`run ${run}: after ${calls.join(', ')}: ${String((error as Error).stack)}\n${describe(bytes)}`);
    }
  }
  return result;
}

type Call = <Name extends CallName>(name: Name, request: Calls[Name]['request']) => Promise<Calls[Name]['answer'] | undefined>;

/** Reads a body and makes further calls. Returns true if it has a value. */
async function fuzzBody(random: Random, { message, url, format: own, ...body }: PanelSeed, run: number, call: Call): Promise<boolean> {
  const asked = { ...body, ...(url !== undefined && { url }), ...(message && { message }), status: random.pick([0, 200, 400]), headers: [] };
  const detected = await call('detect', copyOf(asked));
  if (!detected) return false;
  const format = random.pick([undefined, own, own, random.pick(FORMAT_IDS)]);
  const part = random.below(10) === 0 ? random.below(1000) : undefined;
  const request: ReadRequest = { ...asked, detected: random.below(2) === 0 ? detected : undefined, format, part };
  const read = await call('read', copyOf(request));
  if (read) checkAnswer(read, body.bytes.length);
  const forms = { bytes: body.bytes, format: format ?? detected.format ?? 'json', sequence: detected.sequence };
  switch (run % 6) {
    case 0:
      for (const query of QUERIES) await call('searchBody', { ...copyOf(request), query });
      break;
    case 1: {
      const editable = await call('editable', copyOf(request));
      if (editable && 'text' in editable) {
        await call('writeBody', { ...copyOf(request), text: editable.text });
        await call('writeBody', { ...copyOf(request), text: mutateText(random, editable.text) });
      }
      break;
    }
    case 2:
      await call('exportBody', copyOf(request));
      break;
    case 3:
      await call('infer', { ...forms, form: random.pick(FORMS) });
      break;
    case 4:
      await call('encodeStart', forms);
      break;
    default:
      await call('pick', { ...copyOf(request), path: [0, 'a', 1] });
      await call('schemaTypes', { format: random.pick(FORMATS).id, bytes: body.bytes });
  }
  return read?.data !== undefined && !read.error;
}

const QUERIES = [
  { text: 'a', where: 'all' },
  { text: 'string', where: 'types' },
  { text: '00 01', where: 'hex' },
  { text: '[a-f]+\\d', where: 'values', isPattern: true },
] as const;

/** Copies the bytes, as the worker takes the buffer. */
function copyOf<Request extends { bytes: Uint8Array }>(request: Request): Request {
  return { ...request, bytes: request.bytes.slice() };
}

/** Throws if an answer exceeds the caps or contains an inconsistent tree. */
function checkAnswer({ bytes, content, data, error }: ReadAnswer, sent: number): void {
  const most = maxInflatedSize(sent);
  if (bytes.length > Math.max(most, sent) || content.length > 2 * Math.max(most, sent))
    throw new Error(`${bytes.length} and ${content.length} bytes`);
  if (error?.reason === '') throw new Error('an error without a message');
  if (!data) return;
  if (data.length !== bytes.length) throw new Error(`a tree of ${data.length} of ${bytes.length} bytes`);
  // Every value takes a byte, except those added by references and schemas.
  const room = [data.kinds, data.starts, data.values, data.ends, data.heads, data.nexts, data.parents, data.keys, data.numbers];
  const held = room.reduce((sum, column) => sum + column.buffer.byteLength, 0);
  if (held > 1024 * 1024 + 100 * (bytes.length + content.length)) throw new Error(`a tree of ${held} bytes for ${bytes.length}`);
  if (!data.extents) checkTree(data);
}

/** The problem that an answer reports. */
function problemIn(answer: unknown): string | undefined {
  const { error, reason, problem } = (answer ?? {}) as { error?: { reason?: string }; reason?: string; problem?: { reason?: string } };
  return error?.reason ?? reason ?? problem?.reason;
}

/** A body of tens of kilobytes that repeats a piece, which reveals quadratic work. */
function enlarged(random: Random, bytes: Uint8Array): Uint8Array {
  const from = random.below(bytes.length);
  const piece = bytes.subarray(from, from + 1 + random.below(Math.min(24, bytes.length - from)));
  const at = random.below(2) === 0 ? from : random.below(bytes.length + 1);
  const large = new Uint8Array(8 * 1024 + random.below(40 * 1024));
  for (let i = 0; i < large.length; i += 1) large[i] = piece[i % piece.length]!;
  large.set(bytes.subarray(0, at));
  if (random.below(2) === 0) large.set(bytes.subarray(at), Math.max(0, large.length - (bytes.length - at)));
  return large;
}

function describe(bytes: Uint8Array): string {
  return bytes.length > 3_000 ? `${toHex(bytes.subarray(0, 1_500))} … (${bytes.length} bytes)` : toHex(bytes);
}
