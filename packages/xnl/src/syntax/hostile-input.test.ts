import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryElement } from '../fixtures/arbitrary-element.ts';
import { parseMany } from './parse.ts';
import type { ParseOptions } from './parser.ts';
import { stringify } from './stringify.ts';
import { XnlParseError } from './xnl-error.ts';
import { TextElement, XnlDocument } from './xnl-node.ts';

const everything: ParseOptions = { accept: ['hash-closer', 'question-mark'] };
const samples = [
  '<job id="j1" r=3 { t = "N" l = ["ci" \'n\'] e = { C = true "k s" = null } } [ 1 -2.5 6e2 [1] { k = \'v\' } <s> ]>',
  '<page ( <header {text="Hi"}> <footer> <header #m>x</#></#m> )><!-- c --><t #>\n  a\n  </#>',
];
const document = fc.oneof(
  fc.constantFrom(...samples),
  fc.tuple(arbitraryElement, fc.boolean()).map(([element, pretty]) => stringify(element, { pretty })),
);

/** Reads a text; the error if it is refused, checked for its place. */
function refusal(text: string, options?: ParseOptions): XnlParseError | undefined {
  try {
    parseMany(text, options);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(XnlParseError);
    const refused = error as XnlParseError;
    const { position, line, column, message } = refused;
    expect(position).toBeGreaterThanOrEqual(0);
    expect(position).toBeLessThanOrEqual(text.length);
    const before = text.slice(0, position).split('\n');
    expect([line, column]).toEqual([before.length, (before.at(-1) ?? '').length + 1]);
    expect(message.endsWith(`(at ${line}:${column})`)).toBe(true);
    return refused;
  }
}

describe('hostile input', () => {
  it('is read or refused with a place: random bytes and tokens', () => {
    const token = fc.constantFrom(
      ...'<>{}[]()#=?/!-+.,\\"\' \n\ta1',
      '</#',
      '<a',
      '<!--',
      '-->',
      'true',
      '\\u',
      '1e5',
      '</?m>',
    );
    const soup = fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join(''));
    const bytes = fc.uint8Array({ maxLength: 60 }).map((data) => Buffer.from(data).toString('utf8'));
    fc.assert(
      fc.property(fc.oneof(soup, bytes, fc.string({ unit: 'binary' })), fc.boolean(), (text, tolerant) => {
        refusal(text, tolerant ? everything : {});
      }),
      { numRuns: 2_000 },
    );
  });

  it('is read or refused with a place: documents with changes', () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      removed: fc.nat({ max: 4 }),
      added: fc.oneof(fc.constantFrom(...'<>{}[]()#="\'\\ \n,0', '</#', '<!--'), fc.string({ maxLength: 3 })),
    });
    fc.assert(
      fc.property(document, fc.array(change, { minLength: 1, maxLength: 3 }), (text, changes) => {
        let changed = text;
        for (const { at, removed, added } of changes) {
          const index = Math.floor(at * changed.length);
          changed = changed.slice(0, index) + added + changed.slice(index + removed);
        }
        refusal(changed, everything);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is known for cut short wherever a document ends early', () => {
    fc.assert(
      fc.property(document, fc.double({ min: 0, max: 1, noNaN: true }), (text, share) => {
        const refused = refusal(text.slice(0, Math.floor(share * text.length)));
        if (refused) expect(refused.code).toBe('UNEXPECTED_EOF');
      }),
      { numRuns: 1_000 },
    );
    for (const text of samples)
      for (let length = 0; length < text.length; length++)
        expect(refusal(text.slice(0, length))?.code ?? 'UNEXPECTED_EOF').toBe('UNEXPECTED_EOF');
  });

  it('costs time that grows with its length alone', () => {
    // Each would take minutes, and so time out, if the work grew with the square of the length.
    const many = 200_000;
    const near = `${'<t #m>x</#m>'.repeat(many)}<t #m>x<#m>`;
    expect(parseMany(near, everything).nodes).toHaveLength(many + 1);
    expect(parseMany(`<a (${'<b>\n'.repeat(many)})>`).warnings).toHaveLength(many - 1);
    expect(parseMany(`<t #>${'</#m'.repeat(many)}</#>`).nodes).toHaveLength(1);
    expect(refusal('<t #>'.repeat(many))?.code).toBe('UNEXPECTED_EOF');
    expect(refusal(`<a ${'k="\\u'.repeat(many)}`)?.code).toBe('INVALID_LITERAL');
    expect(refusal('<!-- '.repeat(many))?.code).toBe('UNEXPECTED_EOF');
    const closers = Array.from({ length: many }, (_, index) => `</#text${index}>`).join('');
    expect(parseMany(stringify(new TextElement('t', { text: `</#></#text>${closers}` }))).nodes).toHaveLength(
      1,
    );
  });

  it('may be large: long strings, texts, numbers of entries and of lines', () => {
    const long = 'é"\\\n😀x'.repeat(2_000_000);
    const text = stringify(
      new XnlDocument([
        new TextElement('t', { text: long, attributes: { long, list: Array(200_000).fill(1) } }),
      ]),
      { pretty: true },
    );
    const [read] = parseMany(text).nodes;
    expect(read instanceof TextElement && read.text === long && read.attributes?.long === long).toBe(true);
    expect(refusal(`<a ${'\n'.repeat(1_000_000)},>`)?.line).toBe(1_000_001);
  });
});
