import { DecodeError, EncodeError, LimitError, SchemaError } from '../../../core/errors.ts';
import type { AnyFormat } from '../../../core/format/format.ts';
import { resolveLimits } from '../../../core/limits.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { decodeSync, encodeSync } from '../../../main/sync.ts';
import { hex, toHex } from '../../setup/values/hex.ts';
import { assertSame, type DecodeSetting, sameInEveryCut } from '../../setup/ways/differential.ts';
import { encodeEveryWay } from '../../setup/ways/encode-with.ts';

/** Inputs of at most this many bytes are also cut at every byte. */
const CUT = 2_000;

interface Setting {
  readonly options?: object;
  /** As given to `compileSchema` of the format. */
  readonly schema?: unknown;
  readonly limits?: DecodeSetting['limits'];
}

/** Bytes as hexadecimal digits, or text. */
type Input = { readonly hex: string | (() => Uint8Array) } | { readonly text: string };

/** The expectation: a value, or the code of the error (the name of the limit, of a LimitError). */
type Expected = { readonly gives: unknown } | { readonly rejects: string };

/** A payload that is read. */
type Reading = Setting & Input & Expected & { readonly read: FormatId };

/** A value that is written to these bytes, or to such that are read as the same or the given value. */
type Writing = Setting & { readonly write: FormatId; readonly value: unknown } & (
    | { readonly bytes: string }
    | { readonly back: unknown }
    | { readonly rejects: string }
  );

/** Anything else. */
type Trying = Expected & { readonly tried: () => unknown };

/** A public bug report about a library of this field, and the smallest input that shows whether Unspool has the fault. */
export type Report = (Reading | Writing | Trying) & {
  /** The repository and the number of the issue or pull request on GitHub. */
  readonly report: string;
  /** The fault that was reported. */
  readonly was: string;
  /** The result of Unspool, if that is not plain. */
  readonly note?: string;
};

/** Tries the input of a report. Throws if the result is another one. */
export async function tryReport(report: Report): Promise<void> {
  if ('tried' in report) return await check(report, report.tried);
  const { schema, options = {}, limits } = report;
  const format = ((await import(`../../../core/formats/${'read' in report ? report.read : report.write}/index.ts`)) as { default: AnyFormat })
    .default;
  const compiled: unknown = schema === undefined ? undefined : await compileSchema(format, schema, report);
  if (compiled === REJECTED) return;
  if ('read' in report) {
    const bytes = 'text' in report ? new TextEncoder().encode(report.text) : typeof report.hex === 'string' ? hex(report.hex) : report.hex();
    await check(report, () => decodeSync(format, bytes, { options, schema: compiled, limits }));
    if (bytes.length > CUT) return;
    const cut = sameInEveryCut(format, bytes, { options, schema: compiled, ...(limits && { limits }) });
    if ('gives' in report) assertSame(cut, { value: report.gives });
    return;
  }
  const { default: writer } = (await import(`../../../core/formats/${report.write}/writer.ts`)) as { default: never };
  const setting = { options, schema: compiled } as never;
  if ('rejects' in report) return await check(report, () => encodeSync(writer, report.value as never, setting));
  const bytes = encodeSync(writer, report.value as never, setting);
  if (bytes.length <= CUT) assertSame(encodeEveryWay(writer, report.value, setting), bytes);
  if ('bytes' in report) assertSame(toHex(bytes), report.bytes.replaceAll(' ', ''));
  else assertSame(decodeSync(format, bytes, { schema: compiled, options: readable(format, options) }), report.back);
}

const REJECTED = Symbol('rejected');

async function compileSchema(format: AnyFormat, schema: unknown, report: Report): Promise<unknown> {
  const compile = (): unknown => format.compileSchema!(schema);
  if (!('rejects' in report && report.rejects === 'schema')) return await compile();
  await check(report, compile);
  return REJECTED;
}

/** The options of a writer that its reader has too. */
function readable(format: AnyFormat, options: object): object {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => isOneOf((format.options as Readonly<Record<string, unknown>> | undefined)?.[name], value)),
  );
}

function isOneOf(kind: unknown, value: unknown): boolean {
  return Array.isArray(kind) ? kind.includes(value) : kind !== undefined;
}

async function check(expected: Expected, give: () => unknown): Promise<void> {
  let value: unknown;
  try {
    value = await give();
  } catch (error) {
    if ('rejects' in expected) return assertSame(codeOf(error), expected.rejects);
    throw error;
  }
  assertSame('rejects' in expected ? { value } : value, 'gives' in expected ? expected.gives : expected.rejects);
}

function codeOf(error: unknown): unknown {
  if (error instanceof LimitError) return error.limit;
  if (error instanceof DecodeError || error instanceof EncodeError || error instanceof SchemaError) return error.code;
  throw error;
}

const LIMITS = Object.keys(resolveLimits(undefined));

/** The part of a page of the documentation about some reports: those with a right value by their links, a line for each other one. */
export function partOf(title: string, reports: readonly Report[]): string {
  const lines = reports.flatMap((report) => {
    const result = resultOf(report);
    return result === undefined ? [] : [`| ${linkOf(report)} | ${report.was} | ${result} |`];
  });
  const table = lines.length === 0 ? [] : ['| report | reported | here |', '|---|---|---|', ...lines, ''];
  // A report with several inputs is named once.
  const right = new Set(reports.filter((report) => resultOf(report) === undefined).map(linkOf));
  return [`## ${title}`, '', ...table, `Right: ${[...right].join(', ')}.`, ''].join('\n');
}

/** The page's words for a result; undefined if it is the right value. */
function resultOf(report: Report): string | undefined {
  return report.note ?? ('rejects' in report ? `rejected: ${LIMITS.includes(report.rejects) ? 'the limit ' : ''}\`${report.rejects}\`` : undefined);
}

function linkOf({ report }: Report): string {
  return `[${report}](https://github.com/${report.replace('#', '/issues/')})`;
}
