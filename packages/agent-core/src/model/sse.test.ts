import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SseEvent, SseParser } from './sse.ts';

function parse(chunks: readonly string[]): SseEvent[] {
  const parser = new SseParser();
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}

function cut(text: string, at: readonly number[]): string[] {
  const places = [0, ...at.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

describe('SseParser', () => {
  it('reads names, data, comments and several data lines', () => {
    const text = ': hello\nevent: a\ndata: 1\n\ndata:2\ndata: 3\n\nid: 7\nretry: 10\n\ndata\n\n';
    expect(parse([text])).toEqual([
      { event: 'a', data: '1' },
      { event: 'message', data: '2\n3' },
      { event: 'message', data: '' },
    ]);
  });

  it('keeps one leading space out of the value and the rest in it', () => {
    expect(parse(['data:  two spaces: and a colon \n\n'])).toEqual([
      { event: 'message', data: ' two spaces: and a colon ' },
    ]);
  });

  it('takes a byte order mark only at the very beginning', () => {
    expect(parse(['\ufeffdata: \ufeffx\n\n'])).toEqual([{ event: 'message', data: '\ufeffx' }]);
  });

  it('counts a last event whose blank line never came', () => {
    expect(parse(['data: 1\n\ndata: 2'])).toEqual([
      { event: 'message', data: '1' },
      { event: 'message', data: '2' },
    ]);
    expect(parse(['data: 1\r'])).toEqual([{ event: 'message', data: '1' }]);
    expect(parse([''])).toEqual([]);
  });

  it('gives the same events for LF, CRLF and CR, however the text is cut', () => {
    const line = fc.oneof(
      fc.constantFrom('', ':', 'data', 'data:', 'event: x', 'data: {"a":1}', 'id: 3', 'data: €😀'),
      fc.string().map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
    );
    fc.assert(
      fc.property(
        fc.array(line),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(), { maxLength: 12 }),
        (lines, end, places) => {
          const text = lines.map((one) => one + end).join('');
          expect(parse(cut(text, places))).toEqual(parse([lines.map((one) => `${one}\n`).join('')]));
        },
      ),
    );
  });

  it('does not mind mixed line ends, one character at a time', () => {
    const text = 'event: a\r\ndata: 1\r\rdata: 2\n\r\ndata: 3\r\n\n';
    const expected = [
      { event: 'a', data: '1' },
      { event: 'message', data: '2' },
      { event: 'message', data: '3' },
    ];
    expect(parse([text])).toEqual(expected);
    expect(parse([...text])).toEqual(expected);
  });

  it('says how much it holds back, so that a reader can stop an endless line or event', () => {
    const parser = new SseParser();
    parser.push('data: ');
    for (let count = 0; count < 1_000; count++) parser.push('x'.repeat(100));
    expect(parser.pending).toBe(100_006);
    parser.push('\n');
    expect(parser.pending).toBe(100_000);
    expect(parser.push('\n')).toHaveLength(1);
    expect(parser.pending).toBe(0);
  });
});

it('tells events of JSON apart that have one line end between them, in any chunks', () => {
  const value = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(
      fc.array(value),
      fc.array(fc.nat(9)),
      fc.constantFrom('\n', '\n\n', '\r\n'),
      (values, cuts, end) => {
        const text = [...values.map((each) => JSON.stringify(each)), '[DONE]']
          .map((data) => `data: ${data}${end}`)
          .join('');
        const read = parse(cut(text, cuts)).map(({ data }) => data);
        expect(read).toEqual([...values.map((each) => JSON.stringify(each)), '[DONE]']);
      },
    ),
  );
});
