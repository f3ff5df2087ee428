import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import capnproto from '../../../../../core/formats/capnproto/index.ts';
import { readCapnpText } from '../../../../../core/formats/capnproto/schema/capnp-text.ts';
import { readRequest } from '../../../../../core/formats/capnproto/schema/request.ts';
import type { CapnProtoSchema } from '../../../../../core/formats/capnproto/schema/schema.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { Dice } from './random.ts';
import { randomText } from './random-text.ts';
import { EMPTY_STRUCT, withoutDefaults } from './same-schema.ts';

const isInstalled = spawnSync('capnp', ['--version']).status === 0;

test.skipIf(!isInstalled)('reads random texts as the schemas that capnp compiles them to (skipped without the program capnp)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'capnp-text-'));
  const path = join(folder, 'random.capnp');
  let refused = 0;
  const count = caseCount(600, { least: 30 });
  try {
    for (let seed = 0; seed < count; seed += 1) {
      const text = randomText(new Dice(seed), seed);
      writeFileSync(path, text);
      const request = compile(path);
      if (request === undefined) refused += 1;
      if (request === 'failed') continue;
      try {
        for (const name of ['S0', 'Box', 'Box.Inner', 'Box.Pair']) check(text, request, name);
      } catch (error) {
        throw new Error(`seed ${seed}:\n${text}`, { cause: error });
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(refused).toBeLessThan(count / 4);
});

/**
 * The request that capnp writes; undefined if it refuses the text, and "failed" if it fails itself. Layouts that versions before 0.6
 * got wrong are allowed.
 */
function compile(path: string): Uint8Array | 'failed' | undefined {
  const { status, stdout, stderr } = spawnSync('capnp', ['compile', '-o-', path], { env: { ...process.env, CAPNP_IGNORE_ISSUE_344: '1' } });
  if (status === 0) return new Uint8Array(stdout);
  return /Internal compiler bug|Uncaught exception/.test(stderr.toString()) ? 'failed' : undefined;
}

function check(text: string, request: Uint8Array | undefined, name: string): void {
  if (request === undefined) {
    if (name === 'S0')
      expect(() => ['S0', 'S1', 'S2', 'S3'].filter((each) => text.includes(`struct ${each} {`)).map((each) => readCapnpText(text, {}, each))).toThrow(
        /line \d+, column \d+/,
      );
    return;
  }
  const own = readCapnpText(text, {}, name);
  const other = readRequest(request.slice(), name);
  assertSame(withoutDefaults(own), withoutDefaults(other));
  const decode = (schema: CapnProtoSchema): unknown => decodeWith(capnproto, EMPTY_STRUCT, { schema, options: { defaults: 'all' } });
  for (const [root, { fields }] of own.structs.entries()) if (fields.length > 0) assertSame(decode({ ...own, root }), decode({ ...other, root }));
}
