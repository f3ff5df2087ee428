import { useSignal } from '@preact/signals';
import { offsetOf, readingsAt } from './data-inspector.ts';
import { formatOffset } from '../../text/numbers.ts';
import type { OpenBody } from '../body/open-body.ts';
import { TableHead } from '../shared/table-head.tsx';

const COLUMNS = ['Type', 'Little-endian', 'Big-endian'].map((label) => ({ label }));

/** Field that jumps to an offset, and the number readings of the bytes at the cursor. */
export function ByteInspector({ body }: { body: OpenBody }) {
  const text = useSignal('');
  const isOpen = useSignal(false);
  const at = body.byte.value;
  const wanted = offsetOf(text.value, body.bytes.length);
  return (
    <div class="byte-bar">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== undefined) body.selectByte(wanted);
        }}
      >
        <input
          class="field field-small byte-offset"
          placeholder="Go to 0x…"
          aria-label="Go to an offset"
          aria-invalid={text.value !== '' && wanted === undefined}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </form>
      <button
        class="button button-small"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        Numbers
      </button>
      {at >= 0 && <span class="muted">{formatOffset(at)}</span>}
      {isOpen.value && (
        <div class="byte-readings" tabIndex={0} role="region" aria-label="Numbers at the byte">
          {at < 0 ? (
            <p class="muted">Select a byte.</p>
          ) : (
            <table>
              <TableHead columns={COLUMNS} />
              <tbody>
                {readingsAt(body.bytes, at).map(({ name, little, big }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td colSpan={big === undefined ? 2 : 1}>{little}</td>
                    {big !== undefined && <td>{big}</td>}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      )}
    </div>
  );
}
