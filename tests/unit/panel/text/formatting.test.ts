import { describe, expect, test } from 'vitest';
import { textForms } from '../../../../devtools-extension/panel/text/text-forms.ts';
import { formatText } from '../../../../devtools-extension/reading/formatting/index.ts';
import { type Language, languageOf } from '../../../../devtools-extension/reading/file-types/language.ts';
import fc from '../../../setup/properties/property.ts';
import { openBody } from '../open.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const format = async (text: string, language: Language): Promise<string> => new TextDecoder().decode(await formatText(utf8(text), language));

describe('languageOf', () => {
  test.each<[Language | undefined, string, string, string]>([
    ['html', 'text/html; charset=utf-8', 'https://a.test/', '<p>'],
    ['xml', 'application/rss+xml', 'https://a.test/feed', '<rss/>'],
    ['xml', 'image/svg+xml', 'https://a.test/a', '<svg/>'],
    ['css', 'text/css', 'https://a.test/a', 'a{}'],
    ['javascript', 'application/javascript', 'https://a.test/a', 'a'],
    ['javascript', 'text/plain', 'https://a.test/a.mjs?v=1.2', 'a'],
    ['json', 'application/problem+json', 'https://a.test/a', '{'],
    ['html', '', 'https://a.test/a', '\n<!DOCTYPE html><title>a</title>'],
    ['xml', '', 'https://a.test/a', '<?xml version="1.0"?><a/>'],
    [undefined, 'text/plain', 'https://a.test/a.txt', 'a word'],
    [undefined, 'text/css', 'https://a.test/a', ''],
    [undefined, 'text/css', 'https://a.test/a', '\0\u0001'],
  ])('returns %s for %j, %j and the first bytes', (language, contentType, url, text) => {
    expect(languageOf(utf8(text), contentType, url)).toBe(language);
  });
});

describe('JSON formatter', () => {
  test('preserves the spelling of every token, with a line for each value', async () => {
    expect(await format('{"a":[1.0,-0,1e400,[],{}],"a":"\\u0041\\" : [","é":null}', 'json')).toBe(
      ['{', '  "a": [', '    1.0,', '    -0,', '    1e400,', '    [],', '    {}', '  ],', '  "a": "\\u0041\\" : [",', '  "é": null', '}'].join('\n'),
    );
  });

  test('follows the brackets of damaged text', async () => {
    expect(await format('{"a":[1,2', 'json')).toBe('{\n  "a": [\n    1,\n    2');
    expect(await format(']}{"a" "b', 'json')).toBe(']\n}\n{\n  "a"\n  "b');
  });

  test('writes a line for each value of a sequence', async () => {
    expect(await format('{"a":1}{"a":2}\n3 true', 'json')).toBe('{\n  "a": 1\n}\n{\n  "a": 2\n}\n3\ntrue');
  });

  test('preserves the value, for any value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        expect(JSON.stringify(JSON.parse(await format(text, 'json')))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  test('limits the indentation of text nested 100,000 levels deep', async () => {
    const deep = '['.repeat(1e5);
    expect((await formatText(utf8(deep), 'json')).length).toBeLessThan(deep.length * 130);
  });
});

describe('XML formatter', () => {
  test('writes a line for each element, and preserves declarations, comments and sections', async () => {
    expect(
      await format(
        '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a x="1>2"><!-- d --><b/><c><d>text</d></c><e><![CDATA[<f>]]></e><g></g></a>',
        'xml',
      ),
    ).toBe(
      [
        '<?xml version="1.0"?>',
        '<!DOCTYPE a [<!ENTITY b "c">]>',
        '<a x="1>2">',
        '  <!-- d -->',
        '  <b/>',
        '  <c>',
        '    <d>text</d>',
        '  </c>',
        '  <e><![CDATA[<f>]]></e>',
        '  <g></g>',
        '</a>',
      ].join('\n'),
    );
  });

  test('preserves mixed content and significant white space', async () => {
    expect(await format('<a><p>One <b>two</b>\n three</p><pre xml:space="preserve"> <i/> </pre></a>', 'xml')).toBe(
      '<a>\n  <p>One <b>two</b>\n three</p>\n  <pre xml:space="preserve"> <i/> </pre>\n</a>',
    );
  });

  test.each(['<a><b>', '</a></b>', '<a x="', '<!-- a', '<![CDATA[', '<', 'text', '<a><b></a></b></c>'])(
    'preserves all characters of text damaged as %j',
    async (text) => {
      expect((await format(text, 'xml')).replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
    },
  );

  test('preserves all characters of any text', async () => {
    const piece = fc.constantFrom('<a>', '</a>', '<b/>', ' text ', '<!-- c -->', '<![CDATA[ d ]]>', '<?e?>', '"', '>', '<', '\n');
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => {
        const text = pieces.join('');
        expect((await format(text, 'xml')).replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      }),
    );
  });
});

describe('code formatter', () => {
  test('writes a line for each statement of a script', async () => {
    expect(await format('const a=b=>({c:b??1});for(const d of e){f(`${d}`)}', 'javascript')).toBe(
      'const a = b => ({\n  c: b ?? 1\n});\nfor (const d of e) {\n  f(`${d}`)\n}',
    );
  });

  test('writes a line for each declaration of a style sheet', async () => {
    expect(await format('@media (width>9px){a,b>c{color:red;margin:0}}', 'css')).toBe(
      '@media (width>9px) {\n\n  a,\n  b>c {\n    color: red;\n    margin: 0\n  }\n}',
    );
  });

  test('indents documents, including scripts and styles', async () => {
    expect(await format('<!doctype html><html><body><ul><li>one</li><li>two</li></ul><script>a();b()</script></body></html>', 'html')).toBe(
      [
        '<!doctype html>',
        '<html>',
        '<body>',
        '  <ul>',
        '    <li>one</li>',
        '    <li>two</li>',
        '  </ul>',
        '  <script>',
        '    a();',
        '    b()',
        '  </script>',
        '</body>',
        '</html>',
      ].join('\n'),
    );
  });
});

test.each<[Language, string]>([
  ['javascript', '['],
  ['javascript', 'do '],
  ['css', '{'],
  ['html', '<div>'],
])('code in %s that nests %j thousands of levels deep is formatted in the room of a few lines each', async (language, piece) => {
  const deep = piece.repeat(8000);
  const formatted = await formatText(utf8(deep), language);
  expect(formatted.length).toBeGreaterThan(deep.length);
  expect(formatted.length).toBeLessThan(8000 * 300);
});

test('templates in templates, thousands of levels deep, are not formatted, and the error says why', async () => {
  await expect(format('`${'.repeat(20_000), 'javascript')).rejects.toThrow('the code is nested too deeply');
});

describe('the forms of a text', () => {
  const forms = async (text: string): Promise<string[]> => textForms(await openBody('json', utf8(text), undefined, 'application/json'));

  test('contains the value and the sent text for JSON', async () => {
    expect(await forms('{"a":1}')).toEqual(['json', 'sent']);
  });

  test('contains the readable part, the indented text and the sent text for damaged JSON', async () => {
    expect(await forms('{"a":1')).toEqual(['json', 'formatted', 'sent']);
  });
});
