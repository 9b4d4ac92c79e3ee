import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { JsonObject, Message } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { type Fixture, ImportStage } from '../import/fixtures/import-stage.ts';

/** The messages of the conversation, and everything in the file. */
async function read(fixture: Fixture) {
  const { report, session } = await new ImportStage().imported(fixture);
  const all = [...session.entries()].flatMap((entry) =>
    entry.type === 'message' ? (entry.message as Message) : [],
  );
  return { report, session, all, told: session.messages() };
}

const calls = (messages: readonly Message[]) =>
  messages.flatMap((message) =>
    message.role === 'assistant' ? message.content.filter(({ type }) => type === 'tool-call') : [],
  );
const texts = (messages: readonly Message[], role: Message['role']) =>
  messages.flatMap((message) =>
    message.role === role
      ? message.content.map((block) => ('text' in block ? block.text : block.type)).join('|')
      : [],
  );

describe('sessions of Codex', () => {
  it.each([undefined, 2])(
    'of the versions in TypeScript are one object, with an indent of %s',
    async (indent) => {
      const stage = new ImportStage();
      const message = (role: string, type: string, text: string) => ({
        type: 'message',
        role,
        content: [{ type, text }],
      });
      const call = { type: 'function_call', name: 'shell', call_id: 'c1', arguments: '{"command":["ls"]}' };
      const output = JSON.stringify({ output: 'a.ts', metadata: { exit_code: 0 } });
      const items = [
        message('user', 'input_text', 'List the files'),
        call,
        { type: 'function_call_output', call_id: 'c1', output },
        message('assistant', 'output_text', 'There is a.ts.'),
      ];
      const written = { session: { timestamp: '2025-05-01T10:00:00.000Z', id: 'x' }, items };
      const path = join(stage.root, 'rollout.json');
      writeFileSync(path, JSON.stringify(written, null, indent));
      const report = await stage.importer().import(path);
      expect(report).toMatchObject({
        format: 'codex',
        status: 'imported',
        messages: 3,
        toolCalls: 1,
        skipped: [],
      });
      writeFileSync(path, JSON.stringify(written, null, 2).slice(0, -20));
      await expect(stage.importer().import(path)).rejects.toThrow('not a complete object');
    },
  );

  it('have their directory, model, tokens, sealed thinking, and results with exit codes', async () => {
    const { report, session, all } = await read('codex.jsonl');
    expect(report).toMatchObject({
      format: 'codex',
      cwd: '/home/ada/shop',
      toolCalls: 5,
      compactions: 1,
      branches: 2,
      skipped: [{ reason: "with instructions of Codex's own", count: 2 }],
    });
    expect(session.header.timestamp).toBe('2026-03-04T10:00:00.000Z');
    expect(all[0]?.content).toMatchObject([
      { type: 'text', text: 'Why does the checkout test fail?' },
      { type: 'image', mimeType: 'image/png' },
    ]);
    expect(all[1]).toMatchObject({
      model: { vendor: 'openai', id: 'gpt-5.2-codex', api: 'openai-responses' },
      usage: { input: 200, output: 80, cacheRead: 1000, cacheWrite: 0 },
      stopReason: 'tool-calls',
      content: [
        {
          type: 'thinking',
          text: '**Looking at the test**',
          vendorData: { type: 'reasoning', encrypted_content: 'gAAAAABsealed==' },
        },
        { type: 'text', text: 'I run it first.' },
        { type: 'tool-call', id: 'call_1' },
        { type: 'tool-call', id: 'call_2' },
      ],
    });
    expect(all.filter(({ role }) => role === 'tool')).toMatchObject([
      { toolName: 'Bash', status: 'error', exitCode: 1 },
      { toolName: 'Bash', status: 'success', exitCode: 0, content: [{ text: 'export const total = a * b' }] },
      { toolName: 'apply_patch', status: 'success' },
      { toolName: 'TodoWrite', status: 'success' },
    ]);
  });

  it('call tools of ours by our names where they mean the same', async () => {
    const { all } = await read('codex.jsonl');
    expect(calls(all)).toMatchObject([
      { name: 'Bash', input: { command: 'npm test' } },
      { name: 'Bash', input: { command: 'cat src/checkout.ts', timeout: 5000 } },
      { name: 'apply_patch', input: { input: expect.stringContaining('*** Begin Patch') } },
      {
        name: 'TodoWrite',
        input: {
          todos: [
            { content: 'Fix the total', status: 'completed' },
            { content: 'Run the tests', status: 'in_progress' },
          ],
        },
      },
      { name: 'Bash', input: { command: 'git commit -am fix', timeout: 9000 } },
    ]);
  });

  it('keep a prompt that was taken back as a branch', async () => {
    const { all, told } = await read('codex.jsonl');
    expect(texts(all, 'user')).toContain('Rewrite it all in Rust');
    expect(texts(told, 'user').join()).not.toContain('Rust');
    expect(texts(told, 'user').join()).toContain('The checkout test failed because of a text; fixed.');
  });

  it('of versions without envelopes are read as well', async () => {
    const { report, all } = await read('codex-older.jsonl');
    expect(report).toMatchObject({ format: 'codex', messages: 3, toolCalls: 1 });
    expect(texts(all, 'user')).toEqual(['list the files']);
    expect(calls(all)).toMatchObject([{ id: 'call_9', name: 'Bash', input: { command: "ls '-a b'" } }]);
    expect(texts(all, 'tool')).toEqual(['a.txt\n']);
  });
});

