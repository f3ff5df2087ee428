// Runs `npm run fuzz` in the parent process and in its children: see run.mjs.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type FuzzResult, spent, withoutStacks } from './fuzz.ts';
import { type Runner, share, type Slice, slicesOf } from './plan.ts';
import { SUBJECTS, type Target, targetsOf } from './targets.ts';

/** Time limit for a slice, which takes seconds. */
const MAX_SLICE_MINUTES = 10;
const MAX_FINDINGS = 10;
/** Interval at which the summary is written. */
const REPORT_MS = 60_000;

const { values } = parseArgs({
  options: {
    format: { type: 'string', multiple: true, default: [] },
    kind: { type: 'string', multiple: true, default: [] },
    count: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    processes: { type: 'string', default: '1' },
    skip: { type: 'string', default: '0' },
    minutes: { type: 'string', default: 'Infinity' },
    summary: { type: 'string' },
  },
});
const all = await targetsOf(values.format.length > 0 ? values.format : SUBJECTS);
const targets = all.filter(({ name }) => values.kind.length === 0 || values.kind.includes(name));
if (process.send) workForParent();
else process.exitCode = (await main()) ? 0 : 1;

interface Report {
  result: FuzzResult;
  /** Processor time in milliseconds. */
  took: number;
}

/** Runs the slices that the parent sends. */
function workForParent(): void {
  process.on('message', (slice: Slice) => void reportOn(slice));
}

async function reportOn({ target, count, seed }: Slice): Promise<void> {
  const start = spent();
  const result = await withoutStacks(() => targets[target]!.run(count, seed));
  process.send!({ result, took: spent() - start } satisfies Report);
}

interface Total extends Target {
  inputs: number;
  good: number;
  refused: number;
  findings: string[];
  /** Processor time in milliseconds. */
  took: number;
}

/** @returns true without findings */
async function main(): Promise<boolean> {
  const count = Number(values.count);
  const seed = values.seed === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  const runners = Number(values.processes);
  const start = performance.now();
  const end = start + Number(values.minutes) * 60_000;
  const totals = targets.map((target): Total => ({ ...target, inputs: 0, good: 0, refused: 0, findings: [], took: 0 }));
  console.log(`seed ${seed}, ${runners} ${runners === 1 ? 'process' : 'processes'}, Node ${process.version}`);
  const sum = (of: (total: Total) => number): number => totals.reduce((all, total) => all + of(total), 0);
  const report = async (): Promise<void> => {
    const inputs = sum((total) => total.inputs);
    const findings = sum((total) => total.findings.length);
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(`${inputs.toLocaleString('en')} inputs, ${findings} findings, ${seconds} s`);
    if (values.summary === undefined) return;
    const list = totals.map(({ subject, name, inputs, good, refused, findings, took }) => {
      return { subject, name, inputs, good, refused, findings, processorSeconds: Math.round(took / 1000) };
    });
    const summary = { seed, count, processes: runners, node: process.version, seconds, inputs, findings, targets: list };
    await writeFile(values.summary, `${JSON.stringify(summary, null, 2)}\n`);
  };
  const reports = setInterval(() => void report(), REPORT_MS);
  const counts = targets.map(({ share }) => Math.ceil(count * share));
  await share(slicesOf(counts, seed, Number(values.skip) / count), {
    runners,
    start: () => startProcess((slice, took) => (totals[slice.target]!.took += took)),
    skip: ({ target }) => performance.now() > end || totals[target]!.findings.length >= MAX_FINDINGS,
    done: (slice, { good, refused, faults }) => {
      const total = totals[slice.target]!;
      total.inputs += good + refused + faults.length;
      total.good += good;
      total.refused += refused;
      total.findings.push(...faults);
      for (const fault of faults) console.error(`${total.subject}, ${total.name}: ${fault}`);
    },
  });
  clearInterval(reports);
  for (const total of totals) console.log(describe(total));
  await report();
  return sum((total) => total.findings.length) === 0;
}

function describe({ subject, name, inputs, good, refused, findings, took }: Total): string {
  const rate = took > 0 ? `, ${Math.round((inputs / took) * 1000).toLocaleString('en')} a second of the processor` : '';
  return `${subject.padEnd(12)} ${inputs.toLocaleString('en')}: ${good} ${name}, ${refused} refused, ${findings.length} findings${rate}`;
}

/** @param took receives the processor time of a slice in milliseconds */
function startProcess(took: (slice: Slice, time: number) => void): Runner {
  const child = fork(fileURLToPath(import.meta.url), process.argv.slice(2), { serialization: 'advanced' });
  const ended = once(child, 'exit').then(([code, signal]: unknown[]): never => {
    throw new Error(`The process ended (${String(signal ?? code)})`);
  });
  // `run` reports it. Without a slice under way, it is no error.
  ended.catch(() => {});
  return {
    async run(slice) {
      const limit = setTimeout(() => child.kill('SIGKILL'), MAX_SLICE_MINUTES * 60_000);
      try {
        child.send(slice);
        const [report] = (await Promise.race([once(child, 'message'), ended])) as [Report];
        took(slice, report.took);
        return report.result;
      } finally {
        clearTimeout(limit);
      }
    },
    end: () => {
      if (child.connected) child.disconnect();
    },
  };
}
