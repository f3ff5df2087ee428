import { parseArgs } from 'node:util';

const HELP = `Usage: npm run bench -- [options]

Measures Unspool and the libraries it is compared with in Chromium, prints a table for each case and writes
bench-report/index.html.

  --quick            a short selection with fewer runs, under a minute
  --case NAME        only cases whose name contains NAME; may be repeated
  --contender NAME   only contenders whose id contains NAME, and the baseline; may be repeated
  --runs N           timed runs of each contender, instead of the case's own number
  --json FILE        write the results as JSON too
  --bakeoff          instead, every library of the field on its own format; writes bench-report/bakeoff.json and
                     docs/BAKEOFF.md with its charts
  --stream           instead, payloads that are used while they come over the network: the cases stream-*, with
                     --quick, --case, --contender, --runs and --json; writes bench-report/streams.json
  --second-visit     instead, what a page waits for when it is visited again and a service worker has kept the rows: the
                     cases second-visit-*; writes bench-report/second-visit.json
  --panel            instead, the DevTools panel with bodies of 1 and 10 MB, with --runs and --json
  --full             with --bakeoff, all sizes and documents by all libraries, about an hour
  --prepare          with --bakeoff, makes the payloads and says their sizes, and no more
  --from FILE        with --bakeoff, writes the document from figures of before
  --list             say what cases and contenders there are
  --help             this text`;

const QUICK_RUNS = 3;

/**
 * @typedef {object} Options
 * @property {boolean} quick
 * @property {boolean} bakeoff
 * @property {boolean} stream
 * @property {boolean} secondVisit
 * @property {boolean} panel
 * @property {boolean} full
 * @property {boolean} prepare
 * @property {string | undefined} from
 * @property {boolean} list
 * @property {string[]} names
 * @property {string[]} contenderNames
 * @property {number | undefined} runs
 * @property {string | undefined} json
 */

/**
 * @param {string[]} args
 * @returns {Options | { help: string }}
 * @throws {TypeError | RangeError} where they are wrong
 */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      bakeoff: { type: 'boolean', default: false },
      stream: { type: 'boolean', default: false },
      'second-visit': { type: 'boolean', default: false },
      panel: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      prepare: { type: 'boolean', default: false },
      from: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      case: { type: 'string', multiple: true, default: [] },
      contender: { type: 'string', multiple: true, default: [] },
      runs: { type: 'string' },
      json: { type: 'string' },
    },
  });
  if (values.help) return { help: HELP };
  if (values.runs !== undefined && !/^[1-9]\d{0,3}$/.test(values.runs)) {
    throw new RangeError(`--runs must be a whole number from 1 to 9999, not ${values.runs}.`);
  }
  return {
    quick: values.quick,
    bakeoff: values.bakeoff,
    stream: values.stream,
    secondVisit: values['second-visit'],
    panel: values.panel,
    full: values.full,
    prepare: values.prepare,
    from: values.from,
    list: values.list,
    names: values.case,
    contenderNames: values.contender,
    runs: values.runs === undefined ? (values.quick ? QUICK_RUNS : undefined) : Number(values.runs),
    json: values.json,
  };
}
