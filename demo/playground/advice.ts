import type { EncodedForm } from '../../devtools-extension/index.ts';

/** Size and time of a payload as it is, measured like those of its forms. */
export interface OwnForm {
  name: string;
  /** Bytes after gzip. */
  gzip: number;
  /** Milliseconds to decode. */
  decode: number;
}

/** A form that is better than the payload as it is. */
export interface Advice {
  form: EncodedForm;
  /** Bytes after gzip, and time to decode, as fractions of the payload's. */
  size: number;
  time: number;
}

/** Fractions above which a difference is not worth a change. */
const WORTH = 0.95;

/** The form that is smaller after gzip and faster to read than the payload, by the product of both; undefined without one. */
export function adviceFor(own: OwnForm, forms: readonly EncodedForm[]): Advice | undefined {
  const better = forms
    .filter(({ problem, lost, name }) => problem === undefined && lost === undefined && name !== own.name)
    .map((form): Advice => ({ form, size: form.gzip / own.gzip, time: form.decode / own.decode }))
    .filter(({ size, time }) => size <= 1 && time <= 1 && Math.min(size, time) < WORTH);
  return better.toSorted((a, b) => a.size * a.time - b.size * b.time)[0];
}

/** The advice as a sentence. */
export function adviceText({ form, size, time }: Advice): string {
  const smaller = Math.round((1 - size) * 100);
  const sizes = smaller === 0 ? 'takes as many bytes after gzip' : `is ${smaller} % smaller after gzip`;
  const schema = form.note?.includes('inferred') ? ' with the schema inferred above' : '';
  return `Send this as ${form.name}${schema}: it ${sizes}, and is read in ${time.toFixed(2)} of the time.`;
}
