import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { addressOf } from '../../text/address.ts';
import { type Panel } from '../panel.ts';
import { fileOfPage, forgetSchema, keepSchema, schemaFiles, schemaMappings } from './schemas.ts';

/** Schema files, and the addresses that use them. */
export function SchemaPanel({ panel }: { panel: Panel }) {
  const row = panel.selection.row.value;
  const pattern = useSignal('');
  const file = useSignal('');
  const type = useSignal('');
  const files = schemaFiles.value;
  const page = panel.library.state.value?.schemas ?? [];
  useEffect(() => void panel.library.read(), []);
  const chosen = files.find(({ name }) => name === file.value) ?? files[0];
  const address = pattern.value || (row ? addressOf(row.exchange.url) : '');
  return (
    <section class="schemas" aria-label="Schemas">
      {files.length === 0 ? (
        <p class="muted">
          Drop a schema on the panel, then choose the addresses it applies to: .proto, a descriptor set (.desc, .pb), .avsc, .bop, .bfbs, a Cap’n
          Proto request (capnp compile -o- → .request), a js-binary type literal (.json) or msgpackr structures (structures.json). The panel remembers
          it. Schemas of a page that decodes with Unspool are used automatically.
        </p>
      ) : (
        <>
          <ul class="schema-files">
            {files.map(({ name, format }) => (
              <li key={name}>
                <strong>{name}</strong> <span class="muted">{format}</span>{' '}
                <button class="button button-small" aria-label={`Remove ${name}`} onClick={() => forgetSchema(name)}>
                  Remove
                </button>
              </li>
            ))}
          </ul>
          <form
            class="view-bar"
            onSubmit={(event) => {
              event.preventDefault();
              if (chosen) void mapSchema(panel, address, chosen.name, type.value || (chosen.types[0] ?? ''));
            }}
          >
            <label>
              Address{' '}
              <input
                class="field schema-pattern"
                value={address}
                onInput={(event) => {
                  pattern.value = event.currentTarget.value;
                }}
              />
            </label>
            <label>
              Schema{' '}
              <select
                class="field"
                value={chosen?.name ?? ''}
                onChange={(event) => {
                  file.value = event.currentTarget.value;
                  type.value = '';
                }}
              >
                {files.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
            <label>
              Type{' '}
              {chosen && chosen.types.length > 0 ? (
                <select
                  class="field"
                  value={type.value || chosen.types[0]}
                  onChange={(event) => {
                    type.value = event.currentTarget.value;
                  }}
                >
                  {chosen.types.map((name) => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              ) : (
                <input
                  class="field"
                  value={type.value}
                  onInput={(event) => {
                    type.value = event.currentTarget.value;
                  }}
                />
              )}
            </label>
            <button class="button" disabled={address === ''}>
              Apply
            </button>
          </form>
        </>
      )}
      {page.length > 0 && (
        <>
          <p class="muted">From this page:</p>
          <ul class="schema-files">
            {page.map((schema) => (
              <li key={`${schema.format} ${schema.name}`}>
                <strong>{schema.name}</strong> <span class="muted">{schema.format}</span>{' '}
                <button class="button button-small" aria-label={`Keep ${schema.name}`} onClick={() => keepSchema(fileOfPage(schema))}>
                  Keep
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {(schemaMappings.value.length > 0 || panel.schemas.overrides.value.length > 0) && (
        <ul class="schema-files" aria-label="Remembered for addresses">
          {schemaMappings.value.map((mapping) => (
            <li key={mapping.pattern}>
              <code>{mapping.pattern}</code> → {mapping.file} {mapping.type}{' '}
              <button
                class="button button-small"
                aria-label={`Forget ${mapping.pattern}`}
                onClick={() => void mapSchema(panel, mapping.pattern, '', '')}
              >
                Forget
              </button>
            </li>
          ))}
          {panel.schemas.overrides.value.map(({ pattern: address, format }) => (
            <li key={`format ${address}`}>
              <code>{address}</code> → {format}{' '}
              <button
                class="button button-small"
                aria-label={`Forget the format of ${address}`}
                onClick={() => {
                  panel.schemas.forgetFormat(address);
                  void panel.selection.reopen();
                }}
              >
                Forget
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Stores the mapping for an address, and reads the selected body again. */
function mapSchema(panel: Panel, pattern: string, file: string, type: string): Promise<void> {
  panel.schemas.map(pattern, file, type);
  return panel.selection.reopen();
}
