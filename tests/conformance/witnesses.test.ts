import { expect, test } from 'vitest';
import type { AnyFormat } from '../../core/format/format.ts';
import { loadFormat } from '../../core/formats/loaders.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { openFolder } from '../setup/servers/folders.ts';
import { checkCases } from '../witnesses/cases.ts';

const fixtures = (await openFolder('fixtures', 'witnesses'))!;

const readCorpus = async (path: string): Promise<string | undefined> => {
  const [name, ...rest] = path.split('/');
  const corpus = await openFolder('corpora', name!);
  return corpus?.text(rest.join('/'));
};

test.for(fixtures.files)('the cases in %s decode to the values of their reference implementation', async (file, { skip }) => {
  const load = async (id: string): Promise<AnyFormat> => await loadFormat(id as FormatId);
  const { faults, count } = (await checkCases(await fixtures.text(file), load, readCorpus)) ?? skip('the corpora are not there');
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(100);
});
