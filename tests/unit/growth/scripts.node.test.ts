/** Work for what others write that is no payload: the scripts and addresses of a page, and schemas of the command. */
import { excessOf } from '../../setup/work/work.ts';
import { expect, test } from 'vitest';
import { typesOf } from '../../../devtools-extension/panel/schemas/schema-files.ts';
import { findSchemas } from '../../../devtools-extension/reading/found/find-schemas.ts';
import { methodsInProto } from '../../../devtools-extension/reading/schemas/services.ts';
import { Declarations } from '../../../main/cli/types/declarations.ts';
import { list } from './shapes.ts';

const script = (size: number, line: (at: number) => string, around: [string, string] = ['', '']): string =>
  `"protobuf uint32(1) encodeInto record"; ${around[0]}${list(size, line).join('\n')}${around[1]}`;
const FUNCTION: [string, string] = ['function all() {', '}'];
const bytesOf = (text: string): string => [...new TextEncoder().encode(text)].join();
/** Code of bebopc for a record, and a binary schema of as many empty structs. */
const bebop = (size: number): string => {
  const structs = list(size, (at) => `${bytesOf(`S${at}`)},0,1,0,0,0,0,0,0,0,0`);
  const code = list(size, (at) => `const T${at} = { encodeInto(record, view) { view.writeInt32(record.f${at}); }, readFrom() {} };`);
  return `new Uint8Array([3,${[...new Uint8Array(Uint32Array.of(size).buffer)].join()},${structs.join()}]); ${code.join('\n')}`;
};

/** One of 4,096 names that give the same identifier: `a.a_a…`. */
const sameIdentifier = (at: number): string => `a${Array.from(at.toString(2).padStart(12, '0'), (bit) => (bit === '1' ? '.a' : '_a')).join('')}`;

const SCRIPTS: readonly [name: string, size: number, make: (size: number) => string][] = [
  ['doubled sums of texts', 100, (size) => script(size, (at) => `const a${at} = ${at === 0 ? '"x"' : `a${at - 1} + a${at - 1}`}; call(a${at});`)],
  ['long sums of texts', 100, (size) => script(size, () => `call(${Array(20).fill('"x"').join('+')});`)],
  ['many requests in a function', 100, (size) => script(size, (at) => `fetch("/a/${at}", B.encode(c));`, FUNCTION)],
  ['many calls in a class', 100, (size) => script(size, () => `m() { this.rpc.request(this.name, "Get"); }`, ['class A {', '}'])],
  ['packed fields without numbers', 100, (size) => script(size, () => 'w.uint32(10).fork();', ['T = { encode(m, w) {', '}, decode() {} };'])],
  ['a binary schema of many structs', 20, (size) => `"encodeInto"; ${bebop(size)}`],
];

test.each(SCRIPTS)('searching a script takes at most three times the work for twice the length: %s', async (_, size, make) => {
  const excess = await excessOf((length) => {
    const text = make(length);
    return () => findSchemas([{ url: 'https://a.test/a.js', text }]);
  }, size);
  expect(excess).toEqual([]);
});

test.each([
  [
    'methods in a deep package',
    100,
    (size: number) => () => methodsInProto(`package ${'a.'.repeat(size)}b; service S { ${'rpc M(A) returns (B);'.repeat(size)} }`, []),
  ],
  ['nested messages', 100, (size: number) => () => typesOf('proto', `${'message A {'.repeat(size)}${'}'.repeat(size)}`)],
  ['types of the same identifier', 100, (size: number) => () => new Declarations(list(size, sameIdentifier)).text],
] as const)('reading it takes at most three times the work for twice the length: %s', async (_, size, make) => {
  expect(await excessOf(make, size)).toEqual([]);
});
