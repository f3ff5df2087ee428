import type { PlainReader } from '../plain.ts';
import { Plans } from '../plans.ts';
import type { AvroOptions } from './options.ts';
import { compilePlan } from './compile.ts';
import { plainReaderOf } from './plain.ts';
import type { Plan } from './plan.ts';
import type { AvroSchema, AvroTypes } from './schema.ts';

/** The options, and the schema that data are read as. */
interface Resolution extends AvroOptions {
  reader: AvroTypes;
}

const NAMES = ['unions', 'logicalTypes', 'timestamps', 'decimals', 'int64'] as const;

const plans = new Plans<AvroTypes, AvroOptions, Plan>(NAMES, (writer, options) => compilePlan(writer, undefined, options));
const resolutions = new Plans<AvroTypes, Resolution, Plan>(['reader', ...NAMES], (writer, { reader, ...options }) =>
  compilePlan(writer, reader, options),
);

/** The plan for schemas and options. Schemas are compiled once and used often, and so are their plans. */
export function planFor(writer: AvroTypes, reader: AvroTypes | undefined, options: AvroOptions): Plan {
  return reader === undefined ? plans.get(writer, options) : resolutions.get(writer, { ...options, reader });
}

/** What reads small data plainly; undefined where they need a reader with a sink. */
export function plainReaderFor(schema: AvroSchema, options: AvroOptions): PlainReader | undefined {
  return plainReaders.get(schema, options);
}

const plainReaders = new Plans<AvroSchema, AvroOptions, PlainReader | undefined>(
  [...NAMES, 'framing', 'maps', 'sequence'],
  ({ writer, reader }, options) => {
    const { framing = 'datum', maps = 'object', int64 = 'auto', sequence = false } = options;
    if (!writer || framing !== 'datum' || maps !== 'object' || int64 !== 'auto' || sequence) return undefined;
    try {
      return plainReaderOf(planFor(writer, reader, options));
    } catch {
      // The reader will say what is wrong.
      return undefined;
    }
  },
);
