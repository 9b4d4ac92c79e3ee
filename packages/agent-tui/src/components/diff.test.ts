import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText, textWidth } from '../text/styled-text.ts';
import { changedWords } from './changed-words.ts';
import { Diff } from './diff.ts';
import { editLines, parseUnifiedDiff } from './diff-lines.ts';
import { createRenderStyle } from './render-style.ts';

const patch = [
  'diff --git a/src/cart.ts b/src/cart.ts',
  '--- a/src/cart.ts',
  '+++ b/src/cart.ts',
  '@@ -9,3 +9,4 @@ export function total() {',
  ' const sum = add();',
  '-return sum;',
  '+return sum * rate;',
  '+// done',
  ' }',
  '@@ -30 +31 @@',
  '-old --- name',
  '+new --- name',
  '\\ No newline at end of file',
].join('\n');

describe('Diff', () => {
  it('shows a unified diff with numbers, signs and gaps', () => {
    proves('P-104');
    const [file] = parseUnifiedDiff(patch);
    const diff = new Diff({ path: file!.path, lines: file!.lines });
    expect(diff.render(40).map(plainText)).toEqual([
      'src/cart.ts',
      ' 9   const sum = add();',
      '10 - return sum;',
      '10 + return sum * rate;',
      '11 + // done',
      '12   }',
      '   …',
      '30 - old --- name',
      '31 + new --- name',
    ]);
  });

  it('colours lines, and inverts the words that changed', () => {
    proves('P-104', 'C-85');
    const look = createRenderStyle({ paint: (token, text) => `<${token}:${text}>` });
    const lines = new Diff({ lines: editLines('return sum', 'return total'), look }).render(60);
    expect(lines).toEqual([
      '<diffRemoved:- return \x1b[7msum\x1b[27m>',
      '<diffAdded:+ return \x1b[7mtotal\x1b[27m>',
    ]);
  });

  it('shows one region without the lines around it, below the name of the file', () => {
    proves('C-85', 'C-86');
    const lines = editLines('a\nold\nb\n', 'a\nnew\nmore\nb\n');
    expect(new Diff({ path: 'a.ts', lines, isCompact: true }).render(40).map(plainText)).toEqual([
      'a.ts',
      '- old',
      '+ new',
      '+ more',
    ]);
  });

  it('shows ten lines, and of eleven the first eight', () => {
    proves('C-87');
    const text = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');
    const ten = new Diff({ lines: editLines('', text(10)), isCompact: true });
    expect(ten.render(40)).toHaveLength(10);
    const eleven = new Diff({ lines: editLines('', text(11)), isCompact: true }).render(40);
    expect(eleven).toHaveLength(9);
    expect(eleven.at(-1)).toBe('… 3 more lines');
    expect(new Diff({ lines: editLines('', text(11)) }).render(40)).toHaveLength(11);
  });

  it('shows nothing for identical texts', () => {
    proves('C-88');
    expect(
      new Diff({ path: 'a.ts', lines: editLines('same\n', 'same\n'), isCompact: true }).render(40),
    ).toEqual([]);
  });

  it('gives the same lines again without work', () => {
    proves('P-104');
    const diff = new Diff({ lines: editLines('a', 'b') });
    expect(diff.render(40)).toBe(diff.render(40));
  });

  it('lets nothing of the files reach the terminal, and spells it out for people who decide', () => {
    proves('P-104');
    const lines = editLines('', 'rm \x1b[2J\u202e x\r');
    expect(new Diff({ lines }).render(60)).toEqual(['+ rm \\u{202e} x']);
    expect(new Diff({ lines, isRevealing: true }).render(60)).toEqual(['+ rm \\u{1b}[2J\\u{202e} x\\u{d}']);
  });

  it('fits wide characters into narrow terminals', () => {
    proves('P-104');
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.constantFrom('한국어 텍스트', 'a b\tc', '中文字符', '👩‍👩‍👧 x', 'word'), fc.nat(30)),
          { maxLength: 12 },
        ),
        fc.integer({ min: 20, max: 40 }),
        (parts, width) => {
          const text = parts.map(([part, count]) => part.repeat(1 + (count % 7))).join('\n');
          const lines = editLines(text, text.replaceAll('a', 'x').replaceAll('한', '두'));
          for (const line of new Diff({ lines, path: text }).render(width))
            expect(textWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  it('takes lines apart by words without losing anything', () => {
    proves('P-104');
    const line = fc
      .array(fc.constantFrom('a', 'b', 'word', ' ', '한국', '(', ')', '漢'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(line, line, (before, after) => {
        const changed = changedWords(before, after);
        if (!changed) return;
        expect(changed.before.map(({ text }) => text).join('')).toBe(before);
        expect(changed.after.map(({ text }) => text).join('')).toBe(after);
        const kept = (parts: typeof changed.before) =>
          parts.filter((part) => !part.isChanged).map(({ text }) => text);
        expect(kept(changed.before).join('')).toBe(kept(changed.after).join(''));
      }),
    );
  });
});
