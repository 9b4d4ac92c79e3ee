import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMentions } from './find-mentions.ts';
import { parseInput } from './parse-input.ts';

const parse = (text: string, ...commands: readonly string[]) =>
  parseInput(text, (name) => commands.find((each) => each === name));

describe('parseInput', () => {
  it('tells commands, shell commands and prompts apart', () => {
    expect(parse('  ')).toEqual({ kind: 'nothing' });
    expect(parse(' /mode plan \n', 'mode')).toEqual({
      kind: 'command',
      name: 'mode',
      args: 'plan',
      command: 'mode',
    });
    expect(parse('/openspec:apply a\nb')).toMatchObject({
      kind: 'command',
      name: 'openspec:apply',
      args: 'a\nb',
      command: undefined,
    });
    expect(parse('fix the /mode command', 'mode')).toMatchObject({ kind: 'prompt' });
  });

  it('takes !, @! and !! for shell commands, also empty ones', () => {
    proves('E-31');
    expect(parse('!ls -l')).toEqual({ kind: 'shell', command: 'ls -l', isPrivate: false });
    expect(parse('@!ls -l')).toEqual({ kind: 'shell', command: 'ls -l', isPrivate: false });
    expect(parse('!! ls')).toEqual({ kind: 'shell', command: 'ls', isPrivate: true });
    expect(parse('@! ')).toEqual({ kind: 'shell', command: '', isPrivate: false });
  });

  it('takes a path for a prompt, unless a command is called so', () => {
    expect(parse('/usr/bin/x is broken')).toMatchObject({ kind: 'prompt' });
    expect(parse('/tmp is full')).toMatchObject({ kind: 'prompt' });
    expect(parse('/tmp is full', 'tmp')).toMatchObject({ kind: 'command' });
    expect(parse('// a comment')).toMatchObject({ kind: 'prompt' });
    expect(parse('/hlep')).toMatchObject({ kind: 'command', name: 'hlep' });
  });

  it('loses nothing of a prompt', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const input = parse(text);
        if (input.kind === 'prompt') expect(input.text).toBe(text.trim());
        if (input.kind === 'shell') expect(text).toContain(input.command);
      }),
    );
  });
});

describe('findMentions', () => {
  it('finds files and agents where an @ begins a word', () => {
    proves('E-32', 'E-36');
    expect(findMentions('look at @src/a.ts, (@file:b.md) and @"my file.txt"')).toEqual([
      { kind: 'file', name: 'src/a.ts,', written: 'src/a.ts,', isExplicit: false },
      { kind: 'file', name: 'b.md)', written: 'b.md)', isExplicit: true },
      { kind: 'file', name: 'my file.txt', written: 'my file.txt', isExplicit: false },
    ]);
    expect(findMentions('@agent:review. Then @agent:plan')).toEqual([
      { kind: 'agent', name: 'review', written: 'review.', isExplicit: true },
      { kind: 'agent', name: 'plan', written: 'plan', isExplicit: true },
    ]);
  });

  it.each([
    ['@a.ts#L10-20', 'a.ts', { first: 10, last: 20 }],
    ['@a.ts#L10-L20,', 'a.ts', { first: 10, last: 20 }],
    ['@b.ts#L3', 'b.ts', { first: 3, last: 3 }],
    ['@a.ts:10-20.', 'a.ts', { first: 10, last: 20 }],
    ['(@a.ts:10)', 'a.ts', { first: 10, last: 10 }],
    ['@src/a.ts:10:5:', 'src/a.ts', { first: 10, last: 10 }],
    ['@file:book.pdf:7-', 'book.pdf', { first: 7 }],
    ['@"my book.pdf:2-3"', 'my book.pdf', { first: 2, last: 3 }],
    ['@a.ts:', 'a.ts:', undefined],
    ['@a:b', 'a:b', undefined],
  ])('reads the range of %s', (text, name, range) => {
    expect(findMentions(text)).toMatchObject([range === undefined ? { name } : { name, range }]);
  });

  it('finds none in addresses and escaped words', () => {
    for (const text of ['me@example.org', String.raw`\@file:a`, 'a.@b', 'git@github.com:a/b', '@'])
      expect(findMentions(text)).toEqual([]);
  });
});
