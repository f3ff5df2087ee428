import { parseArgs } from 'node:util';

const HELP = `Usage: npm run bench -- [options]

Measures Unspool and the libraries it is compared with in Chromium and prints a table for each case.
Each mode writes its figures as JSON to bench-report/.

  --quick            the table of README.md, in five to ten minutes; with --case or --contender, or in a mode, a short
                     selection with fewer runs
  --case NAME        only cases whose name contains NAME; may be repeated
  --contender NAME   only contenders whose id contains NAME, and the baseline; may be repeated
  --runs N           timed runs of each contender, instead of the case's own number
  --json FILE        write the results as JSON too
  --bakeoff          instead, every library of the field on its own format; writes bench-report/bakeoff.json and,
                     without --case and --contender, docs/internals/BAKEOFF.md with its charts
  --stream           instead, payloads that are used while they arrive: the cases stream-*, with
                     --quick, --case, --contender, --runs and --json; writes bench-report/streams.json
  --second-visit     instead, the wait of a second visit after a service worker cached the rows: the
                     cases second-visit-*; writes bench-report/second-visit.json
  --live             instead, values that are asked for while their text arrives, and messages of a socket, with --quick,
                     --case, --contender, --runs and --json; writes bench-report/live.json
  --documents        instead, documents of 1 to 50 MB in six formats, with --quick, --contender, --runs, --json and --from:
    --only NAME      only documents whose name contains NAME; may be repeated
    --sizes 1,5      megabytes of JSON
    --formats json   of json, messagepack, cbor, bson, avro, protobuf
    --forms rows     of objects, rows
    --engine firefox instead of Chromium
    --summary        also each contender's times, and the short table of docs/internals/benchmarks.md
  --encode           instead, encoding in Node and Chromium by every library of each format, with --quick, --full,
                     --contender, --runs, --json and --from; writes bench-report/encode.json, and where everything is
                     measured, or with --from, its part of docs/internals/BAKEOFF.md:
    --sizes 3,1000   rows of trips, of 3, 1,000, 100,000 and 1,000,000; below 10,000, one call among many is measured
    --formats avro   the formats that --list names
    --only twitter   only values whose name contains it: trips, numbers, a document; may be repeated
    --places node    of node, chromium
  --node             instead, large documents in Node, with the delay of the event loop: with --quick, --contender, --runs,
                     --json, --only and --sizes 75; writes bench-report/node.json
  --cold             instead, the first decodes of a page, a new browser for each sample: the Vite build over a line with
                     50 ms of latency, or with --full both builds over all lines; with --quick, --contender, --json,
                     --sizes 0.1,1, --formats, --forms, and
    --samples N      browsers for each page, 7 where none is given
    --latency 0,50   milliseconds a request
    --builds vite    of vite, bare
    --summary        also the short table of docs/internals/benchmarks.md; with --from, from earlier figures
  --refetch          instead, documents that are fetched again and have changed a little, with --only, --case (such as "1 %"),
                     --formats json,messagepack,cbor, --places node,chromium,fetch, --sizes 10, --quick and --json;
                     writes bench-report/refetch.json. With fetch: JSON over a connection, in a Chromium that nothing drives
  --engine-switches  instead, what each workaround for one engine is worth, with --case (its switch), --runs and --json;
                     writes bench-report/engine.json
  --tables           instead, sorting, filtering, grouping and writing a million rows, decoding some fields, and decoding GeoJSON into flat
                     coordinates, with --quick, --case, --contender, --runs and --json; writes bench-report/tables.json
  --full             with --encode, a million trips by all libraries; with --bakeoff, all sizes and
                     documents by all libraries, about an hour
  --prepare          with --bakeoff, only makes the payloads and prints their sizes
  --from FILE        with --bakeoff and --encode, writes the document from earlier figures
  --list             lists cases and contenders
  --help             this text`;

const QUICK_RUNS = 3;

/**
 * @typedef {object} Options
 * @property {boolean} quick
 * @property {boolean} bars prints which bars are met
 * @property {boolean} bakeoff
 * @property {boolean} stream
 * @property {boolean} secondVisit
 * @property {boolean} live
 * @property {boolean} documents
 * @property {string[]} only substrings of document names
 * @property {number[] | undefined} sizes
 * @property {string[] | undefined} formats
 * @property {string[] | undefined} forms
 * @property {string} engine
 * @property {boolean} summary
 * @property {boolean} encode
 * @property {boolean} node
 * @property {string[] | undefined} places `node`, `chromium`, `fetch`
 * @property {boolean} cold
 * @property {number[] | undefined} latencies
 * @property {string[] | undefined} builds
 * @property {boolean} refetch
 * @property {boolean} engineSwitches
 * @property {boolean} tables
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
 * @throws {TypeError | RangeError} if they are invalid
 */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      bakeoff: { type: 'boolean', default: false },
      stream: { type: 'boolean', default: false },
      'second-visit': { type: 'boolean', default: false },
      live: { type: 'boolean', default: false },
      documents: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      sizes: { type: 'string' },
      formats: { type: 'string' },
      forms: { type: 'string' },
      engine: { type: 'string', default: 'chromium' },
      encode: { type: 'boolean', default: false },
      node: { type: 'boolean', default: false },
      places: { type: 'string' },
      cold: { type: 'boolean', default: false },
      latency: { type: 'string' },
      builds: { type: 'string' },
      samples: { type: 'string' },
      summary: { type: 'boolean', default: false },
      refetch: { type: 'boolean', default: false },
      'engine-switches': { type: 'boolean', default: false },
      tables: { type: 'boolean', default: false },
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
  const runs = values.runs ?? values.samples;
  if (runs !== undefined && !/^[1-9]\d{0,3}$/.test(runs)) {
    throw new RangeError(`--runs and --samples must be a whole number from 1 to 9999, not ${runs}.`);
  }
  return {
    quick: values.quick,
    bars: true,
    bakeoff: values.bakeoff,
    stream: values.stream,
    secondVisit: values['second-visit'],
    live: values.live,
    documents: values.documents,
    only: values.only,
    sizes: numbers('--sizes', values.sizes),
    formats: values.formats?.split(','),
    forms: values.forms?.split(','),
    engine: values.engine,
    summary: values.summary,
    encode: values.encode,
    node: values.node,
    places: values.places?.split(','),
    cold: values.cold,
    latencies: numbers('--latency', values.latency),
    builds: values.builds?.split(','),
    refetch: values.refetch,
    engineSwitches: values['engine-switches'],
    tables: values.tables,
    full: values.full,
    prepare: values.prepare,
    from: values.from,
    list: values.list,
    names: values.case,
    contenderNames: values.contender,
    runs: runs === undefined ? (values.quick ? QUICK_RUNS : undefined) : Number(runs),
    json: values.json,
  };
}

/**
 * @param {string} name
 * @param {string | undefined} text numbers separated by commas
 */
function numbers(name, text) {
  const found = text?.split(',').map(Number);
  if (found?.some((number) => !(number >= 0))) throw new RangeError(`${name} must be numbers separated by commas, not ${text}.`);
  return found;
}
