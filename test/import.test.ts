import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anthropicReply, openaiChatReply, runRobota, temporaryDirectory } from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { proves } from '@robota-sdk/agent-testing/proves';
import { beforeEach, describe, expect, it } from 'vitest';

const fixtures = fileURLToPath(new URL('../packages/agent-import/src/import/fixtures/', import.meta.url));

const server = modelServerPerTest();
let cwd: string;
let home: string;

beforeEach(async () => {
  cwd = await temporaryDirectory();
  home = await temporaryDirectory('robota-home');
});

function robota(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return runRobota(args, { cwd, home, env });
}

interface Imported {
  readonly sessions: readonly {
    readonly sessionId: string;
    readonly status: string;
    readonly path: string;
  }[];
  readonly failed: readonly { readonly path: string; readonly message: string }[];
  readonly leftOut: readonly { readonly reason: string; readonly count: number }[];
  readonly total: { readonly imported: number; readonly already: number; readonly failed: number };
}

async function imported(...args: string[]): Promise<Imported> {
  const { stdout } = await robota(['sessions', 'import', '--json', ...args]);
  return JSON.parse(stdout) as Imported;
}

/** Puts a fixture somewhere in the home directory, held in the directory of this test. */
async function place(fixture: string, path: string): Promise<string> {
  const target = join(home, path);
  await mkdir(dirname(target), { recursive: true });
  const text = await readFile(join(fixtures, fixture), 'utf8');
  await writeFile(target, text.replaceAll('/home/ada/shop', cwd));
  return target;
}

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly text?: string;
}

/** Anthropic refuses empty messages, two of one role in a row, and calls without results right after them. */
function expectAnthropicTakes(messages: readonly { role: string; content: readonly Block[] }[]): void {
  for (const [index, { role, content }] of messages.entries()) {
    expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant');
    expect(content.length).toBeGreaterThan(0);
    for (const { type, text } of content) if (type === 'text') expect(text?.trim()).not.toBe('');
    const calls = content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
    const next = messages[index + 1]?.content ?? [];
    expect(next.flatMap(({ type, tool_use_id: id }) => (type === 'tool_result' ? [id] : []))).toEqual(calls);
  }
}

interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

/** OpenAI refuses a call without its result after it, a result without a call, and an empty answer. */
function expectOpenAITakes(messages: readonly ChatMessage[]): void {
  let open: string[] = [];
  for (const { role, content, tool_calls: calls, tool_call_id: id } of messages) {
    if (role === 'tool') {
      expect(open).toContain(id);
      open = open.filter((each) => each !== id);
      continue;
    }
    expect(open).toEqual([]);
    expect(Boolean(content) || calls !== undefined).toBe(true);
    open = (calls ?? []).map((call) => call.id);
  }
  expect(open).toEqual([]);
}

const files = [
  'claude.jsonl',
  'pi-1.jsonl',
  'pi-2.jsonl',
  'pi-3.jsonl',
  'flat.jsonl',
  'codex.jsonl',
  'gemini.jsonl',
  'opencode.json',
  '2025-12-01T08-00-00-000Z/history.xnl',
];

