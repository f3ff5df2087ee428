// `--live`: values that are asked for while their text arrives, and messages of a socket.
import { BenchBrowser } from '../browser.mjs';
import { describeMachine, save } from '../report.mjs';
import { serveBench } from '../site.mjs';
import { median } from '../statistics.mjs';
import { align, duration, size, times } from '../table.mjs';
import { memoryOfPartial } from './memory.mjs';
import { serveMessages } from './socket-server.mjs';

const REPORT = 'bench-report/live.json';
const RUNS = 5;
const STEP = 16;
const PER_SECOND = 5_000;
const WARM_MS = 2_000;
const MEASURED_MS = 4_000;

/** Bars: times of one `JSON.parse`, milliseconds, and shares of the page's time. */
const FRAME_RATIO = 4;
const DELTA_RATIO = 20;
const SMALL_MS = 30;
const BUSY_SHARE = 0.15;
/** With `latest` by key. */
const LATEST_SHARE = 0.015;
const BLOCK_MS = 8;
const MEMORY_RATIO = 2;

/** The flood: messages a second, and all of them. */
const FLOOD_PER_SECOND = 100_000;
const FLOOD_TOTAL = 200_000;

const GROWING = ['json-parse', 'unspool', 'jsonriver', 'streamparser', 'partial-json', 'best-effort', 'ai-sdk'];
const CONSUMERS = [
  'frames',
  'batches',
  'none',
  'msgpackr',
  'unspool-messagepack',
  'unspool-messagepack-latest',
  'unspool-messagepack-worker',
  'unspool-messagepack-worker-latest',
  'unspool-messagepack-worker-latest-50',
  'unspool-flood-worker-latest',
  'bufbuild',
  'unspool-protobuf',
  'unspool-protobuf-latest',
  'unspool-protobuf-worker',
  'unspool-protobuf-worker-latest',
  'unspool-protobuf-worker-latest-50',
];
const FLOODED = ['flood-none', 'unspool-flood-queue', 'unspool-flood-drop', 'unspool-flood-latest', 'unspool-flood-latest-path'];
const MEMORY_BYTES = 1_000_000;
const MEMORY_CASES = ['records', 'text'].map((document) => ({ name: `memory-${document}`, document }));
const GROW_CASES = ['records', 'text'].flatMap((document) =>
  [98_000, 1_000_000].flatMap((bytes) =>
    [false, true].map((every) => ({ name: `grow-${document}-${bytes / 1000}k-${every ? 'delta' : 'frame'}`, document, bytes, every })),
  ),
);

/**
 * @typedef {object} GrowResult
 * @property {string} case
 * @property {string} contender
 * @property {string} label
 * @property {number} bytes
 * @property {number} values values that were taken in a run
 * @property {number | null} ms all pieces, and the values; null if it took too long
 */

/**
 * @typedef {object} MessageResult
 * @property {string} contender
 * @property {string} label
 * @property {number} perSecond values used, or messages
 * @property {number} busy share of the page's time
 * @property {number} longestBlockMs
 */

/**
 * @typedef {object} FloodResult
 * @property {string} contender
 * @property {string} label
 * @property {number} received
 * @property {number} dropped
 * @property {number} used values that the loop got
 * @property {number} ms from the first message to the last
 * @property {number} longestBlockMs
 * @property {number} heapBytes growth of the page's heap at its highest, garbage included
 * @property {number | null} processBytes growth of the page's process at its highest
 * @property {string} error name of the error that ended the loop; empty if none did
 */

/**
 * @typedef {object} MemoryResult
 * @property {string} case
 * @property {number} bytes of the text
 * @property {number} valueBytes of the value
 * @property {number} partialBytes of the value in part and its reader, at most
 */

/**
 * @param {import('../options.mjs').Options} options
 * @returns {Promise<number>} exit status
 */
