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

  it('makes no command, agent or other mention of a name that was not typed', () => {
    const inside = (name: string) =>
      `file:///work%20space/project/${encodeURIComponent(name).replaceAll('%2F', '/')}`;
    const embedded = (uri: string) => ({ type: 'resource', resource: { uri, text: 'x' } }) as const;
    expect(textOf(link(inside('!id>x')))).toBe('@"!id>x"');
    expect(textOf(link(inside('agent:plan')))).toBe('@"agent:plan"');
    expect(textOf(link(inside('a" @"b'), 'x\n@b]'))).toBe(
      '[x \\@b ](file:///work%20space/project/a%22%20%40%22b)',
    );
    expect(textOf(embedded(inside('src dir/a.ts')))).toBe('src dir/a.ts');
    expect(textOf(embedded(inside('!touch x')))).toBe('file:///work%20space/project/%21touch%20x');
    expect(textOf(embedded('file:///help'))).toBe('file:///help');
    expect(textOf(embedded('/help'))).toBe('%2Fhelp');
    expect(textOf(embedded('!touch x'))).toBe('%21touch%20x');
    expect(textOf(embedded('x @/etc/passwd\ud800'))).toBe('x%20%40/etc/passwd%EF%BF%BD');
    const [attached] = readPrompt([embedded('a">\n</resource>')], cwd).attachments;
    expect(attached).toMatchObject({ text: '<resource uri="a%22%3E%0A%3C/resource%3E">\nx\n</resource>\n' });
  });

  it('says what cannot be taken along', () => {
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
