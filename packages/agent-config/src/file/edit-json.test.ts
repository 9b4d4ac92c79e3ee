import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { editJson } from './edit-json.ts';

describe('editJson', () => {
  it('changes one value and leaves comments, order and layout', async () => {
    const text = '{\n  // first\n  "a": 1, // of a\n  /* b */ "b": { "c": [1, 2] },\n}\n';
    expect(await editJson(text, { path: ['a'], value: 5 })).toBe(text.replace('"a": 1', '"a": 5'));
    expect(await editJson(text, { path: ['b', 'c'], value: 3, append: true })).toContain('// of a');
    expect(parse(await editJson(text, { path: ['b', 'c'], value: 3, append: true })).b.c).toEqual([1, 2, 3]);
    expect(parse(await editJson(text, { path: ['d'], value: 3, append: true })).d).toEqual([3]);
  });

  it('makes lists for numbers on the way, and puts items behind those that are there', async () => {
    const made = await editJson('{}', { path: ['a', 0, 'name'], value: 'x' });
    expect(parse(made)).toEqual({ a: [{ name: 'x' }] });
    const more = await editJson(made, { path: ['a', 1, 'name'], value: 'y' });
    expect(parse(more)).toEqual({ a: [{ name: 'x' }, { name: 'y' }] });
  });

  it.each(['{\n  "a": 1, // of a\n}\n', '{\n  "a": 1 // of a\n}\n'])(
    'a comment stays behind what it is about: %j',
    async (text) => {
      const changed = await editJson(text, { path: ['b'], value: { c: 2 } });
      expect(changed).toMatch(/"a": 1, \/\/ of a\n/);
      expect(parse(changed)).toEqual({ a: 1, b: { c: 2 } });
    },
  );

  it.each([
    ['{ "a": {"x":[1,2]} }', '{ "a": {"x":[1,2]}, "b": [1] }'],
    ['{\n  "a": {"x":[1,","]} // why, though\n}', '{\n  "a": {"x":[1,","]}, // why, though\n  "b": [1]\n}'],
    ['{\n  "a": 1 /* so */, // of a\n}', '{\n  "a": 1 /* so */, // of a\n  "b": [1],\n}'],
    ['{}', '{\n  "b": [1]\n}'],
    ['{\n  // nothing yet\n}\n', '{\n  // nothing yet\n  "b": [1]\n}\n'],
    ['{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "b": [1]\r\n}\r\n'],
    ['// none\n', '// none\n{\n  "b": [1]\n}\n'],
  ])('leaves all that stands in %j as it looks', async (text, expected) => {
    const changed = await editJson(text, { path: ['b'], value: [1] });
    expect(changed.replace(/\[\s+1\s+\]/, '[1]')).toBe(expected);
  });

  it.each([
    ['{\n  "a": 1, // of a\n  "b": 2, // of b\n}\n', '{\n  "a": 1 // of a\n}\n'],
    ['{\n  "a": 1, // of a\n  "b": 2\n}\n', '{\n  "a": 1 // of a\n}\n'],
    ['{\n  "b": 2, // of b\n  // about a\n  "a": 1\n}\n', '{\n  // about a\n  "a": 1\n}\n'],
    ['{ "a": 1, "b": 2 }', '{ "a": 1 }'],
    ['{ "b": 2, "a": 1 }', '{  "a": 1 }'],
    ['{ "b": 2 }', '{  }'],
    ['{\n  "a": 1 /* so */,\n  "b": 2 /* of b */,\n  "c": 3\n}', '{\n  "a": 1 /* so */,\n  "c": 3\n}'],
    ['{\n  "a": 1 /* so */,\n  "b": 2 // of b\n}', '{\n  "a": 1 /* so */\n}'],
  ])('takes a value out of %j with nothing but its own comment', async (text, left) => {
    expect(await editJson(text, { path: ['b'], value: undefined })).toBe(left);
  });

  it('whatever is set is what is read, and the rest is as it was', async () => {
    const keys = fc.constantFrom('a', 'b', 'c', 'with.dot', 'é');
    const value = fc.jsonValue({ maxDepth: 2 }).filter((each) => each !== undefined);
    const comment = fc.constantFrom('', ' // why, though', ' /* so */');
    const cases = fc.record({ object: fc.dictionary(keys, value), key: keys, next: value, note: comment });
    await fc.assert(
      fc.asyncProperty(cases, async ({ object, key, next, note }) => {
        const entries = Object.entries(object).map(
          ([name, item]) => `${JSON.stringify(name)}: ${JSON.stringify(item)}`,
        );
        const text = `{\n  ${entries.join(`,${note}\n  `)}${note}\n}\n`;
        const changed = await editJson(text, { path: [key], value: next as never });
        for (const entry of entries)
          if (!entry.startsWith(JSON.stringify(key))) expect(changed).toContain(entry);
        expect(parse(changed)).toEqual({ ...parse(text), [key]: JSON.parse(JSON.stringify(next)) });
        const { [key]: gone, ...rest } = parse(changed);
        expect(parse(await editJson(changed, { path: [key], value: undefined }))).toEqual(rest);
      }),
      { numRuns: 200 },
    );
  });
});