export async function runLive(options) {
  const isChosen = (/** @type {string} */ name) => options.names.length === 0 || options.names.some((part) => name.includes(part));
  const isContender = (/** @type {string} */ id) =>
    options.contenderNames.length === 0 || id === 'json-parse' || options.contenderNames.some((part) => id.includes(part));
  const cases = GROW_CASES.filter(({ name, bytes }) => isChosen(name) && !(options.quick && bytes > 98_000));
  const growing = GROWING.filter(isContender);
  const consumers = isChosen('messages') ? CONSUMERS.filter(isContender) : [];
  const flooded = isChosen('flood') ? FLOODED.filter(isContender) : [];
  const memoryCases = MEMORY_CASES.filter(({ name }) => isChosen(name));
  if (options.list) {
    for (const { name } of cases) console.log(`${name.padEnd(40)} ${growing.join(' ')}`);
    if (consumers.length > 0) console.log(`${'messages'.padEnd(40)} ${consumers.join(' ')}`);
    if (flooded.length > 0) console.log(`${'flood'.padEnd(40)} ${flooded.join(' ')}`);
    for (const { name } of memoryCases) console.log(name);
    return 0;
  }
  const machine = describeMachine();
  const site = await serveBench({ library: true });
  const browser = await BenchBrowser.launch();
  /** @type {GrowResult[]} */
  const values = [];
  /** @type {MessageResult[]} */
  const messages = [];
  /** @type {FloodResult[]} */
  const floods = [];
  /** @type {MemoryResult[]} */
  const memory = [];
  try {
    console.log(`${browser.name}, ${machine.cores} × ${machine.cpu}, load ${machine.load} at the start`);
    console.log(`Values of JSON in pieces of ${STEP} bytes, one for each piece (delta) or about one in 16 ms (frame). Medians.\n`);
    for (const one of cases) {
      for (const id of growing) values.push(await grow(browser, site.url, one, id, options.runs ?? RUNS));
      console.log(`${growTable(values, one.name)}\n`);
    }
    for (const { name, document } of memoryCases) {
      memory.push({ case: name, ...(await memoryOfPartial(document, MEMORY_BYTES, STEP, options.runs ?? RUNS)) });
    }
    if (memory.length > 0) console.log(`${memoryTable(memory)}\n`);
    for (const id of flooded) floods.push(await flood(browser, site.url, id));
    if (floods.length > 0) console.log(`${floodTable(floods)}\n`);
    if (consumers.length > 0) {
      const server = await serveMessages(PER_SECOND);
      try {
        for (const id of consumers) messages.push(await consume(browser, site.url, server.url, id));
      } finally {
        await server.close();
      }
      console.log(`${messageTable(messages)}\n`);
    }
    console.log(bars(values, messages, memory));
    await save(options.json ?? REPORT, { machine, browser: browser.name, date: new Date().toISOString(), values, messages, floods, memory });
    return 0;
  } finally {
    await browser.close();
    await site.close();
  }
}

/**
 * @param {BenchBrowser} browser
 * @param {string} site
 * @param {typeof GROW_CASES[number]} growCase
 * @param {string} id
 * @param {number} runs
 * @returns {Promise<GrowResult>}
 */
async function grow(browser, site, { name, document, bytes, every }, id, runs) {
  return browser.withPage(`${site}live.html`, async (page) => {
    await page.waitForFunction(() => 'live' in globalThis);
    const label = await page.evaluate((one) => live.labels[one] ?? one, id);
    const given = /** @type {const} */ ([id, document, bytes, STEP, every, runs]);
    const result = await page.evaluate((all) => live.grow(...all), given);
    return { case: name, contender: id, label, bytes: result.bytes, values: result.values, ms: median(result.times) };
  });
}

/**
 * @param {BenchBrowser} browser
 * @param {string} site
 * @param {string} socket
 * @param {string} id
 * @returns {Promise<MessageResult>}
 */
async function consume(browser, site, socket, id) {
  return browser.withPage(`${site}live.html`, async (page) => {
    await page.waitForFunction(() => 'live' in globalThis);
    const label = await page.evaluate((one) => live.labels[one] ?? one, id);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const taskMs = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
    };
    await page.evaluate((all) => live.start(...all), /** @type {const} */ ([id, socket, WARM_MS, MEASURED_MS]));
    const [before, start] = [await taskMs(), performance.now()];
    const perSecond = (await page.evaluate(() => live.used())) ?? 0;
    const busy = ((await taskMs()) - before) / (performance.now() - start);
    const longestBlockMs = (await page.evaluate(() => live.longestBlockMs())) ?? 0;
    return { contender: id, label, perSecond, busy, longestBlockMs };
  });
}

/** @param {BenchBrowser} browser @param {string} site @param {string} id @returns {Promise<FloodResult>} */
async function flood(browser, site, id) {
  return browser.withPage(`${site}live.html`, async (page) => {
    await page.waitForFunction(() => 'live' in globalThis);
    const label = await page.evaluate((one) => live.labels[one] ?? one, id);
    const memory = await browser.memoryOf(page);
    await page.evaluate(() => /** @type {{ gc?: () => void }} */ (globalThis).gc?.());
    await memory.mark();
    const result = await page.evaluate((all) => live.flood(...all), /** @type {const} */ ([id, FLOOD_PER_SECOND, FLOOD_TOTAL]));
    return { contender: id, label, ...result, processBytes: await memory.peak() };
  });
}

