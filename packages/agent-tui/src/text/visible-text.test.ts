import { diffFragments } from '@robota-sdk/agent-diff';
import { describe, expect, it } from 'vitest';
import { createRenderStyle } from '../components/render-style.ts';
import { Diff } from '../diff/diff.ts';
import { visibleText } from './escape-filter.ts';
import { plainText } from './styled-text.ts';

/** Every character that a reader does not see, or takes for a blank: by their properties, and a few that have none. */
const invisible = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter(
    (character) =>
      character !== ' ' && /[\p{Default_Ignorable_Code_Point}\p{Z}\p{Cf}\u2800\u{1d159}]/u.test(character),
  )
  // Signs that are drawn around the digits after them.
  .filter(
    (character) =>
      !/[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1343f}]/u.test(character),
  );

const spelledOf = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

describe('a text that someone approves', () => {
  it('spells out each invisible character', () => {
    expect(invisible.length).toBeGreaterThan(4000);
    for (const character of invisible)
      expect(visibleText(`a${character}b`)).toBe(`a${spelledOf(character)}b`);
  });

  it('is spelled out the same way in a change on the terminal', () => {
    const lines = diffFragments('', invisible.map((character) => `a${character}b`).join('\n'));
    const rows = new Diff({ diff: { lines }, look: createRenderStyle(), isRevealing: true, isWrapping: true })
      .render(100)
      .map((row) => plainText(row));
    for (const [index, character] of invisible.entries())
      expect(rows[index]).toContain(`a${spelledOf(character)}b`);
  });
});
