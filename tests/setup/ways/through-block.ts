import { BlockVerifier } from '../../../main/block/verify/verify.ts';
import type { ResultForm } from '../../../main/rows/form.ts';
import { Materialiser } from '../../../main/rows/materialise.ts';
import { resolveLimits } from '../../../core/limits.ts';
import { type ReviveTag, reviveCore } from '../../../core/reading/revive.ts';
import { ColumnSink } from '../../../core/sinks/columns/columns.ts';
import type { Sink } from '../../../core/reading/sink.ts';

/**
 * Passes the events of `write` through a verified block, as between a service worker and a page. `revive` creates the values
 * of a format's tags.
 */
export async function throughBlock(write: (sink: Sink) => void, as: ResultForm = 'objects', revive?: ReviveTag): Promise<unknown> {
  const materialiser = new Materialiser({
    as,
    revive: (tag, inner) => (revive && tag.includes(':') ? revive(tag, inner) : reviveCore(tag, inner)),
  });
  const verifier = new BlockVerifier(resolveLimits(), false);
  const sink = new ColumnSink((part) => {
    for (const steps = verifier.part(part, 0, part.byteLength); !steps.next().done;);
    materialiser.push(structuredClone(part, { transfer: [part] }));
  }, resolveLimits());
  write(sink);
  sink.finish();
  verifier.end();
  return materialiser.done();
}