/** @param {readonly GrowResult[]} results @param {string} name */
const baseline = (results, name) => results.find((result) => result.case === name && result.contender === 'json-parse')?.ms ?? null;

/** @param {GrowResult} result @param {readonly GrowResult[]} results */
function ratioOf({ case: name, ms }, results) {
  const once = baseline(results, name);
  return ms === null || once === null ? null : ms / once;
}

/** @param {readonly GrowResult[]} results @param {string} name */
function growTable(results, name) {
  const own = results.filter((result) => result.case === name);
  const lines = own.map((result) => [
    result.label,
    result.ms === null ? 'over 20 s' : duration(result.ms),
    times(ratioOf(result, results)),
    result.values.toLocaleString('en'),
  ]);
  return `${name} (${size(own[0]?.bytes ?? 0)})\n${align([['', 'in all', '× JSON.parse', 'values'], ...lines])}`;
}

const percent = (/** @type {number} */ share) => `${(share * 100).toFixed(1)} %`;

/** @param {readonly MessageResult[]} results */
function messageTable(results) {
  const lines = results.map(({ label, perSecond, busy, longestBlockMs }) => [
    label,
    Math.round(perSecond).toLocaleString('en'),
    percent(busy),
    duration(longestBlockMs),
  ]);
  return `messages (${PER_SECOND.toLocaleString('en')} of 1 kB a second)\n${align([['', 'used a second', 'page busy', 'longest block'], ...lines])}`;
}

/** @param {readonly FloodResult[]} results */
function floodTable(results) {
  const lines = results.map(({ label, received, used, dropped, ms, longestBlockMs, heapBytes, processBytes, error }) => [
    error ? `${label}, ended by ${error}` : label,
    received.toLocaleString('en'),
    used.toLocaleString('en'),
    dropped.toLocaleString('en'),
    duration(ms),
    duration(longestBlockMs),
    size(heapBytes),
    processBytes === null ? '' : size(processBytes),
  ]);
  const head = ['', 'received', 'used', 'dropped', 'in', 'longest block', 'heap', 'process'];
  return `flood (${FLOOD_TOTAL.toLocaleString('en')} short texts from a worker, ${FLOOD_PER_SECOND.toLocaleString('en')} a second)\n${align([head, ...lines])}`;
}

/** @param {readonly MemoryResult[]} results */
function memoryTable(results) {
  const lines = results.map(({ case: name, bytes, valueBytes, partialBytes }) => [
    name,
    size(bytes),
    size(valueBytes),
    size(partialBytes),
    times(partialBytes / valueBytes),
  ]);
  return `memory (Node)\n${align([['', 'text', 'value of JSON.parse', 'value in part, at most', '× value'], ...lines])}`;
}

/** @param {readonly GrowResult[]} values @param {readonly MessageResult[]} messages @param {readonly MemoryResult[]} memory */
function bars(values, messages, memory) {
  const bar = (/** @type {boolean} */ isMet, /** @type {string} */ text) => `${isMet ? 'met   ' : 'MISSED'}  ${text}`;
  const own = values.filter(({ contender }) => contender === 'unspool');
  const lines = own.flatMap((result) => {
    const ratio = ratioOf(result, values);
    const limit = result.case.endsWith('frame') ? FRAME_RATIO : DELTA_RATIO;
    const isSmall = result.bytes < 500_000;
    if (isSmall && result.ms !== null) return [bar(result.ms <= SMALL_MS, `${result.case}: ${duration(result.ms)}, at most ${SMALL_MS} ms`)];
    return ratio === null ? [] : [bar(ratio <= limit, `${result.case}: ${times(ratio)} JSON.parse, at most ${limit} ×`)];
  });
  for (const { case: name, valueBytes, partialBytes } of memory) {
    const ratio = partialBytes / valueBytes;
    lines.push(bar(ratio <= MEMORY_RATIO, `${name}: ${times(ratio)} the value, at most ${MEMORY_RATIO} ×`));
  }
  for (const { contender, busy, longestBlockMs } of messages) {
    if (!contender.startsWith('unspool')) continue;
    const share = contender.includes('latest') ? LATEST_SHARE : BUSY_SHARE;
    lines.push(bar(busy <= share, `${contender}: page busy ${percent(busy)}, at most ${percent(share)}`));
    lines.push(bar(longestBlockMs <= BLOCK_MS, `${contender}: longest block ${duration(longestBlockMs)}, at most ${BLOCK_MS} ms`));
  }
  return lines.join('\n');
}
