import { batch, computed, effect, type ReadonlySignal, signal, type Signal } from '@preact/signals';
import type { FormatId } from 'unspool';
import type {
  BodyState,
  EmbeddedBody,
  EncodedForm,
  EncodeRequest,
  InferredForm,
  OpenBody,
  RecordList,
  SchemaFile,
} from '../../devtools-extension/index.ts';
import type { FrameMonitor } from '../frames/frame-monitor.ts';
import type { Theme } from '../site/theme.ts';
import { type Advice, adviceFor } from './advice.ts';
import { CODE_TARGETS, type CodeSetting, type CodeTarget, RESULT_CHOICES, type ResultChoice } from './code.ts';
import { fetchAddress } from './source/fetch-address.ts';
import { measureWay, type Reading, waysFor } from './measuring/measure.ts';
import { pathsToPick } from './measuring/records.ts';
import { makeSample, SAMPLES } from './source/samples.ts';
import { type Source, sourceOfText } from './source/source.ts';
import type { ReadSetting } from './measuring/ways.ts';

/** The problem of a payload whose format is not detected. */
const UNKNOWN = 'No format was recognised. Choose one under “read as”, which shows where the payload is invalid, or drop its schema too.';

/** The work in progress. */
export type Activity = 'idle' | 'opening' | 'describing' | 'reading' | 'encoding';

/** The visitor's choices, which a link restores. It holds no data of a payload. */
export interface PlaygroundSettings {
  as: Signal<ResultChoice>;
  code: Signal<CodeTarget>;
  /** Id of a sample; empty for a payload of the visitor. */
  sample: Signal<string>;
}

/** Texts that describe the payload, or the reason why they are missing. */
export type Descriptions = Partial<Record<InferredForm, { text: string } | { problem: string }>>;

/** Facts about the open payload. */
export interface Facts {
  body: OpenBody;
  format: FormatId;
  /** Name of the format. */
  label: string;
  isSequence: boolean;
  /** Bytes as they are decoded: without compression and framing. */
  content: Uint8Array<ArrayBuffer>;
  records: RecordList | undefined;
  setting: ReadSetting;
}

export interface Playground {
  readonly settings: PlaygroundSettings;
  readonly source: ReadonlySignal<Source | undefined>;
  readonly body: ReadonlySignal<BodyState>;
  readonly facts: ReadonlySignal<Facts | undefined>;
  readonly schemas: ReadonlySignal<readonly SchemaFile[]>;
  /** Name of the schema file that is used, and its type. */
  readonly schema: ReadonlySignal<{ file: string; type: string } | undefined>;
  readonly descriptions: ReadonlySignal<Descriptions>;
  readonly readings: ReadonlySignal<readonly Reading[]>;
  readonly forms: ReadonlySignal<readonly EncodedForm[]>;
  /** Number of forms that are tried. */
  readonly formCount: ReadonlySignal<number>;
  /** Bytes of the content after gzip; 0 before they are known. */
  readonly gzip: ReadonlySignal<number>;
  readonly advice: ReadonlySignal<Advice | undefined>;
  readonly code: ReadonlySignal<CodeSetting | undefined>;
  /** The same for the format of the advice; undefined without advice, or if its schema is not shown. */
  readonly suggestedCode: ReadonlySignal<CodeSetting | undefined>;
  readonly activity: ReadonlySignal<Activity>;
  /** True if the payload is so large that it is measured on request only. */
  readonly waitsForConsent: ReadonlySignal<boolean>;
  /** Message about the last input; empty if it was opened. */
  readonly problem: ReadonlySignal<string>;
  /** Shows the payload in an element until the returned function is called. */
  show(place: Element, theme: ReadonlySignal<Theme>): () => void;
  openFiles(files: readonly File[]): Promise<void>;
  openText(text: string): Promise<void>;
  openAddress(address: string): Promise<void>;
  openSample(id: string): Promise<void>;
  chooseSchema(file: string, type: string): Promise<void>;
  /** Measures a large payload. */
  measure(): Promise<void>;
}

