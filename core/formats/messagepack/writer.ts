import type { Limits } from '../../limits.ts';
import { RecordIds } from '../../writing/record-ids.ts';
import { SharedValues } from '../../writing/shared-values.ts';
import { StringBundle } from '../../writing/string-bundle.ts';
import type { FormatWriter } from '../../writing/writer.ts';
import { CoreWriter, type RareValues } from './write/core-writer.ts';
import type { MessagePackWriteOptions } from './options.ts';
import { BUNDLE_FORM } from './write/bundles.ts';
import { RECORD_NUMBERS } from './write/records.ts';

export type { MessagePackClass, MessagePackWriteOptions } from './options.ts';

const RARE: RareValues = {
  records: (options) => new RecordIds(options, RECORD_NUMBERS),
  bundle: () => new StringBundle(BUNDLE_FORM),
  SharedValues,
};

/** Writes MessagePack with every option: see `CoreWriter`. */
export class MessagePackWriter extends CoreWriter {
  constructor(options: MessagePackWriteOptions, limits: Limits) {
    super(options, limits, RARE);
  }
}

/** Writes MessagePack: see `MessagePackWriter`. */
const messagepack: FormatWriter<MessagePackWriteOptions> = {
  id: 'messagepack',
  createWriter: (options, limits) => new MessagePackWriter(options, limits),
};

export default messagepack;
