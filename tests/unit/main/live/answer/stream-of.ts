import { readFileSync } from 'node:fs';
import type { AnswerService } from '../../../../../main/index.ts';

/** The bytes of a recorded stream. */
export function streamOf(service: AnswerService, kind: 'value' | 'calls' | 'refusal' | 'error'): Buffer<ArrayBuffer> {
  return readFileSync(new URL(`../../../../fixtures/answers/${service}-${kind}.sse`, import.meta.url));
}