/** Largest payload that is measured without being asked: reading it blocks the page for a while. */
const MEASURED_BYTES = 24_000_000;
/** Bytes of a larger payload that are shown as a tree. */
const SHOWN_BYTES = 8_000_000;
const LARGE_BYTES = 32_000_000;
/** Most types of dropped schemas with which a payload is tried. */
const TRIED_TYPES = 200;
const DESCRIBED: readonly InferredForm[] = ['typescript', 'proto', 'avsc'];
/** Lines of a type that are part of the code. */
const TYPE_LINES = 60;

/** Takes the settings from the fragment of the address: `#as=rows&code=ky&sample=trips-json`. */
export function createPlaygroundSettings(hash = location.hash): PlaygroundSettings {
  const wanted = new URLSearchParams(hash.slice(1));
  const pick = <T extends string>(choices: readonly { value: T }[], name: string, usual: T): T =>
    choices.find(({ value }) => value === wanted.get(name))?.value ?? usual;
  return {
    as: signal(pick(RESULT_CHOICES, 'as', 'objects')),
    code: signal(pick(CODE_TARGETS, 'code', 'fetch')),
    sample: signal(SAMPLES.find(({ id }) => id === wanted.get('sample'))?.id ?? ''),
  };
}

/** The fragment that restores the settings. */
export function hashOf({ as, code, sample }: PlaygroundSettings): string {
  const values = { as: as.value, code: code.value, ...(sample.value && { sample: sample.value }) };
  return `#${new URLSearchParams(values).toString()}`;
}

