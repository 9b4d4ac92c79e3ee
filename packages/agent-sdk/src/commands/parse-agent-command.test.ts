import { splitWords } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDetached, parseAgentCommand } from './parse-agent-command.ts';

const agents = ['general-purpose', 'Explore', 'tools:Plan'];
const parse = (line: string) => parseAgentCommand(line, agents);

describe('parseAgentCommand', () => {
  it('a prompt alone and one behind an agent are a run', () => {
    expect(parse('find the bug')).toEqual({ kind: 'run', request: { prompt: 'find the bug' } });
    expect(parse('explore find "the" bug')).toEqual({
      kind: 'run',
      request: { agentType: 'Explore', prompt: 'find "the" bug' },
    });
    expect(() => parse('Explore')).toThrow('Missing prompt: /agent Explore PROMPT.');
    expect(parse("don't stop")).toEqual({ kind: 'run', request: { prompt: "don't stop" } });
    expect(parse('')).toEqual({ kind: 'list' });
  });

  it('a slip of the pen starts nothing, and says how it may be meant', () => {
    expect(() => parse('lst')).toThrow('Unknown subcommand: /agent lst. Did you mean /agent list?');
    expect(() => parse('raed 3f2a')).toThrow(
      'Did you mean /agent read? To send it as a prompt: /agent run raed',
    );
    expect(() => parse('Exlore look at it')).toThrow('Did you mean /agent Explore?');
    expect(() => parse('genral-purpos look')).toThrow('Did you mean /agent general-purpose?');
    for (const prompt of ['write tests', 'test the login', '"lst of files"', 'look at it'])
      expect(parse(prompt)).toMatchObject({ kind: 'run' });
    expect(parse('run lst')).toEqual({ kind: 'run', request: { prompt: 'lst' } });
  });

  it('run takes its options before the prompt', () => {
    expect(parse('run --agent Explore --model haiku --isolation worktree "fix \\"it\\""')).toEqual({
      kind: 'run',
      request: { agentType: 'Explore', model: 'haiku', isolation: 'worktree', prompt: 'fix "it"' },
    });
    for (const flag of ['--agent tools:Plan', '--type tools:Plan', '-a tools:Plan', '--agent=tools:Plan'])
      expect(parse(`run ${flag} go --on`)).toEqual({
        kind: 'run',
        request: { agentType: 'tools:Plan', prompt: 'go --on' },
      });
    expect(() => parse('run')).toThrow('Missing prompt');
    expect(() => parse('run --agent')).toThrow('--agent needs a value');
    expect(() => parse('run --isolation vm go')).toThrow('Unknown isolation "vm". Available: none, worktree');
    expect(() => parse('run --color red go')).toThrow('Unknown option --color');
  });

  it('parallel takes labels, agents and prompts in quotes', () => {
    proves('H-13');
    expect(parse('parallel a:"find it" b=Explore:"say \\"hi\\"" c=tools:Plan:\'x:y\' "bare"')).toEqual({
      kind: 'parallel',
      detach: false,
      requests: [
        { label: 'a', prompt: 'find it' },
        { label: 'b', agentType: 'Explore', prompt: 'say "hi"' },
        { label: 'c', agentType: 'tools:Plan', prompt: 'x:y' },
        { label: '4', prompt: 'bare' },
      ],
    });
    expect(parse('parallel --wait a:"x"')).toMatchObject({ detach: false });
    expect(parse('parallel a:"x" --detach')).toMatchObject({ detach: true });
    expect(parse('parallel a:word')).toMatchObject({ requests: [{ label: 'a', prompt: 'word' }] });
    expect(() => parse('parallel')).toThrow('Name the jobs');
    expect(() => parse('parallel a:""')).toThrow('has no prompt');
    expect(() => parse('parallel a"x"')).toThrow('is not a job');
    expect(() => parse('parallel a:"x')).toThrow('is not closed');
    expect(() => parse('parallel a:"x" a:"y"')).toThrow('Two jobs are named a');
    expect(() => parse('parallel --later a:"x"')).toThrow('Available: --wait, --detach');
  });

  it('the rest takes ids', () => {
    expect(parse('list')).toEqual({ kind: 'list' });
    expect(parse('wait group-1')).toEqual({ kind: 'wait', id: 'group-1' });
    expect(parse('read a1 120')).toEqual({ kind: 'read', id: 'a1', offset: 120 });
    expect(parse('read a1')).toEqual({ kind: 'read', id: 'a1', offset: 0 });
    expect(parse('send a1 go on')).toEqual({ kind: 'send', id: 'a1', prompt: 'go on' });
    expect(parse('stop a1 too slow')).toEqual({ kind: 'cancel', id: 'a1', reason: 'too slow' });
    expect(parse('cancel a1')).toEqual({ kind: 'cancel', id: 'a1' });
    expect(parse('close a1')).toEqual({ kind: 'close', id: 'a1' });
    expect(parse('open a1')).toEqual({ kind: 'open', id: 'a1' });
    expect(() => parse('list them all')).toThrow('/agent run list them all');
    expect(() => parse('send a1')).toThrow('Missing prompt');
    expect(() => parse('read')).toThrow('/agent read ID [OFFSET]');
    expect(() => parse('read a1 x')).toThrow('is not a position');
    expect(() => parse('close a1 a2')).toThrow('"a2" is too much');
  });
});

describe('splitWords', () => {
  it('gives back what was quoted, whatever it is', () => {
    const quoted = (text: string) => `"${text.replace(/["'\\]/g, '\\$&')}"`;
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 0 }), { maxLength: 5 }), (texts) => {
        expect(splitWords(texts.map(quoted).join(' ')).map(({ value }) => value)).toEqual(texts);
      }),
    );
  });

  it('never loses a place: the words stand where they say', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', ':', '=', '\n') }), (line) => {
        expect(splitWords(line).map(({ start, end }) => line.slice(start, end))).toEqual(
          line.split(/\s+/).filter((word) => word !== ''),
        );
      }),
    );
  });
});

describe('isDetached', () => {
  it('reads the option of `parallel` only, not a prompt that mentions it', () => {
    const lines = [
      'parallel --detach a:"x"',
      'parallel a:"x" --detach',
      'parallel a:"use --detach"',
      'parallel --later',
    ];
    expect([...lines, 'find --detach', ''].map(isDetached)).toEqual([true, true, false, false, false, false]);
  });
});
