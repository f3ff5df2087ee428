/** The library's worker with a codec of the application. */
import { registerCodec } from '../../../../../core/formats/avro/index.ts';
import '../../../../../worker/entry.ts';
import { bunzip } from '../../../../setup/values/bunzip.ts';

registerCodec('bzip2', bunzip);
