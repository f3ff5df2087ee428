import { BlockVerifier } from '../../../main/block/verify/verify.ts';
import type { ResultForm } from '../../../main/rows/form.ts';
import { Materialiser } from '../../../main/rows/materialise.ts';
import { resolveLimits } from '../../../core/limits.ts';
import { type Revive, reviveCore } from '../../../core/reading/revive.ts';
import { ColumnSink } from '../../../core/sinks/columns/columns.ts';
import type { Sink } from '../../../core/reading/sink.ts';

/**
 * What `write` sends to a sink, by way of a block that is checked: as a service worker and a page would pass it on. `revive` makes the values of
 * a format's own tags.
 */
export async function throughBlock(write: (sink: Sink) => void, as: ResultForm = 'objects', revive?: Revive): Promise<unknown> {
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
