import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BeginsInside, ThinkTags } from './think-tags.ts';

it('leaves tags alone that do not begin the text', () => {
  expect(split(['Use <think> and </think>.'])).toEqual({ thinking: '', text: 'Use <think> and </think>.' });
});

it('keeps an unfinished thought and what only looked like a tag', () => {
  expect(split(['<think>a </thin'])).toEqual({ thinking: 'a </thin', text: '' });
  expect(split([' <thi'])).toEqual({ thinking: '', text: ' <thi' });
});

it('splits the same way however the text is cut', () => {
  const piece = fc.constantFrom(
    '<think>',
    '</think>',
    '<',
    '/',
    'th',
    'ink>',
    ' ',
    '\n',
    'word',
    '`',
    '.',
    '🙂',
  );
  const begins = fc.constantFrom<BeginsInside>('yes', 'no', 'unsure');
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat(8)), begins, (pieces, cuts, how) => {
      const text = pieces.join('');
      expect(split(cut(text, cuts), how)).toEqual(split([text], how));
    }),
    { numRuns: 2_000 },
  );
});

it('loses no character but tags and the blanks around them', () => {
  const piece = fc.constantFrom('<think>', '</think>', 'a', 'b', '.', '`', '\n');
  fc.assert(
    fc.property(fc.array(piece), fc.constantFrom<BeginsInside>('yes', 'no', 'unsure'), (pieces, how) => {
      const { thinking, text } = split([pieces.join('')], how);
      const bare = (written: string) => written.replaceAll(/<\/?think>|\s/g, '');
      const isAnswer = how === 'yes' && text !== '' && bare(text) === bare(pieces.join(''));
      expect(isAnswer ? bare(text) : bare(thinking + text)).toBe(bare(pieces.join('')));
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ['hidden\n</think>\n\nDONE', 'hidden\n', 'DONE'],
  ['hidden.</think>DONE', 'hidden.', 'DONE'],
  ['hidden\n</think>', 'hidden\n', ''],
  ['</think>\n\nDONE', '', 'DONE'],
  ['<think>\nhidden\n</think>\n\nDONE', '\nhidden\n', 'DONE'],
])('takes thinking that was opened before the text out of %j', (text, thinking, rest) => {
  expect(split([text], 'unsure')).toEqual({ thinking, text: rest });
});

it.each([
  'The tag </think> ends it.',
  'It ends with `</think>`.',
  'Use <think> and </think>\n\nfor that.',
  '```\nhidden\n</think>\n```\nis an example.',
  'Write "</think>" last.',
  'No tag at all.',
])('leaves ordinary text alone: %j', (text) => {
  expect(split([text], 'unsure')).toEqual({ thinking: '', text });
  expect(split([text], 'no')).toEqual({ thinking: '', text });
});

it('learns from a text how the next one begins, and holds no more back than what may be a tag', () => {
  const learned = (text: string) => {
    const tags = new ThinkTags('unsure');
    tags.push(text);
    tags.end();
    return tags.begins;
  };
  expect(learned('hidden\n</think>\n\nDONE')).toBe('yes');
  expect(learned('Plain.')).toBe('no');
  expect(new ThinkTags('yes').push('hidden')).toEqual([{ kind: 'thinking', text: 'hidden' }]);
  expect(new ThinkTags('unsure').push('Plain </thi')).toEqual([{ kind: 'text', text: 'Plain ' }]);
  expect(new ThinkTags('no').push('Plain')).toEqual([{ kind: 'text', text: 'Plain' }]);
});

it('passes on what it held back once when a call follows or the server tells thinking apart', () => {
  const tags = new ThinkTags('unsure');
  expect(tags.push('Look </thi')).toEqual([{ kind: 'text', text: 'Look ' }]);
  expect(tags.plain()).toEqual([{ kind: 'text', text: '</thi' }]);
  expect([tags.push('.'), tags.end(), tags.begins]).toEqual([[{ kind: 'text', text: '.' }], [], 'no']);
});

it('gives an answer without a closing tag as text, although thinking was expected', () => {
  expect(split(['An answer.'], 'yes')).toEqual({ thinking: 'An answer.', text: 'An answer.' });
});

function cut(text: string, sizes: readonly number[]): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (const size of sizes) {
    parts.push(text.slice(start, start + size));
    start += size;
  }
  return [...parts, text.slice(start)];
}

function split(parts: readonly string[], begins: BeginsInside = 'no') {
  const tags = new ThinkTags(begins);
  const joined = { thinking: '', text: '' };
  for (const piece of [...parts.flatMap((part) => tags.push(part)), ...tags.end()]) {
    if (piece.kind !== 'was-thinking') joined[piece.kind] += piece.text;
    else [joined.thinking, joined.text] = [joined.text, ''];
  }
  return joined;
}