describe('robota sessions import', () => {
  it('makes sessions of every format that continue with Anthropic and with OpenAI', async () => {
    proves('P-19');
    await Promise.all(files.map((file) => place(file, join('sources', file))));
    // The same transcript before it was compacted, cut off while two calls ran side by side and one had its result.
    const lines = (await readFile(join(fixtures, 'claude.jsonl'), 'utf8')).split('\n');
    await writeFile(join(home, 'sources/whole.jsonl'), lines.slice(0, 27).join('\n'));
    await writeFile(join(home, 'sources/cut.jsonl'), lines.slice(0, 12).join('\n'));
    const { sessions, total } = await imported(join(home, 'sources'));
    expect(total).toMatchObject({ imported: files.length + 2, failed: 0 });
    for (const { sessionId } of sessions) {
      server.reply(anthropicReply({ text: 'gone on' }));
      const anthropic = await robota(['-p', '-r', sessionId, 'and now?'], {
        ANTHROPIC_API_KEY: 'sk-test',
        ANTHROPIC_BASE_URL: server.url,
      });
      expect(anthropic).toMatchObject({ code: 0, stdout: 'gone on\n' });
      const sent = server.requests.at(-1)?.body as { messages: { role: string; content: Block[] }[] };
      expectAnthropicTakes(sent.messages);
      server.reply(openaiChatReply({ text: 'and on' }));
      const openai = await robota(['-p', '-r', sessionId, '--model', 'openai/gpt-4.1', 'and now?'], {
        OPENAI_API_KEY: 'sk-test',
        OPENAI_BASE_URL: server.url,
      });
      expect(openai).toMatchObject({ code: 0, stdout: 'and on\n' });
      const chat = server.requests.at(-1)?.body as { messages: ChatMessage[] };
      expectOpenAITakes(chat.messages);
    }
  });

  it('sends signed thinking back to the model that signed it, and to no other', async () => {
    const path = await place('claude.jsonl', 'claude.jsonl');
    const text = await readFile(path, 'utf8');
    await writeFile(
      path,
      text.split('\n').slice(0, 13).join('\n').replaceAll('claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'),
    );
    const { sessions } = await imported(path);
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url };
    const ask = async (model: string) => {
      server.reply(anthropicReply({ text: 'ok' }));
      await robota(
        ['-p', '-r', sessions[0]?.sessionId ?? '', '--fork', '--thinking', 'high', '--model', model, 'go on'],
        env,
      );
      return JSON.stringify(server.requests.at(-1)?.body);
    };
    expect(await ask('anthropic/claude-sonnet-4-5')).toContain('EqQBSignedThinking==');
    expect(await ask('anthropic/claude-opus-4-5')).not.toContain('EqQBSignedThinking==');
  });

  it('finds the sessions of this directory where each program keeps its own', async () => {
    proves('P-20', 'E-24');
    const project = cwd
      .toLowerCase()
      .slice(1)
      .replaceAll('/', '-')
      .replace(/[^a-z0-9_-]/g, '_');
    await place('claude.jsonl', '.claude/projects/-a/5f3c.jsonl');
    await place('claude-agent.jsonl', '.claude/projects/-a/agent-1.jsonl');
    await place('pi-3.jsonl', '.pi/agent/sessions/--a--/x.jsonl');
    await place('flat.jsonl', '.rab/sessions/a/x.jsonl');
    await place('codex.jsonl', '.codex/sessions/2026/03/04/rollout-2026-03-04T10-00-00-x.jsonl');
    await place('gemini.jsonl', '.gemini/tmp/shop/chats/session-2026-04-05T12-00-6f1e0000.jsonl');
    await writeFile(join(home, '.gemini/tmp/shop/.project_root'), cwd);
    await place('opencode.json', '.local/share/opencode/storage/session/f00/exported.json');
    const eidolon = `.eidolon/projects/${project}/sessions/2025-12-01T08-00-00-000Z`;
    await cp(join(fixtures, '2025-12-01T08-00-00-000Z'), join(home, eidolon), { recursive: true });
    await mkdir(join(home, '.claude/projects/-b'));
    await cp(join(fixtures, 'claude.jsonl'), join(home, '.claude/projects/-b/other.jsonl'));
    const here = await imported(
      '--from',
      'claude,pi,codex,opencode,gemini',
      '--from',
      'rab',
      '--from',
      'eidolon',
    );
    expect(here.total).toMatchObject({ imported: 7, failed: 0 });
    expect(here.leftOut.map(({ reason }) => reason)).toEqual([
      'of subagents (name one to import it)',
      'of other directories (--all takes them, too)',
      'that hold the same conversation as another file beside them (name one to import it)',
    ]);
    const all = await imported('--from', 'claude', '--all');
    expect(all.sessions.map(({ status }) => status)).toEqual(['already', 'imported']);
  });

  it('looks where the variables of those programs point', async () => {
    await place('claude.jsonl', 'config/projects/-a/x.jsonl');
    await place('pi-2.jsonl', 'agent/sessions/a/x.jsonl');
    const env = { CLAUDE_CONFIG_DIR: join(home, 'config'), PI_CODING_AGENT_DIR: join(home, 'agent') };
    const { stdout } = await robota(
      ['sessions', 'import', '--from', 'claude', '--from', 'pi', '--dry-run'],
      env,
    );
    expect(stdout).toContain('2 sessions would be imported');
    const { stdout: list } = await robota(['sessions', 'list', '--all', '--json']);
    expect(list).not.toContain('checkout');
  });

  it('looks where the settings of pi point', async () => {
    await place('pi-2.jsonl', 'elsewhere/x.jsonl');
    await mkdir(join(home, '.pi/agent'), { recursive: true });
    await writeFile(join(home, '.pi/agent/settings.json'), '{"sessionDir": "~/elsewhere"}');
    const command = ['sessions', 'import', '--from', 'pi', '--all', '--dry-run'];
    expect((await robota(command)).stdout).toContain('1 session would be imported');
    const env = { PI_CODING_AGENT_SESSION_DIR: join(home, 'none') };
    expect((await robota(command, env)).stderr).toContain('No sessions of pi');
  });

  it('continues after a file that fails, says what happened to each, and ends with 1', async () => {
    const good = await place('flat.jsonl', 'good.jsonl');
    const bad = join(home, 'notes.txt');
    await writeFile(bad, 'just \u001b[31mnotes\n');
    const { code, stdout, stderr } = await robota(['sessions', 'import', bad, good, join(home, 'nowhere')]);
    expect(code).toBe(1);
    expect(stdout).toContain('3 messages, 1 branch, 1 tool call, from rab');
    expect(stdout).toContain('1 session imported with 3 messages and 1 tool call, 2 failed');
    expect(stderr).toContain(
      `${bad} is not a session of pi, rab, Claude Code, Codex, opencode, Gemini CLI or eidolon`,
    );
    expect(stderr).toContain('File not found');
    const again = await robota(['sessions', 'import', good]);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toMatch(/already imported as [0-9a-f-]{36}/);
  });

  it('is named where a foreign file is opened instead', async () => {
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url };
    for (const file of [
      'claude.jsonl',
      'pi-1.jsonl',
      'pi-3.jsonl',
      '2025-12-01T08-00-00-000Z/history.json',
    ]) {
      const path = await place(file, file);
      const { code, stderr } = await robota(['-p', '--session', path, 'hi'], env);
      expect(code).toBe(2);
      expect(stderr).toContain(`robota sessions import ${path}`);
    }
    expect(server.requests).toEqual([]);
  });

  it('refuses options that mean nothing, before anything is read', async () => {
    expect(await robota(['sessions', 'import'])).toMatchObject({ code: 2 });
    const typo = await robota(['sessions', 'import', '--from', 'cloude']);
    expect(typo).toMatchObject({ code: 2 });
    expect(typo.stderr).toContain('Did you mean claude?');
    expect(await robota(['sessions', 'import', '--all', 'x'])).toMatchObject({ code: 2 });
    expect(await robota(['sessions', 'import', '--cwd', '/nowhere', 'x'])).toMatchObject({ code: 2 });
  });
});
