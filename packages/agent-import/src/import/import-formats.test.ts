import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AssistantMessage,
  type Message,
  type ToolMessage,
  textOf,
  toolCallsOf,
} from '@robota-sdk/agent-core';
import type { Entry } from '@robota-sdk/agent-sessions';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { fixtures, ImportStage } from './fixtures/import-stage.ts';

function messagesOf(entries: readonly Entry[]): Message[] {
  return entries.flatMap((entry) => (entry.type === 'message' ? entry.message : []));
}

function answersOf(entries: readonly Entry[]): AssistantMessage[] {
  return messagesOf(entries).filter((message) => message.role === 'assistant');
}

function resultsOf(entries: readonly Entry[]): ToolMessage[] {
  return messagesOf(entries).filter((message) => message.role === 'tool');
}

describe('sessions of Claude Code', () => {
  it('become sessions with their directory, name, beginning, branches and counts', async () => {
    const { report, session } = await new ImportStage().imported('claude.jsonl');
    expect(report).toMatchObject({
      format: 'claude',
      status: 'imported',
      messages: 12,
      branches: 2,
      toolCalls: 5,
      compactions: 1,
      skipped: [{ reason: 'of subagents', count: 2 }],
    });
    expect(session).toMatchObject({ name: 'Fix the checkout', cwd: '/home/ada/shop', problems: [] });
    expect(session.header.timestamp).toBe('2026-03-02T09:00:00.000Z');
  });

  it('join the lines of one answer, with its usage counted once and its thinking signed', async () => {
    const { session } = await new ImportStage().imported('claude.jsonl');
    const [first, ...rest] = answersOf([...session.entries()]);
    expect(first).toMatchObject({
      content: [
        {
          type: 'thinking',
          text: 'Two places to look at.',
          vendorData: { signature: 'EqQBSignedThinking==' },
        },
        { type: 'text', text: 'I look at both files.' },
        { type: 'tool-call', id: 'toolu_01', name: 'Read' },
        { type: 'tool-call', id: 'toolu_02', name: 'Bash' },
      ],
      model: { vendor: 'anthropic', id: 'claude-sonnet-4-5-20250929', api: 'anthropic' },
      usage: { input: 5, output: 93, cacheRead: 100, cacheWrite: 40 },
      stopReason: 'tool-calls',
    });
    expect(first?.cost).toBeGreaterThan(0);
    expect(first?.content.at(2)).not.toHaveProperty('vendorData');
    expect(rest.map(({ stopReason }) => stopReason)).toEqual([
      'tool-calls',
      'tool-calls',
      'end',
      'error',
      'end',
      'tool-calls',
    ]);
  });

  it('put the results of parallel calls one below the other, as they were said', async () => {
    const { session } = await new ImportStage().imported('claude.jsonl');
    const answer = [...session.entries()].find(
      (entry) => entry.type === 'message' && entry.message.role === 'assistant',
    );
    const results = [...session.entries()].filter(
      (entry) => entry.type === 'message' && entry.message.role === 'tool',
    );
    expect(results[0]?.parentId).toBe(answer?.id);
    expect(results[1]?.parentId).toBe(results[0]?.id);
    expect(resultsOf(results)).toMatchObject([
      { toolCallId: 'toolu_01', toolName: 'Read', isError: false },
      { toolCallId: 'toolu_02', toolName: 'Bash', isError: true },
      { toolCallId: 'toolu_03', toolName: 'Edit', display: { kind: 'diff', path: '/home/ada/shop/cart.ts' } },
      { toolCallId: 'toolu_04', toolName: 'Agent' },
      { toolCallId: 'toolu_05', toolName: 'mcp__db__query' },
    ]);
  });

  it('keep images, mentioned files, what was said meanwhile, and who said it', async () => {
    const { session } = await new ImportStage().imported('claude.jsonl');
    const said = messagesOf([...session.entries()]).filter((message) => message.role === 'user');
    const command = said.find(({ origin }) => origin === 'command');
    expect(command && textOf(command.content)).toBe('/compact');
    expect(said.map(({ origin }) => origin)).toEqual([
      'reminder',
      undefined,
      'reminder',
      'steering',
      undefined,
      'command',
      undefined,
      'reminder',
    ]);
    expect(said[1]?.content).toMatchObject([{ type: 'text' }, { type: 'image', mimeType: 'image/png' }]);
    expect(textOf(said[2]?.content ?? [])).toContain('export const cart');
  });

  it('keep errors, redacted thinking and searches of the vendor, none of which another vendor is sent', async () => {
    const { session } = await new ImportStage().imported('claude.jsonl');
    const answers = answersOf([...session.entries()]);
    expect(answers[4]).toMatchObject({ content: [], error: { message: 'API Error: 529 overloaded' } });
    expect(answers[5]?.content).toMatchObject([
      { type: 'thinking', redacted: true, vendorData: { data: 'EvQredacted' } },
      { type: 'server-tool', phase: 'call', name: 'web_search', summary: 'js set' },
      { type: 'server-tool', phase: 'result', summary: '1 result' },
      { type: 'text', text: 'A Set it is.' },
    ]);
  });

  it('keep a compaction where it was made: the model sees the summary, the file has it all', async () => {
    const { session } = await new ImportStage().imported('claude.jsonl');
    const compaction = session.path().find(({ type }) => type === 'compaction');
    expect(compaction).toMatchObject({ tokensBefore: 155_000, timestamp: '2026-03-02T09:02:01.000Z' });
    const [summary, , request] = session.messages();
    expect(summary).toMatchObject({ origin: 'summary' });
    expect(textOf(summary?.content ?? [])).toContain('The cart became a Set.');
    expect(textOf(request?.content ?? [])).toBe('Now write a test.');
    expect(messagesOf(session.path()).length).toBeGreaterThan(12);
  });

  it('that were rewound continue from there, and keep what was left', async () => {
    const stage = new ImportStage();
    const path = stage.copy('claude.jsonl');
    const rewind = (leafUuid: string) =>
      `{"type":"last-prompt","leafUuid":"${leafUuid}","explicit":true,"rewound":true}\n`;
    const lines = readFileSync(path, 'utf8').split('\n');
    const answer = lines.find((line) => line.includes('Done: the cart')) ?? '';
    const { uuid } = JSON.parse(answer) as { uuid: string };
    writeFileSync(path, lines.join('\n') + rewind(uuid));
    const { sessionId = '' } = await stage.importer().import(path);
    const rewound = await stage.store.open(sessionId, { mode: 'read' });
    expect(textOf(rewound.messages().at(-1)?.content ?? [])).toBe('Done: the cart is a Map now.');
    expect(messagesOf([...rewound.entries()])).toHaveLength(20);
    writeFileSync(path, lines.join('\n') + rewind('nowhere'));
    const whole = await stage.importer().import(path);
    const untouched = await stage.store.open(whole.sessionId ?? '', { mode: 'read' });
    expect(textOf(untouched.messages().at(-1)?.content ?? [])).toContain('interrupted');
  });

  it('of a subagent are imported where they are named', async () => {
    const { report, session } = await new ImportStage().imported('claude-agent.jsonl');
    expect(report).toMatchObject({ messages: 2, name: 'Subagent a1b2c3d4' });
    expect(session.messages()).toHaveLength(2);
  });

  it('without titles of their own take the summary that names one of their lines', async () => {
    const stage = new ImportStage();
    const path = stage.copy('claude.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/.*"ai-title".*\n/, ''));
    const report = await stage.importer().import(path);
    expect(report.name).toBe('Checkout fails with an empty cart');
  });
});

describe('sessions of pi and rab', () => {
  it('of the third format keep ids, branches, labels, names, thinking and costs', async () => {
    proves('P-19', 'P-21');
    const { report, session } = await new ImportStage().imported('pi-3.jsonl');
    expect(report).toMatchObject({
      format: 'pi',
      messages: 5,
      branches: 2,
      toolCalls: 2,
      compactions: 1,
      skipped: [],
    });
    expect(session.name).toBe('Files of the shop');
    expect([...session.labels]).toEqual([['a0000003', 'start']]);
    expect(session.path().map(({ id }) => id)).toEqual(expect.arrayContaining(['a0000003', 'a0000010']));
    expect(answersOf([...session.entries()])[0]).toMatchObject({
      content: [
        { type: 'thinking', text: 'ls is enough', vendorData: { signature: 'SigPi==' } },
        { type: 'text', text: 'Looking.' },
        { type: 'tool-call', name: 'Bash', input: { command: 'ls', timeout: 5000 } },
        {
          type: 'tool-call',
          name: 'Edit',
          input: {
            file_path: 'a.ts',
            edits: [
              { old_string: 'a', new_string: 'b' },
              { old_string: 'c', new_string: 'd' },
            ],
          },
        },
      ],
      model: { vendor: 'anthropic', id: 'claude-sonnet-4-5', api: 'anthropic' },
      usage: { input: 12, output: 34, cacheRead: 10, cacheWrite: 0 },
      cost: 0.25,
    });
    expect(resultsOf([...session.entries()])).toMatchObject([
      { toolName: 'Bash', content: [{ type: 'text' }, { type: 'image' }] },
      { toolName: 'Edit', isError: true },
    ]);
  });

  it('of the third format tell the model what summaries, notes and shell commands say', async () => {
    proves('P-19');
    const { session } = await new ImportStage().imported('pi-3.jsonl');
    const texts = session.messages().map(({ content }) => textOf(content));
    expect(texts[0]).toContain('Files were listed.');
    expect(texts.slice(1)).toEqual([
      'One file.',
      expect.stringContaining('Looked at git.'),
      'Mind the tests.',
      'And now?',
    ]);
    expect([...session.entries()]).toContainEqual(
      expect.objectContaining({ type: 'opaque', raw: expect.objectContaining({ x: { y: 1 } }) }),
    );
  });

  it('of the first and second format are brought up to date', async () => {
    proves('P-19');
    const first = await new ImportStage().imported('pi-1.jsonl');
    expect(first.session.messages().map(({ content }) => textOf(content))).toEqual([
      expect.stringContaining('One thing was said.'),
      'Second',
      'Two',
    ]);
    const second = await new ImportStage().imported('pi-2.jsonl');
    expect(second.session.messages()).toMatchObject([
      { role: 'user' },
      { role: 'user', content: [{ text: 'From a hook' }] },
      {
        model: { api: 'openai-responses' },
        content: [
          { vendorData: { type: 'reasoning', summary: [], encrypted_content: 'gAAA' } },
          { id: 'call_1', name: 'Read', input: { file_path: 'x' } },
        ],
      },
      { role: 'tool', toolCallId: 'call_1', toolName: 'Read' },
    ]);
  });

  it('of the experimental fourth format keep entries, names, labels, the leaf and kept messages', async () => {
    const { report, session } = await new ImportStage().imported('pi-4.jsonl');
    expect(report).toMatchObject({ format: 'pi-4', messages: 4, name: 'Greetings' });
    expect(session.labels.get('d0000001')).toBe('hello');
    expect(session.messages().map(({ content }) => textOf(content))).toEqual([
      expect.stringContaining('Greetings.'),
      'Kept',
    ]);
  });

  it.each([
    ['flat lines', { toolCalls: [{ id: 't1', name: 'bash', arguments: '{"command":"ls"}' }] }],
    ['blocks', { content: [{ type: 'toolCall', id: 't1', name: 'bash', arguments: '{"command":"ls"}' }] }],
  ])('keep arguments that are written as text in %s', async (_, written) => {
    const stage = new ImportStage();
    const path = join(stage.root, 'session.jsonl');
    const lines = [
      { id: '1', parentId: null, role: 'user', content: 'list', timestamp: 1 },
      { id: '2', parentId: '1', role: 'assistant', content: 'Found', timestamp: 2, ...written },
      { id: '3', parentId: '2', role: 'toolResult', toolCallId: 't1', content: 'src/main.rs', timestamp: 3 },
    ];
    writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'));
    const { sessionId } = await stage.importer().import(path);
    const session = await stage.store.open(sessionId ?? '', { mode: 'read' });
    expect(session.messages().flatMap(toolCallsOf)).toMatchObject([
      { name: 'Bash', input: { command: 'ls' } },
    ]);
  });

  it('of flat lines keep calls, results, usage and the names of tools', async () => {
    proves('P-19');
    const { report, session } = await new ImportStage().imported('flat.jsonl');
    expect(report).toMatchObject({ format: 'flat', messages: 3 });
    expect(session.messages()).toMatchObject([
      { role: 'user', timestamp: 1_700_000_000_000 },
      { content: [{ id: 't1', name: 'Bash', input: { command: 'ls' } }], usage: { input: 50, output: 80 } },
      { role: 'tool', toolName: 'Bash' },
      { role: 'assistant' },
    ]);
  });
});

describe('sessions of eidolon', () => {
  for (const fixture of fixtures.filter((name) => name.includes('history'))) {
    it(`as ${fixture.split('/')[1]} keep texts, calls and results by our names`, async () => {
      proves('E-29');
      const { report, session } = await new ImportStage().imported(fixture);
      expect(report).toMatchObject({ messages: 4, toolCalls: 4, branches: 1 });
      expect(session.header.timestamp).toBe('2025-12-01T08:00:00.000Z');
      const answers = answersOf([...session.entries()]);
      expect(answers[0]?.content).toMatchObject([
        { type: 'thinking', text: 'ls' },
        { type: 'text', text: 'Looking.' },
        { name: 'Bash', input: { command: 'ls -la', timeout: 5000 } },
        { name: 'Read', input: { file_path: 'a.ts', offset: 2, limit: 3 } },
      ]);
      expect(answers.flatMap(toolCallsOf).slice(2)).toMatchObject([
        { name: 'SysBuiltIn.write_file', input: { mode: 'append' } },
        { name: 'Edit', input: { file_path: 'a.ts', old_string: 'a', new_string: 'b' } },
      ]);
      expect(
        resultsOf([...session.entries()]).map(({ toolName, content }) => [toolName, textOf(content)]),
      ).toEqual([
        ['Bash', 'a\nb'],
        ['Read', 'say "hi"'],
        ['SysBuiltIn.write_file', 'wrote 1 bytes'],
        ['Edit', 'replace'],
      ]);
    });
  }
});
