import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { EncodedForm } from '../../reading/protocol.ts';
import { formatBytes, formatMilliseconds } from '../models/numbers.ts';
import type { OpenBody } from '../models/open-body.ts';
import type { Panel } from '../models/panel.ts';
import { Note } from './note.tsx';

/** The same value in other formats. */
export function WhatIfView({ panel, body }: { panel: Panel; body: OpenBody }) {
  const forms = useSignal<EncodedForm[] | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    let isGone = false;
    forms.value = undefined;
    problem.value = '';
    const request = { bytes: body.bytes, format: body.format!, sequence: body.detection.sequence, schema: body.schema };
    panel.client.call('encode', request).then(
      (done) => {
        if (!isGone) forms.value = done;
      },
      (error: Error) => {
        if (!isGone) problem.value = error.message;
      },
    );
    return () => {
      isGone = true;
    };
  }, [body]);
  if (problem.value) return <Note title="Cannot be encoded">{problem.value}</Note>;
  if (!forms.value) return <Note title="Encoding…">The value is written in each of the other formats and read again.</Note>;
  const largest = Math.max(body.bytes.length, ...forms.value.map(({ size }) => size));
  return (
    <div class="what-if" tabIndex={0} role="region" aria-label="The same value in other formats">
      <p class="muted">
        This body is {formatBytes(body.bytes.length)} of {body.format}. Decode times are of this library’s readers, in the panel’s worker: the best of three.
      </p>
      <table class="sizes">
        <thead>
          <tr>
            <th scope="col">Format</th>
            <th scope="col" class="number">
              Size
            </th>
            <th scope="col" class="number">
              Against now
            </th>
            <th scope="col" class="number">
              gzip
            </th>
            <th scope="col" class="number">
              Decode
            </th>
            <th scope="col">Note</th>
          </tr>
        </thead>
        <tbody>
          {forms.value.map(({ name, size, gzip, decode, note, problem }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {problem ? (
                <>
                  <td colSpan={4} class="muted">
                    cannot hold this value
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
                  <td class="number">{`${size >= body.bytes.length ? '+' : '−'}${Math.abs(Math.round((size / body.bytes.length - 1) * 100))} %`}</td>
                  <td class="number">{formatBytes(gzip)}</td>
                  <td class="number">{formatMilliseconds(decode)}</td>
                  <td class="muted">{note}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="muted">Brotli is not shown: browsers cannot write it. Avro, BSON, Bebop, FlatBuffers, Cap’n Proto, Sia and js-binary are not tried.</p>
    </div>
  );
}