export function createPlayground(settings: PlaygroundSettings, monitor: FrameMonitor): Playground {
  const source = signal<Source>();
  const body = signal<BodyState>({ status: 'none' });
  const schemas = signal<readonly SchemaFile[]>([]);
  const schema = signal<{ file: string; type: string }>();
  const descriptions = signal<Descriptions>({});
  const readings = signal<readonly Reading[]>([]);
  const forms = signal<readonly EncodedForm[]>([]);
  const formCount = signal(0);
  const gzip = signal(0);
  const activity = signal<Activity>('idle');
  const waitsForConsent = signal(false);
  const problem = signal('');
  const facts = signal<Facts>();
  const advice = computed((): Advice | undefined => {
    const own = ownForm.value;
    return own && adviceFor(own, forms.value);
  });
  const ownForm = computed(() => {
    const format = facts.value?.format;
    const measured = forms.value.find((form) => form.format === format && form.problem === undefined);
    if (!format || !measured || gzip.value === 0) return undefined;
    return { name: measured.name, gzip: gzip.value, decode: measured.decode };
  });
  const code = computed((): CodeSetting | undefined => {
    const { value } = facts;
    if (!value) return undefined;
    const { typescript } = descriptions.value;
    const declarations = typescript && 'text' in typescript ? typescript.text.replaceAll('export ', '') : undefined;
    const isShort = declarations !== undefined && declarations.split('\n').length <= TYPE_LINES;
    const as = (settings.as.value === 'pick' && value.setting.pick.length === 0) || !value.records ? 'objects' : settings.as.value;
    return {
      format: value.format,
      options: value.setting.options,
      as,
      pick: value.setting.pick,
      schema: schemaOf(value, schema.value),
      declarations: isShort ? declarations : undefined,
      type: isShort && /^(?:type|interface) Value\b/m.test(declarations) ? 'Value' : 'Root',
    };
  });
  const suggestedCode = computed(() => code.value && advice.value && codeOfAdvice(code.value, advice.value, descriptions.value));

  let panel: typeof import('../../devtools-extension/index.ts') | undefined;
  let embedded: EmbeddedBody | undefined;
  let work = new AbortController();
  /** Is called once the view is there. */
  let whenShown: (() => void) | undefined;
  const shown = (): Promise<void> => (embedded ? Promise.resolve() : new Promise((resolve) => (whenShown = resolve)));

  async function load(): Promise<NonNullable<typeof panel>> {
    return (panel ??= await import('../../devtools-extension/index.ts'));
  }

  /** Forgets the results of the last payload, and stops its measurements. */
  function forget(): void {
    work.abort();
    work = new AbortController();
    batch(() => {
      facts.value = undefined;
      descriptions.value = {};
      readings.value = [];
      forms.value = [];
      formCount.value = 0;
      gzip.value = 0;
      waitsForConsent.value = false;
      problem.value = '';
    });
  }

  /** Shows the payload in the view, which then says whether it could be read. */
  async function open(): Promise<void> {
    const given = source.peek();
    if (!given) return;
    forget();
    activity.value = 'opening';
    const { schemaInput } = await load();
    await shown();
    const used = schema.peek();
    const file = used && schemas.peek().find(({ name }) => name === used.file);
    await embedded!.open({
      ...given,
      schema: file && schemaInput(file, used.type, schemas.peek()),
      part: given.bytes.length > LARGE_BYTES ? SHOWN_BYTES : undefined,
    });
  }

  /** Describes and measures the payload that the view has read. */
  async function analyse(opened: OpenBody): Promise<void> {
    forget();
    const { signal } = work;
    const given = source.peek();
    if (!given || !opened.format || !opened.tree || opened.error || !panel) {
      // The view shows errors of a format itself.
      if (given && !opened.format && !opened.error) problem.value = UNKNOWN;
      activity.value = 'idle';
      return;
    }
    const isWhole = !opened.isPart;
    const isPlain = opened.detection.wrappings.length === 0;
    // A copy of the body that the view shows, or the payload itself if the view shows a part of it.
    const content = (isWhole ? opened.content : given.bytes) as Uint8Array<ArrayBuffer>;
    const records = panel.recordListOf(opened.tree);
    const isSequence = opened.detection.sequence;
    const setting: ReadSetting = {
      format: opened.format,
      isSequence,
      options: optionsOf(opened),
      schema: opened.schema?.input,
      records,
      pick: records ? pathsToPick(records) : [],
    };
    facts.value = { body: opened, format: opened.format, label: panel.ABOUT[opened.format].label, isSequence, content, records, setting };
    if (!isWhole && !isPlain) {
      problem.value = 'The file is compressed and large: its beginning is shown, and it is not measured. Decompress it to measure it.';
      activity.value = 'idle';
      return;
    }
    readings.value = waysFor(setting);
    if (content.length > MEASURED_BYTES) {
      waitsForConsent.value = true;
      activity.value = 'idle';
      return;
    }
    await measureAll(signal);
  }

  async function measureAll(signal: AbortSignal): Promise<void> {
    const { body: opened, content, setting, format, isSequence } = facts.peek()!;
    const request: EncodeRequest = { bytes: content, format, sequence: isSequence, schema: opened.schema };
    waitsForConsent.value = false;
    try {
      activity.value = 'describing';
      await describe(request, signal);
      activity.value = 'reading';
      const blob = new Blob([content]);
      for (const [index, reading] of readings.peek().entries()) {
        if (reading.problem !== undefined) continue;
        const onChange = (changed: Reading): void => {
          readings.value = readings.peek().with(index, changed);
        };
        await measureWay(reading, setting, blob, { monitor, signal, onChange });
      }
      activity.value = 'encoding';
      await encode(request, blob, signal);
    } catch (error) {
      if (signal.aborted) return;
      problem.value = (error as Error).message;
    }
    activity.value = 'idle';
  }

  async function describe(request: EncodeRequest, signal: AbortSignal): Promise<void> {
    for (const form of DESCRIBED) {
      const found = await embedded!.client.call('infer', { ...request, form }, { signal }).then(
        (text) => ({ text }),
        (error: unknown) => ({ problem: (error as Error).message }),
      );
      signal.throwIfAborted();
      descriptions.value = { ...descriptions.peek(), [form]: found };
    }
  }

  async function encode(request: EncodeRequest, blob: Blob, signal: AbortSignal): Promise<void> {
    const { client } = embedded!;
    gzip.value = await sizeOf(blob.stream().pipeThrough(new CompressionStream('gzip')), signal);
    formCount.value = await client.call('encodeStart', request, { signal });
    while (forms.peek().length < formCount.peek()) {
      const index = forms.peek().length;
      const form = await client.call('encodeForm', { index }, { signal });
      // The worker was replaced.
      if (!form) await client.call('encodeStart', request, { signal });
      else forms.value = [...forms.peek(), form];
    }
  }

  async function give(next: Source, sample = ''): Promise<void> {
    source.value = next;
    settings.sample.value = sample;
    await open();
  }

  let last = Promise.resolve();
  /** Runs an input after those before it. Its error becomes the message. */
  function input(run: () => Promise<void>): Promise<void> {
    return (last = last.then(async () => {
      problem.value = '';
      try {
        await run();
      } catch (error) {
        problem.value = (error as Error).message;
        activity.value = 'idle';
      }
    }));
  }

  /** Keeps a schema, and uses it. Returns false for other files. */
  async function takeSchema(file: File): Promise<boolean> {
    const { schemaFileOf, isDoubtful } = await load();
    if (file.size > SHOWN_BYTES) return false;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const found = schemaFileOf(file.name, bytes);
    if (!found) return false;
    if (found.base64 !== undefined) {
      try {
        await shown();
        found.types = await embedded!.client.call('schemaTypes', { format: found.format, bytes, isDoubtful: isDoubtful(file.name) });
      } catch (error) {
        if (isDoubtful(file.name)) return false;
        throw error;
      }
    }
    batch(() => {
      schemas.value = [...schemas.peek().filter(({ name }) => name !== found.name), found];
      schema.value = { file: found.name, type: likelyType(found) };
    });
    return true;
  }

  /** Chooses the schema and type by which the payload can be read to its end with the most values; none for JSON. */
  async function fitSchema(bytes: Uint8Array, contentType: string): Promise<void> {
    const { schemaInput } = await load();
    await shown();
    const { client } = embedded!;
    const request = { bytes, contentType, part: bytes.length > SHOWN_BYTES ? SHOWN_BYTES : undefined };
    const { format } = await client.call('detect', request);
    if (format === 'json') {
      schema.value = undefined;
      return;
    }
    let most = 0;
    for (const { file, type } of candidatesOf(schemas.peek(), schema.peek()).slice(0, TRIED_TYPES)) {
      const { error, data } = await client.call('read', { ...request, format: file.format, schema: schemaInput(file, type, schemas.peek()) });
      if (error || !data || data.kinds.length <= most) continue;
      most = data.kinds.length;
      schema.value = { file: file.name, type };
      // Any message can be read as any other, with unknown fields.
      if (file.format === 'protobuf') return;
    }
  }

  return {
    settings,
    source,
    body,
    facts,
    schemas,
    schema,
    descriptions,
    readings,
    forms,
    formCount,
    gzip,
    advice,
    code,
    suggestedCode,
    activity,
    waitsForConsent,
    problem,
    show(place, theme) {
      const ends: (() => void)[] = [];
      let isClosed = false;
      void load().then(({ embedBody }) => {
        if (isClosed) return;
        const view = (embedded = embedBody(place));
        ends.push(
          () => view.close(),
          effect(() => view.setTheme(theme.value)),
          effect(() => {
            const state = view.state.value;
            body.value = state;
            if (state.status === 'ready') void analyse(state.body);
            else if (state.status !== 'loading') activity.value = 'idle';
          }),
        );
        whenShown?.();
        // The visitor comes back to the page, or follows a link with a sample.
        if (source.peek()) void open();
        else if (settings.sample.peek()) void input(() => openSample(settings.sample.peek()));
      });
      return () => {
        isClosed = true;
        work.abort();
        for (const end of ends) end();
        embedded = undefined;
      };
    },
    openFiles: (files) =>
      input(async () => {
        let payload: File | undefined;
        let hasSchema = false;
        for (const file of files) {
          if (await takeSchema(file)) hasSchema = true;
          else payload = file;
        }
        if (payload) {
          const bytes = new Uint8Array(await payload.arrayBuffer());
          if (hasSchema) await fitSchema(bytes, payload.type);
          await give({ name: payload.name, bytes, contentType: payload.type });
        } else if (hasSchema) await open();
      }),
    openText: (text) => input(() => give(sourceOfText(text))),
    openAddress: (address) => input(async () => give(await fetchAddress(address))),
    openSample: (id) => input(() => openSample(id)),
    chooseSchema: (file, type) =>
      input(async () => {
        schema.value = file === '' ? undefined : { file, type };
        await open();
      }),
    measure: () => measureAll(work.signal),
  };

  async function openSample(id: string): Promise<void> {
    const sample = SAMPLES.find((candidate) => candidate.id === id)!;
    activity.value = 'opening';
    const { schemas: files, type, ...made } = await makeSample(sample);
    schema.value = undefined;
    for (const file of files) await takeSchema(file);
    if (schema.peek() && type) schema.value = { ...schema.peek()!, type };
    await give(made, id);
  }
}

