import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { EncodedForm } from '../../reading/protocol.ts';
import { formatBytes, formatMilliseconds } from '../../text/numbers.ts';
import type { OpenBody } from '../body/open-body.ts';
import type { Panel } from '../panel.ts';
import { Note } from '../shared/note.tsx';
import { TableHead } from '../shared/table-head.tsx';

const NUMBERS = ['Size', 'Change', 'gzip', 'Encode', 'Decode'].map((label) => ({ label, isNumber: true }));
const COLUMNS = [{ label: 'Format' }, ...NUMBERS, { label: 'Note' }];

/** Tab *What if*: the value in every other format. */
export function WhatIfView({ panel, body }: { panel: Panel; body: OpenBody }) {
  const forms = useSignal<EncodedForm[]>([]);
  const count = useSignal(0);
  const problem = useSignal('');
  useEffect(() => {
    let isDisposed = false;
    forms.value = [];
    count.value = 0;
    problem.value = '';
    const tryAll = async (): Promise<void> => {
      const { client } = panel;
      const request = { bytes: body.content, format: body.format!, sequence: body.detection.sequence, schema: body.schema };
      count.value = await client.call('encodeStart', request);
      while (forms.value.length < count.value && !isDisposed) {
        const form = await client.call('encodeForm', { index: forms.value.length });
        if (isDisposed) return;
        if (form) forms.value = [...forms.value, form];
        else await client.call('encodeStart', request);
      }
    };
    tryAll().catch((error: unknown) => {
      if (!isDisposed) problem.value = (error as Error).message;
    });
    return () => {
      isDisposed = true;
    };
  }, [body]);
  if (problem.value) return <Note title="Cannot be encoded">{problem.value}</Note>;
  if (forms.value.length === 0) return <Note title="Encoding…">The value is encoded in each format and decoded again.</Note>;
  const largest = Math.max(body.content.length, ...forms.value.map(({ size }) => size));
  return (
    <div class="what-if" tabIndex={0} role="region" aria-label="The same value in other formats">
      <p class="muted">
        This body has {formatBytes(body.content.length)} of {body.format}. Times are medians of up to twelve runs of this library in the panel’s
        worker.
        {forms.value.length < count.value && ` ${forms.value.length} of ${count.value} done.`}
      </p>
      <table class="sizes">
        <TableHead columns={COLUMNS} />
        <tbody>
          {forms.value.map(({ name, size, gzip, encode, decode, note, lost, problem }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {problem ? (
                <>
                  <td colSpan={5} class="muted">
                    cannot represent this value
                  </td>
                  <td class="muted">{problem}</td>
                </>
              ) : (
                <>
                  <td class="number">
                    <span class="share" aria-hidden="true">
                      <span style={{ width: `${(size / largest) * 100}%` }} />
                    </span>
                    <span class="percent">{formatBytes(size)}</span>
                  </td>
                  <td class="number">{`${size >= body.content.length ? '+' : '−'}${Math.abs(Math.round((size / body.content.length - 1) * 100))} %`}</td>
                  <td class="number">{formatBytes(gzip)}</td>
                  <td class="number">{formatMilliseconds(encode)}</td>
                  <td class="number">{formatMilliseconds(decode)}</td>
                  <td class="muted">
                    {note}
                    {lost && <span class="what-if-lost">{`${note ? '; loses' : 'Loses'}: ${lost.join(', ')}`}</span>}
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
