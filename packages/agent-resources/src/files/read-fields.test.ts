import { describeProblems, type JsonValue, words } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  argumentHint,
  field,
  readFields,
  scalarCount,
  scalarFlag,
  scalarList,
  scalarText,
} from './read-fields.ts';

const fields = {
  text: field(scalarText, 'text', 'txt'),
  flag: field(scalarFlag, 'flag'),
  count: field(scalarCount, 'count'),
  list: field(scalarList, 'list'),
  hint: field(argumentHint, 'hint'),
  choice: field(words('one', 'other'), 'choice'),
};

function read(data: Readonly<Record<string, JsonValue>>, head = '') {
  const matter = { data, head, body: '', problems: [] };
  return readFields(fields, { path: 'a.md', matter }, { ignored: ['metadata'] });
}

it('gives any JSON the types of its fields, and throws nothing', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('true', '3', 'one', 'a, b(c d)', null, [1, 'x']));
  const data = fc.dictionary(
    fc.constantFrom('text', 'txt', 'flag', 'count', 'list', 'hint', 'choice'),
    value,
  );
  fc.assert(
    fc.property(data, (written) => {
      const { values } = read(written as Record<string, JsonValue>);
      const { text, hint, flag, count, list, choice } = values;
      for (const each of [text, hint]) if (each !== undefined) expect(typeof each).toBe('string');
      if (flag !== undefined) expect(typeof flag).toBe('boolean');
      if (count !== undefined) expect(Number.isSafeInteger(count) && count > 0).toBe(true);
      if (list !== undefined) for (const item of list) expect(typeof item).toBe('string');
      if (choice !== undefined) expect(['one', 'other']).toContain(choice);
    }),
  );
});

it('takes what people mean, under any of its names', () => {
  const written = { txt: 12, flag: 'true', count: '3', list: 'Read, Bash(git log)', hint: ['file', 2] };
  const { values, problems } = read(written);
  expect(values).toEqual({
    text: '12',
    flag: true,
    count: 3,
    list: ['Read', 'Bash(git log)'],
    hint: '[file, 2]',
  });
  expect(problems).toEqual([]);
});

it('names what it ignores, with its line', () => {
  const head = 'flag: maybe\nlist:\n  - a\n  - {b: 1}\nchoice: othr\ncuont: 1\nmetadata: x\nelse: y\n';
  const data = { flag: 'maybe', list: ['a', { b: 1 }], choice: 'othr', cuont: 1, metadata: 'x', else: 'y' };
  const { values, problems } = read(data, head);
  expect(values).toEqual({ list: ['a'] });
  expect(describeProblems(problems)).toEqual([
    'a.md:2: flag: expected true or false, got the string "maybe". It is ignored.',
    'a.md:3: list[1]: expected a string, got an object. It is ignored.',
    'a.md:6: choice: expected one of "one", "other", got the string "othr". It is ignored. Did you mean "other"?',
    'a.md:7: Unknown field "cuont". Did you mean "count"?',
  ]);
});
