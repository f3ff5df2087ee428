import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { addressOf, nameOf } from '../../text/address.ts';
import { counted } from '../../text/numbers.ts';
import { visible } from '../../text/visible-text.ts';
import { type Panel } from '../panel.ts';
import type { SchemaFile } from './schema-files.ts';
import { choicesOf, Select } from '../shared/select.tsx';
import { fileOfPage, forgetSchema, keepSchema, type SchemaMapping, schemaFiles, schemaMappings } from './schemas.ts';

/** Schema files, and the addresses that use them. */
export function SchemaPanel({ panel }: { panel: Panel }) {
  const row = panel.selection.row.value;
  const pattern = useSignal('');
  const file = useSignal('');
  const type = useSignal<string | undefined>(undefined);
  const request = useSignal<string | undefined>(undefined);
  const files = schemaFiles.value;
  const page = panel.library.state.value?.schemas ?? [];
  useEffect(() => void panel.library.read(), []);
  const chosen = files.find(({ name }) => name === file.value) ?? files[0];
  const address = pattern.value || (row ? addressOf(row.exchange.url) : '');
  return (
    <section class="schemas" aria-label="Schemas">
      {files.length === 0 ? (
        <p class="muted">
          Drop a schema on the panel, then choose the addresses it applies to. The calls of a service in a .proto need no choice. Accepted are .proto,
          a descriptor set (.desc, .pb), .avsc, .bop, .fbs, .bfbs, a .capnp or a Cap’n Proto request (capnp compile -o- → .request), a js-binary type
          literal (.json) or msgpackr structures (structures.json). The panel remembers it. Schemas of a page that decodes with Unspool are used
          automatically.
        </p>
      ) : (
        <>
          <ul class="schema-files">
            {files.map(({ name, format }) => (
              <li key={name}>
                <strong>{name}</strong> <span class="muted">{format}</span>{' '}
                <button class="button button-small" aria-label={`Remove ${name}`} onClick={() => removeSchema(panel, name)}>
                  Remove
                </button>
              </li>
            ))}
          </ul>
          <form
            class="view-bar"
            onSubmit={(event) => {
              event.preventDefault();
              if (chosen) void mapSchema(panel, address, chosen.name, typeOf(type.value ?? chosen.types[0] ?? ''), typeOf(request.value ?? NOT));
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
              <Select
                choices={choicesOf(files.map(({ name }) => name))}
                value={chosen?.name ?? ''}
                onChoose={(name) => {
                  file.value = name;
                  type.value = request.value = undefined;
                }}
              />
            </label>
            {chosen && <TypeField label="Response type" file={chosen} type={type} initial={chosen.types[0] ?? ''} />}
            {chosen && <TypeField label="Request type" file={chosen} type={request} initial={NOT} />}
            <button class="button" disabled={address === ''}>
              Apply
            </button>
          </form>
        </>
      )}
      <FoundList panel={panel} />
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
              <code>{mapping.pattern}</code> → {mapping.file} {mappedTypes(mapping)}{' '}
              <button
                class="button button-small"
                aria-label={`Forget ${mapping.pattern}`}
                onClick={() => void mapSchema(panel, mapping.pattern, '', undefined, undefined)}
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

function removeSchema(panel: Panel, name: string): void {
  forgetSchema(name);
  void panel.selection.reopenForSchema();
}

/** Stores the mapping for an address, and reads the selected body again. */
function mapSchema(panel: Panel, pattern: string, file: string, type: string | undefined, request: string | undefined): Promise<void> {
  panel.schemas.map(pattern, file, type, request);
  return panel.selection.reopen();
}

/** Choice of no type in one direction. */
const NOT = '\0';

function typeOf(choice: string): string | undefined {
  return choice === NOT ? undefined : choice;
}

/** Types of a mapping, for display. */
function mappedTypes({ type, request }: SchemaMapping): string {
  const parts = [type !== undefined && `response ${type}`, request !== undefined && `request ${request}`];
  return parts.filter((part) => part !== false).join(', ');
}

/** Choice of the type in one direction. */
function TypeField({ label, file, type, initial }: { label: string; file: SchemaFile; type: Signal<string | undefined>; initial: string }) {
  const types = file.types.length === 0 ? [{ value: '', label: 'of the schema' }] : choicesOf(file.types);
  return (
    <label>
      {label} <Select choices={[{ value: NOT, label: 'none' }, ...types]} value={type.value ?? initial} onChoose={(name) => (type.value = name)} />
    </label>
  );
}

/** Types found in the page's scripts, with the script of each. */
function FoundList({ panel }: { panel: Panel }) {
  const { found } = panel.schemas;
  const file = found?.file.value;
  if (found?.isSearching.value) return <p class="muted">Searching the page’s scripts for schemas…</p>;
  if (!file) {
    return (
      <p class="muted">
        <button class="button button-small" onClick={() => void found?.search().then(() => panel.selection.reopen())}>
          Search the page’s scripts for schemas
        </button>
      </p>
    );
  }
  const { types, methods = [], origin, messages } = file;
  return (
    <details class="schema-found">
      <summary>
        {counted(types.length, 'type')} and the types of {counted(methods.length, 'method')} found in the scripts of {visible(origin)}{' '}
        <button class="button button-small" title="Keep these types as a file, to map them to other addresses" onClick={() => keepSchema(file)}>
          Keep
        </button>
      </summary>
      <ul class="schema-files">
        {messages.map(({ name, where, by }) => (
          <li key={name}>
            <strong>{visible(name)}</strong>{' '}
            <span class="muted">
              {by}, in {visible(nameOf(where))}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