describe('sessions of Gemini CLI', () => {
  it('have their thoughts, calls with results, tokens and title', async () => {
    const { report, session, all } = await read('gemini.jsonl');
    expect(report).toMatchObject({ format: 'gemini', toolCalls: 3, branches: 2 });
    expect(session.name).toBe('Fix the shop');
    expect(all[0]?.content).toMatchObject([{ type: 'text' }, { type: 'image', mimeType: 'image/png' }]);
    expect(all[1]).toMatchObject({
      model: { vendor: 'google', id: 'gemini-3-pro', api: 'google' },
      usage: { input: 200, output: 52, cacheRead: 700 },
      content: [
        { type: 'thinking', text: 'Reading\nThe picture shows a shop.' },
        { type: 'text', text: 'I read the code.' },
        { name: 'Read', input: { file_path: 'src/shop.ts', offset: 10, limit: 5 } },
        { name: 'Bash', input: { command: 'npm test' } },
        { name: 'TodoWrite', input: { todos: [{ content: 'Fix it', status: 'pending' }] } },
      ],
    });
    expect(all.filter(({ role }) => role === 'tool')).toMatchObject([
      { toolCallId: 'read_file-1', status: 'success', content: [{ text: 'const shop = 1;' }] },
      { toolCallId: 'run_shell_command-2', status: 'error', content: [{ text: 'exit code 1' }] },
      { toolCallId: 'write_todos-3', status: 'error' },
    ]);
  });

  it('keep what was rewound as a branch, and leave out notices and commands', async () => {
    const { report, all, told } = await read('gemini.jsonl');
    expect(texts(all, 'user').slice(1)).toEqual(['Explain the failure', 'Fix the failure']);
    expect(texts(told, 'user').slice(1)).toEqual(['Fix the failure']);
    expect(report.skipped).toEqual([
      { reason: 'with commands and instructions of Gemini CLI', count: 2 },
      { reason: 'with notices of Gemini CLI', count: 1 },
    ]);
  });

  it.each([true, false])(
    'that were resumed keep calls, results and thoughts apart (ids: %s)',
    async (hasIds) => {
      const ids = (id: string) => (hasIds ? { id } : {});
      const at = (second: number) => `2026-03-04T10:00:0${second}.000Z`;
      const call = (name: string, args: object, id: string) => ({ functionCall: { ...ids(id), name, args } });
      const result = (name: string, response: object, id: string) => ({
        functionResponse: { ...ids(id), name, response },
      });
      const model = {
        model: 'gemini-3-pro',
        tokens: { input: 90, output: 4, cached: 0, thoughts: 2, total: 96 },
      };
      const messages = [
        { id: 'u1', timestamp: at(1), type: 'user', content: [{ text: 'Look and run' }] },
        {
          id: 'g1',
          timestamp: at(2),
          type: 'gemini',
          content: [
            { text: 'Hm, let me look.', thought: true },
            { text: 'I look.' },
            { ...call('read_file', { file_path: 'a.ts' }, 'c1'), thoughtSignature: 'c2ln' },
            call('run_shell_command', { command: 'false' }, 'c2'),
          ],
        },
        {
          id: 'u2',
          timestamp: at(3),
          type: 'user',
          content: [
            result('run_shell_command', { error: 'exit 1' }, 'c2'),
            result('read_file', { output: 'A' }, 'c1'),
          ],
        },
        { id: 'g2', timestamp: at(4), type: 'gemini', content: [{ text: 'Done.' }] },
      ];
      const lines = [
        { sessionId: 's', projectHash: 'h', startTime: at(0), kind: 'main' },
        { ...messages[1], ...model, content: 'I look.' },
        { $set: { messages } },
        { id: 'u3', timestamp: at(5), type: 'user', content: [{ text: 'Second prompt' }] },
      ];
      const stage = new ImportStage();
      const path = join(stage.root, 'session-1.jsonl');
      writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'));
      const report = await stage.importer().import(path);
      expect(report).toMatchObject({ format: 'gemini', messages: 4, toolCalls: 2, skipped: [] });
      const session = await stage.store.open(report.sessionId ?? '', { mode: 'read' });
      const [, answer, ...others] = session.messages();
      expect(answer).toMatchObject({
        role: 'assistant',
        model: { id: 'gemini-3-pro' },
        usage: { input: 90, output: 6 },
        content: [
          { type: 'thinking', text: 'Hm, let me look.' },
          { type: 'text', text: 'I look.' },
          { name: 'Read', input: { file_path: 'a.ts' }, vendorData: { signature: 'c2ln' } },
          { name: 'Bash', input: { command: 'false' } },
        ],
      });
      const [read, run] = calls(answer ? [answer] : []).map((each) => ('id' in each ? each.id : ''));
      expect(others).toMatchObject([
        { role: 'tool', toolCallId: read, toolName: 'Read', status: 'success', content: [{ text: 'A' }] },
        { role: 'tool', toolCallId: run, toolName: 'Bash', status: 'error', content: [{ text: 'exit 1' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
        { role: 'user', content: [{ text: 'Second prompt' }] },
      ]);
    },
  );

  it('of older versions are one object, and their directory is found beside them or by its hash', async () => {
    const stage = new ImportStage();
    const text = readFileSync(stage.copy('gemini-older.json'), 'utf8');
    const put = (path: string, content: string) => {
      const full = join(stage.root, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      return full;
    };
    const marked = put('a/.gemini/tmp/shop/chats/session-1.json', text);
    put('a/.gemini/tmp/shop/.project_root', '/home/user/store\n');
    const hashed = put('b/.gemini/tmp/0f/chats/session-1.json', `${text} `);
    put('b/.gemini/projects.json', JSON.stringify({ projects: { '/tmp/x': 'x', '/home/ada/shop': 'shop' } }));
    const importer = stage.importer();
    expect(await importer.import(marked)).toMatchObject({
      cwd: '/home/user/store',
      messages: 3,
      toolCalls: 1,
    });
    expect(await importer.import(hashed)).toMatchObject({ cwd: '/home/ada/shop', status: 'imported' });
    // The oldest ones have neither ids of messages nor of calls.
    const bareIds = text.replace(/"id":\s*"[^"]*",?/g, '').replaceAll('"gemini"', '"model"');
    expect(await importer.import(put('d/session-1.json', bareIds))).toMatchObject({
      messages: 3,
      toolCalls: 1,
    });
    const bare = put('c/session-1.json', `${text}  `);
    const found = async (cwd: string) => (await importer.find(dirname(bare), { cwd })).files;
    expect(await found('/home/ada/shop')).toEqual([bare]);
    expect(await found('/home/user/store')).toEqual([]);
  });
});

describe('sessions of opencode', () => {
  it('of its first formats are refused by name', async () => {
    const stage = new ImportStage();
    const path = join(stage.root, 'storage/session/info/ses_1.json');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ id: 'ses_1', directory: '/a' }));
    await expect(stage.importer().import(path)).rejects.toThrow('the first format of opencode');
  });

  it('have steps with their tokens, signed thinking, files, errors and the place gone back to', async () => {
    const { report, session, all, told } = await read('opencode.json');
    expect(report).toMatchObject({ format: 'opencode', cwd: '/home/ada/shop', toolCalls: 4, compactions: 1 });
    expect(session.name).toBe('Speed up the shop');
    expect(all[0]?.content).toMatchObject([{ type: 'text' }, { type: 'text' }, { type: 'image' }]);
    const answers = all.filter(({ role }) => role === 'assistant');
    expect(answers).toMatchObject([
      {
        model: { vendor: 'anthropic', id: 'claude-sonnet-4-5', api: 'anthropic' },
        cost: 0.01,
        usage: { input: 3, output: 25, cacheRead: 100, cacheWrite: 10 },
        content: [
          { type: 'thinking', vendorData: { signature: 'EqQBSigned==' } },
          { type: 'text' },
          { name: 'Read', input: { file_path: '/home/ada/shop/shop.ts', offset: 1 } },
          { name: 'Bash' },
        ],
      },
      { cost: 0.02, content: [{ name: 'Edit', input: { old_string: 'slow()', new_string: 'fast()' } }] },
      { content: [{ text: 'It is fast now.' }] },
      { stopReason: 'aborted', content: [{ name: 'Bash', input: { command: 'npm publish' } }] },
    ]);
    expect(all.filter(({ role }) => role === 'tool')).toMatchObject([
      { toolName: 'Read', status: 'success' },
      { toolName: 'Bash', status: 'error', content: [{ text: 'The user rejected permission' }] },
      { toolName: 'Edit', status: 'success' },
    ]);
    expect(texts(all, 'user')).toContain('No, wait');
    expect(texts(told, 'user')).not.toContain('No, wait');
  });

  it('are the same out of many files and out of a database, and each is imported once', async () => {
    const stage = new ImportStage();
    const whole = JSON.parse(readFileSync(stage.copy('opencode.json'), 'utf8')) as Exported;
    const share = join(stage.root, 'share/opencode');
    const stored = putStorage(join(share, 'storage'), whole);
    const told = async (path: string) => {
      const { sessionId = '', ...report } = await stage.importer({ again: true }).import(path);
      const session = await stage.store.open(sessionId, { mode: 'read' });
      return {
        counts: [report.messages, report.toolCalls, report.compactions, report.cwd, report.name],
        content: session.messages().map(({ role, content }) => ({ role, content })),
      };
    };
    const exported = await told(join(stage.root, 'sources/opencode.json'));
    expect(await told(stored)).toEqual(exported);
    const database = join(share, 'opencode.db');
    putDatabase(database, whole);
    if (!process.getBuiltinModule('node:sqlite')) {
      await expect(stage.importer().find(database)).rejects.toThrow('needs Node 22.13');
      return;
    }
    const { files, leftOut } = await stage.importer().find(database, { cwd: '/home/ada/shop' });
    expect(files).toEqual([`${database}#${whole.info.id}`]);
    expect(leftOut).toEqual([{ reason: 'of subagents (name one to import it)', count: 1 }]);
    expect(await told(files[0] ?? '')).toEqual(exported);
    const beside = await stage.importer().find(join(share, 'storage/session'));
    expect(beside).toMatchObject({ files: [], leftOut: [{ count: 1 }] });
  });
});

interface Exported {
  readonly info: JsonObject;
  readonly messages: readonly { readonly info: JsonObject; readonly parts: readonly JsonObject[] }[];
}

/** Writes a session as the versions before the database did. */
function putStorage(storage: string, { info, messages }: Exported): string {
  const put = (path: string, value: JsonObject) => {
    const full = join(storage, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, JSON.stringify(value, null, 2));
    return full;
  };
  for (const message of messages) {
    put(`message/${info.id}/${message.info.id}.json`, message.info);
    for (const part of message.parts) put(`part/${message.info.id}/${part.id}.json`, part);
  }
  return put(`session/f00/${info.id}.json`, info);
}

/** Writes it into a database, with one of a subagent beside it; by a newer Node where ours has no SQLite. */
function putDatabase(database: string, whole: Exported): void {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const { info, messages } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
    const db = new DatabaseSync(process.argv[1]);
    db.exec('create table session (id text primary key, directory text, title text, parent_id text, revert text, time_created integer)');
    db.exec('create table message (id text primary key, session_id text, time_created integer, data text)');
    db.exec('create table part (id text primary key, message_id text, session_id text, data text)');
    const session = db.prepare('insert into session values (?, ?, ?, ?, ?, ?)');
    session.run(info.id, info.directory, info.title, null, JSON.stringify(info.revert), info.time.created);
    session.run('ses_sub', info.directory, 'Sub', info.id, null, info.time.created);
    for (const { info: { id, sessionID, ...data }, parts } of messages) {
      db.prepare('insert into message values (?, ?, ?, ?)').run(id, sessionID, data.time.created, JSON.stringify(data));
      for (const { id: partId, sessionID: _, messageID, ...rest } of parts)
        db.prepare('insert into part values (?, ?, ?, ?)').run(partId, messageID, sessionID, JSON.stringify(rest));
    }
    db.close();`;
  const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined;
  const node = hasSqlite ? process.execPath : resolve('node_modules/.bin/node');
  execFileSync(node, ['-e', script, database], {
    input: JSON.stringify(whole),
    stdio: ['pipe', 'inherit', 'ignore'],
  });
}
