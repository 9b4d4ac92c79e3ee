import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseToolInput } from '../model/payload.ts';
import { decodeJson } from './json.ts';

const nested = (depth: number, inside = '1') => '[{"a":'.repeat(depth / 2) + inside + '}]'.repeat(depth / 2);

describe('decoding JSON', () => {
  it('reads what JSON.parse reads, whatever brackets and quotes its texts hold', () => {
    const padding = 'x'.repeat(600);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.string({ unit: 'grapheme' }), (value, text) => {
        const written = JSON.stringify([value, padding, text, '["{\\'.repeat(400), { [`${text}]"`]: value }]);
        expect(decodeJson(written)).toEqual({ ok: true, value: JSON.parse(written) });
      }),
    );
  });

  it('refuses a value that is nested too deeply, with the reason', () => {
    expect(decodeJson(nested(500))).toMatchObject({ ok: true });
    const error = 'it is nested more than 500 levels deep';
    for (const text of [
      nested(502),
      nested(200_000),
      '['.repeat(1_000),
      nested(600, JSON.stringify(']'.repeat(600))),
    ])
      expect(decodeJson(text)).toEqual({ ok: false, error });
  });

  it('makes arguments that are nested too deeply an error of the call', () => {
    const { input, invalid } = parseToolInput(`{"command":${nested(20_000)}}`);
    expect(input).toEqual({});
    expect(invalid).toMatch(/^The arguments are not valid JSON \(it is nested more than 500 levels deep\)/);
    expect(parseToolInput(JSON.stringify(`{"command":${nested(20_000)}}`)).invalid).toContain(
      '500 levels deep',
    );
  });
});