/** Schemas with their types: the chosen one first, then the last of each file, which hold the others. */
function candidatesOf(files: readonly SchemaFile[], chosen: { file: string; type: string } | undefined): { file: SchemaFile; type: string }[] {
  const all = files.toReversed().flatMap((file) => (file.types.length > 0 ? file.types.toReversed() : ['']).map((type) => ({ file, type })));
  const isChosen = ({ file, type }: { file: SchemaFile; type: string }): boolean => file.name === chosen?.file && type === chosen.type;
  return [...all.filter(isChosen), ...all.filter((candidate) => !isChosen(candidate))];
}

/** The type that a payload probably has: the first that the schema's text names once outside of comments, since parts of others are named again there. */
function likelyType({ types, text = '' }: SchemaFile): string {
  const counts = new Map<string, number>();
  const plain = text.replaceAll(/\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|#[^\n]*/g, '');
  for (const [word] of plain.matchAll(/\w+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return types.find((type) => counts.get(type.split('.').at(-1)!) === 1) ?? types[0] ?? '';
}

/** The code for the format of an advice, with the schema that is shown for the payload if the form has an inferred one. */
function codeOfAdvice(code: CodeSetting, { form: { format, name, note } }: Advice, { proto, avsc }: Descriptions): CodeSetting | undefined {
  const setting: CodeSetting = { ...code, format, options: {}, schema: undefined };
  if (name.endsWith(', records')) return { ...setting, writing: { records: true } };
  if (!note?.includes('inferred')) return setting;
  if (format === 'avro' && avsc && 'text' in avsc) return { ...setting, schema: { file: 'payload.avsc', type: '' } };
  const [, message] = (format === 'protobuf' && proto && 'text' in proto && /^message (\w+)/m.exec(proto.text)) || [];
  return message === undefined ? undefined : { ...setting, options: { names: 'proto' }, schema: { file: 'payload.proto', type: message } };
}

/** Options with which the decoder gives the values that the view shows. */
function optionsOf({ format, schema, detection: { sequence } }: OpenBody): Record<string, unknown> {
  const byNumber = format === 'protobuf' && schema === undefined;
  return {
    ...schema?.options,
    ...(sequence && { sequence }),
    ...(byNumber && { schemaless: true }),
    ...(format === 'protobuf' && !byNumber && { names: 'proto' }),
  };
}

function schemaOf({ body }: Facts, used: { file: string; type: string } | undefined): CodeSetting['schema'] {
  return body.schema && used ? used : undefined;
}

async function sizeOf(stream: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<number> {
  const reader = stream.getReader();
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    signal.throwIfAborted();
    size += part.value.length;
  }
  return size;
}
