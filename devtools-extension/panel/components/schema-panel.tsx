import { useSignal } from '@preact/signals';
import { addressOf } from '../models/address.ts';
import { type Panel } from '../models/panel.ts';
import { schemaFiles, schemaMappings } from '../models/schemas.ts';

/** The schemas, and which requests they are for. */
export function SchemaPanel({ panel }: { panel: Panel }) {
  const row = panel.selectedRow.value;
  const pattern = useSignal('');
  const file = useSignal('');
  const type = useSignal('');
  const files = schemaFiles.value;
  const chosen = files.find(({ name }) => name === file.value) ?? files[0];
  const address = pattern.value || (row ? addressOf(row.exchange.url) : '');
  return (
    <section class="schemas" aria-label="Schemas">
      {files.length === 0 ? (
        <p class="muted">Drop a schema on the panel: .proto, a descriptor set (.desc, .pb), .avsc, .bop or .bfbs. It is kept, and you say for which addresses it is.</p>
      ) : (
        <>
          <ul class="schema-files">
            {files.map(({ name, format }) => (
              <li key={name}>
                <strong>{name}</strong> <span class="muted">{format}</span>{' '}
                <button
                  class="button button-small"
                  aria-label={`Remove ${name}`}
                  onClick={() => {
                    schemaFiles.value = schemaFiles.value.filter((other) => other.name !== name);
                    schemaMappings.value = schemaMappings.value.filter((mapping) => mapping.file !== name);
                  }}
                >
                  Remove
                </button>
              </li>
            ))}
          </ul>
          <form
            class="view-bar"
            onSubmit={(event) => {
              event.preventDefault();
              if (chosen) void panel.mapSchema(address, chosen.name, type.value || (chosen.types[0] ?? ''));
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
              Use it
            </button>
          </form>
        </>
      )}
      {schemaMappings.value.length > 0 && (
        <ul class="schema-files">
          {schemaMappings.value.map((mapping) => (
            <li key={mapping.pattern}>
              <code>{mapping.pattern}</code> → {mapping.file} {mapping.type}{' '}
              <button class="button button-small" aria-label={`Forget ${mapping.pattern}`} onClick={() => void panel.mapSchema(mapping.pattern, '', '')}>
                Forget
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
