import type { PlainReader } from '../../../reading/plain.ts';
import { Plans } from '../../../format/plans.ts';
import type { AvroOptions } from '../options.ts';
import { compilePlan } from './compile.ts';
import { plainReaderOf } from './plain.ts';
import type { Plan } from './plan.ts';
import type { AvroSchema, AvroTypes } from '../schema/schema.ts';

/** Options, and the schema to read data as. */
interface Resolution extends AvroOptions {
  readerSchema: AvroTypes;
}

const NAMES = ['unions', 'logicalTypes', 'timestamps', 'decimals', 'int64'] as const;

const plans = new Plans<AvroTypes, AvroOptions, Plan>(NAMES, (writerSchema, options) => compilePlan(writerSchema, undefined, options));
const resolutions = new Plans<AvroTypes, Resolution, Plan>(['readerSchema', ...NAMES], (writerSchema, { readerSchema, ...options }) =>
  compilePlan(writerSchema, readerSchema, options),
);

/** The plan for schemas and options, cached. */
export function planFor(writerSchema: AvroTypes, readerSchema: AvroTypes | undefined, options: AvroOptions): Plan {
  return readerSchema === undefined ? plans.get(writerSchema, options) : resolutions.get(writerSchema, { ...options, readerSchema });
}

/** A plain reader for small data; undefined if they need a reader with a sink. */
export function plainReaderFor(schema: AvroSchema, options: AvroOptions): PlainReader | undefined {
  return plainReaders.get(schema, options);
}

const plainReaders = new Plans<AvroSchema, AvroOptions, PlainReader | undefined>(
  [...NAMES, 'framing', 'maps', 'sequence'],
  ({ writerSchema, readerSchema }, options) => {
    const { framing = 'datum', maps = 'object', int64 = 'auto', sequence = false } = options;
    if (!writerSchema || framing !== 'datum' || maps !== 'object' || int64 !== 'auto' || sequence) return undefined;
    try {
      return plainReaderOf(planFor(writerSchema, readerSchema, options));
    } catch {
      // The reader reports the error.
      return undefined;
    }
  },
);
