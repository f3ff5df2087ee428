import { describe, expect, it } from 'vitest';
import { DescribedError, describeError } from '../../../demo/errors/describe-error.ts';
import { hexLines, hexWindow } from '../../../demo/errors/hex.ts';
import { ConnectionError, HttpError } from '../../../demo/payloads/load-blob.ts';
import { tripsOf, WrongPayloadError } from '../../../demo/payloads/trips.ts';
import { DecodeError, LimitError } from '../../../core/errors.ts';

describe('describeError', () => {
  it('shows the position of the fault in a payload', () => {
    const place = { format: 'messagepack', offset: 1_234_567, path: ['trips', 3, 'name'] };
    expect(describeError(new DecodeError('invalid-utf8', 'byte 0xc1 is not UTF-8', place))).toEqual({
      title: 'The payload contains an invalid byte',
      text: 'Byte 0xc1 is not UTF-8.',
      details: [
        { label: 'Code', value: 'invalid-utf8' },
        { label: 'Format', value: 'messagepack' },
        { label: 'Byte', value: '1,234,567' },
        { label: 'Path', value: '$.trips[3].name' },
      ],
      offset: 1_234_567,
    });
  });

  it('keeps the description that another page gave', () => {
    const description = describeError(new DecodeError('truncated', 'the input ends inside a value', { format: 'json', offset: 9 }));
    expect(describeError(new DescribedError(description))).toBe(description);
  });

  it('names the limit that was exceeded', () => {
    const { details } = describeError(new LimitError('depth', 'more than 1,000 containers'));
    expect(details).toContainEqual({ label: 'Code', value: 'limit: depth' });
  });

  it('suggests what to do if the server is unreachable', () => {
    const { title, hint } = describeError(new ConnectionError('payload?rows=1'));
    expect(title).toBe('The payload server cannot be reached');
    expect(hint).toContain('npm start');
  });

  it("quotes the server's message", () => {
    const description = describeError(new HttpError(400, 'payload?rows=x', 'rows must be a number.'));
    expect(description.title).toContain('400');
    expect(description.text).toBe('rows must be a number.');
  });

  it('names the failed decoder if the error does not', () => {
    const { title, text } = describeError(new SyntaxError('Unexpected token <'), 'JSON.parse');
    expect(title).toBe('JSON.parse cannot decode the payload');
    expect(text).toBe('Unexpected token <');
  });
});

describe('tripsOf', () => {
  it('returns a list of trips and rejects anything else', () => {
    const trips = [{}];
    expect(tripsOf({ trips })).toBe(trips);
    for (const payload of [null, 60, 'text', {}, { trips: 1 }, { trips: {} }]) {
      expect(() => tripsOf(payload)).toThrow(WrongPayloadError);
    }
  });
});

describe('hexLines', () => {
  it('shows the line of a byte and its neighbours', () => {
    expect(hexWindow(100, 1_000)).toEqual({ start: 80, end: 128 });
    expect(hexWindow(3, 10)).toEqual({ start: 0, end: 10 });
    expect(hexWindow(1_000, 1_000)).toEqual({ start: 976, end: 1_000 });
  });

  it('marks one byte', () => {
    const lines = hexLines(new Uint8Array([0x41, 0xc1, 0x42]), 32, 33);
    expect(lines).toEqual([
      {
        offset: 32,
        bytes: [
          { hex: '41', text: 'A', isMarked: false },
          { hex: 'c1', text: '·', isMarked: true },
          { hex: '42', text: 'B', isMarked: false },
        ],
      },
    ]);
  });
});
