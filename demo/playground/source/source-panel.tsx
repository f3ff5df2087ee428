import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Action } from '../../ui/action.tsx';
import type { Playground } from '../playground.ts';
import { SAMPLES } from './samples.ts';

/** Takes files, text, an address or a sample. Files can be dropped, and anything can be pasted, anywhere on the page. */
export function SourcePanel({ playground }: { playground: Playground }) {
  const { problem, settings, source } = playground;
  const files = useRef<HTMLInputElement>(null);
  const isOver = useSignal(false);
  const text = useSignal('');
  const address = useSignal('');

  useEffect(() => {
    const ends = new AbortController();
    const { signal } = ends;
    addEventListener(
      'dragover',
      (event) => {
        event.preventDefault();
        isOver.value = true;
      },
      { signal },
    );
    addEventListener('dragleave', ({ relatedTarget }) => void (isOver.value = relatedTarget !== null), { signal });
    addEventListener(
      'drop',
      (event) => {
        event.preventDefault();
        isOver.value = false;
        const { files: dropped = [] } = event.dataTransfer ?? {};
        const words = event.dataTransfer?.getData('text') ?? '';
        if (dropped.length > 0) void playground.openFiles([...dropped]);
        else if (words !== '') void playground.openText(words);
      },
      { signal },
    );
    addEventListener(
      'paste',
      (event) => {
        if ((event.target as Element).closest?.('input, textarea')) return;
        const { files: pasted = [] } = event.clipboardData ?? {};
        const words = event.clipboardData?.getData('text') ?? '';
        if (pasted.length > 0) void playground.openFiles([...pasted]);
        else if (words !== '') void playground.openText(words);
      },
      { signal },
    );
    return () => ends.abort();
  }, [playground, isOver]);

  return (
    <section class="panel" aria-labelledby="source-title">
      <h2 id="source-title" class="visually-hidden">
        Your payload
      </h2>
      <div class={`drop${isOver.value ? ' drop-over' : ''}${source.value ? ' drop-small' : ''}`}>
        <p class="drop-title">{isOver.value ? 'Let go to open it' : 'Drop a payload here, with its schema if it needs one'}</p>
        <p class="small muted">
          JSON, MessagePack, CBOR, BSON, Avro, Arrow, Protocol Buffers, FlatBuffers, Cap’n Proto, Bebop, Sia, js-binary; also compressed. Schemas:
          .proto, .fbs, .capnp, .avsc, .bop, .bfbs, .desc.
        </p>
        <Action isMain onClick={() => files.current!.click()}>
          Choose files
        </Action>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label="Files"
          onChange={(event) => {
            const chosen = [...(event.currentTarget.files ?? [])];
            event.currentTarget.value = '';
            if (chosen.length > 0) void playground.openFiles(chosen);
          }}
        />
      </div>
      <div class="source-ways">
        <form
          class="source-way"
          onSubmit={(event) => {
            event.preventDefault();
            void playground.openText(text.value);
          }}
        >
          <label for="pasted">Paste JSON, hexadecimal or base64</label>
          <div class="source-field">
            <textarea
              id="pasted"
              class="field"
              rows={1}
              spellcheck={false}
              value={text.value}
              onInput={(event) => {
                text.value = event.currentTarget.value;
              }}
            />
            <button class="button">Open text</button>
          </div>
        </form>
        <form
          class="source-way"
          onSubmit={(event) => {
            event.preventDefault();
            void playground.openAddress(address.value);
          }}
        >
          <label for="address">Fetch an address</label>
          <div class="source-field">
            <input
              id="address"
              class="field"
              inputMode="url"
              placeholder="https://"
              autocomplete="off"
              spellcheck={false}
              value={address.value}
              onInput={(event) => {
                address.value = event.currentTarget.value;
              }}
            />
            <button class="button">Fetch</button>
          </div>
        </form>
      </div>
      <div class="source-samples" role="group" aria-label="Samples">
        <span class="small muted">Or a sample:</span>
        {SAMPLES.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            class={`button button-sample${settings.sample.value === id ? ' button-chosen' : ''}`}
            aria-pressed={settings.sample.value === id}
            onClick={() => void playground.openSample(id)}
          >
            {label}
          </button>
        ))}
      </div>
      <p class="small muted source-privacy">
        Nothing leaves this page: everything is read and measured in this browser, and the page’s security policy allows it no request to another
        server. An address is fetched by a sandboxed document that has nothing but the address.
      </p>
      <p class="source-problem" role="alert">
        {problem.value}
      </p>
    </section>
  );
}
