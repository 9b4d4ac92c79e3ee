import { describe, expect, it } from 'vitest';
import { readPrompt } from './prompt-content.ts';

const cwd = '/work space/project';
const link = (uri: string, name = 'a name') => ({ type: 'resource_link', uri, name }) as const;
const textOf = (...blocks: Parameters<typeof readPrompt>[0]) => readPrompt(blocks, cwd).text;

describe('readPrompt', () => {
  it('joins the parts of a text as they were typed', () => {
    const text = (part: string) => ({ type: 'text', text: part }) as const;
    expect(textOf(text('look at '), link('file:///work%20space/project/src/a.ts'), text(', please'))).toBe(
      'look at @src/a.ts, please',
    );
    expect(textOf(text('look'), link('https://example.com/x', 'page'))).toBe(
      'look [page](https://example.com/x)',
    );
  });

  it('names files by their shortest path, in quotes where they need them, and without lines', () => {
    expect(textOf(link('file:///work%20space/project/a%20b.ts#L3:5'))).toBe('@"a b.ts"');
    expect(textOf(link('file:///etc/hosts'))).toBe('@/etc/hosts');
    expect(textOf(link('file://%'))).toBe('[a name](file://%)');
  });

  it('says what can not be taken along', () => {
    const blob = { type: 'resource', resource: { uri: 'file:///x.bin', blob: 'AAA=' } } as const;
    const audio = { type: 'audio', mimeType: 'audio/wav', data: 'AAA=' } as const;
    expect(readPrompt([blob, audio], cwd).problems).toHaveLength(2);
    const image = {
      type: 'resource',
      resource: { uri: 'file:///x.png', blob: 'AAA=', mimeType: 'image/png' },
    } as const;
    expect(readPrompt([image], cwd)).toMatchObject({
      content: [{ type: 'image', data: 'AAA=' }],
      problems: [],
    });
  });
});
