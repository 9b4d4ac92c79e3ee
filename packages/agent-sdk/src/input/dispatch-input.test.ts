import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, type ShellRun, textOf, type UserInterface } from '@robota-sdk/agent-core';
import { pdfOf } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { dispatchInput } from './dispatch-input.ts';
import { selectedAgent } from './select-agent.ts';

/** Debian and Ubuntu have it in poppler-utils. */
const canReadPdf = findProgram('pdftotext', { cwd: tmpdir() }) !== undefined;

async function open(place: TestProject, options: Parameters<typeof openScripted>[2] = {}) {
  const { session, provider } = await openScripted(place, () => ({ text: 'ok' }), options);
  const notices: string[] = [];
  session.on('notice', ({ text }) => void notices.push(text));
  /** The user messages of the last request, as texts. */
  const told = () =>
    (provider.requests.at(-1)?.messages ?? [])
      .filter(({ role }) => role === 'user')
      .map(({ content }) => textOf(content))
      .filter((text) => !text.startsWith('<reminder>'));
  return { session, provider, notices, told };
}

function runOf({ command, output, exitCode, status, durationMs, isPrivate }: ShellRun): ShellRun {
  return {
    command,
    output,
    exitCode,
    status,
    isPrivate,
    ...(durationMs === undefined ? {} : { durationMs }),
  };
}

describe('files in a prompt', () => {
  it('gives the model the content of a mentioned file, and leaves the text alone', async () => {
    proves('E-32', 'E-38');
    const place = await makeTestProject();
    await place.put('src/a.ts', 'export const a = 1;\n');
    const { session, told } = await open(place);
    await dispatchInput(session, 'explain @src/a.ts, and @file:src/a.ts.');
    expect(told()).toEqual([
      'explain @src/a.ts, and @file:src/a.ts.',
      '@file:src/a.ts\nexport const a = 1;\n',
    ]);
    const shown: string[] = [];
    session.on('user_message', (text) => void shown.push(text));
    await dispatchInput(session, `again @${join(place.cwd, 'src/a.ts')}`);
    expect(told().at(-1)).toBe(`@file:${join(place.cwd, 'src/a.ts')}\nexport const a = 1;\n`);
    expect(shown).toEqual([`again @${join(place.cwd, 'src/a.ts')}`]);
    await session.shutdown();
  });

  it('refuses a relative path out of the workspace, what a rule denies and binary data', async () => {
    proves('E-32');
    const place = await makeTestProject();
    await place.put('~/secret.txt', 'outside');
    await place.put('.env', 'KEY=1');
    await writeFile(join(place.cwd, 'data.bin'), Buffer.from([0, 1, 2, 255, 0]));
    const { session, told, notices } = await open(place, { rules: { deny: ['Read(.env)'] } });
    await dispatchInput(
      session,
      'read @../home/secret.txt @.env @data.bin @file:nope.txt @gone.md @app.route @Component me@x.org',
    );
    expect(told()).toEqual([
      'read @../home/secret.txt @.env @data.bin @file:nope.txt @gone.md @app.route @Component me@x.org',
    ]);
    expect(notices).toEqual([
      expect.stringContaining('@../home/secret.txt was not attached: it is outside the workspace'),
      expect.stringContaining('@.env was not attached'),
      '@data.bin was not attached: binary file. Write the path without @ to let the model use commands on it.',
      'File not found: nope.txt; the text is sent unchanged.',
      'File not found: gone.md; the text is sent unchanged.',
    ]);
    await session.shutdown();
  });

  it('takes nothing that was pasted for a command or a mention, but what was typed around it', async () => {
    proves('E-31', 'E-32');
    const place = await makeTestProject();
    await place.put('a.ts', 'const a = 1;\n');
    await place.put('b.ts', 'const b = 2;\n');
    const { session, told } = await open(place);
    const paste = '!touch pwned\n/exit\nsee @b.ts and @agent:nobody';
    const all = { start: 0, end: paste.length };
    expect((await dispatchInput(session, paste, { pasted: [all] })).kind).toBe('prompt');
    expect(told()).toEqual([paste]);
    const inner = { start: 3, end: 9 };
    await dispatchInput(session, `${paste} fix @a.ts`, { pasted: [all, inner] });
    expect(told().slice(-2)).toEqual([`${paste} fix @a.ts`, '@file:a.ts\nconst a = 1;\n']);
    const told2 = `fix @a.ts ${paste}`;
    const behind = { start: told2.length - paste.length, end: told2.length };
    await dispatchInput(session, told2, { pasted: [behind] });
    expect(told().slice(-2)).toEqual([told2, '@file:a.ts\nconst a = 1;\n']);
    const ran = await dispatchInput(session, '!echo one\necho two', { pasted: [{ start: 1, end: 18 }] });
    expect(ran).toMatchObject({ kind: 'shell', message: expect.stringContaining('one\ntwo') });
    await expect(readdir(place.cwd)).resolves.not.toContain('pwned');
    await session.shutdown();
  });

  it('gives a file outside the workspace whose whole path is written, and says so', async () => {
    proves('E-32');
    const place = await makeTestProject();
    const path = await place.put('~/notes.md', 'a note');
    const { session, told, notices } = await open(place);
    await dispatchInput(session, 'see @~/notes.md');
    expect(told()[1]).toBe(`@file:${path}\na note\n`);
    expect(notices).toEqual([`@${path} is outside the workspace and was attached.`]);
    await session.shutdown();
  });

  it('gives images as images, directories as lists, lines where some are asked for, and of long files the beginning', async () => {
    const place = await makeTestProject();
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await writeFile(join(place.cwd, 'dot.png'), Buffer.from(png, 'base64'));
    await place.put('lib/b.txt', 'one\ntwo\nthree\n');
    await mkdir(join(place.cwd, 'lib', 'sub'));
    await place.put('long.txt', 'line\n'.repeat(5000));
    const { session, provider, told } = await open(place);
    await dispatchInput(session, 'see @dot.png @lib @lib/b.txt#L2-3 @long.txt');
    const images = provider.requests[0]?.messages.flatMap(({ content }) =>
      content.filter(({ type }) => type === 'image'),
    );
    expect(images).toMatchObject([{ mimeType: 'image/png', data: png }]);
    const [, attached = ''] = told();
    expect(attached).toContain('@file:lib\nb.txt\nsub/\n');
    expect(attached).toContain('@file:lib/b.txt#L2-3\ntwo\nthree');
    expect(attached).toContain('There are more lines; read on with offset 2001.');
    await session.shutdown();
  });

  it('takes a range after a colon as lines of a text, unless a file is called so', async () => {
    const place = await makeTestProject();
    await place.put('b.txt', 'one\ntwo\nthree\n');
    await place.put('c.txt:2', 'with a colon\n');
    await mkdir(join(place.cwd, 'lib'));
    const { session, told, notices } = await open(place);
    await dispatchInput(session, 'see @b.txt:2-3, @b.txt:3- and @b.txt:3:7 @c.txt:2 @lib:80');
    expect(told().at(-1)).toBe(
      '@file:b.txt#L2-3\ntwo\nthree\n@file:b.txt#L3-\nthree\n@file:b.txt#L3-3\nthree\n@file:c.txt:2\nwith a colon\n',
    );
    expect(notices).toEqual([]);
    await session.shutdown();
  });

  it.skipIf(!canReadPdf)('takes a range after a colon as pages of a PDF', async () => {
    const place = await makeTestProject();
    await writeFile(join(place.cwd, 'book.pdf'), pdfOf(['Page A', 'Page B', 'Page C']));
    const { session, told, notices } = await open(place);
    await dispatchInput(session, 'and @book.pdf:7-9 @book.pdf:3-2 @gone.pdf:2-3');
    expect(notices).toEqual([
      expect.stringContaining('@book.pdf was not attached: book.pdf has 3 pages'),
      expect.stringContaining('@book.pdf was not attached: pages is a page or a range'),
      'File not found: gone.pdf; the text is sent unchanged.',
    ]);
    await dispatchInput(session, 'and @book.pdf:2-3.');
    // As a document by qpdf, as text by pdftotext.
    expect(told().at(-1)).toMatch(
      /^@file:book\.pdf\n(book\.pdf: PDF document, pages 2 to 3|\[page 2\]\nPage B)/,
    );
    expect(notices).toHaveLength(3);
    await session.shutdown();
  });

  it('reads nothing that is only piped', async () => {
    const place = await makeTestProject();
    await place.put('a.txt', 'content');
    const { session, told } = await open(place);
    await dispatchInput(session, 'look @a.txt', { from: 'pipe' });
    expect(told()).toEqual(['look @a.txt']);
    await dispatchInput(session, '!echo piped', { from: 'pipe' });
    expect(told().at(-1)).toBe('!echo piped');
    await dispatchInput(session, 'look @a.txt', { suffix: '\n\n<stdin>\n@a.txt\n</stdin>' });
    expect(told().slice(-2)).toEqual(['look @a.txt\n\n<stdin>\n@a.txt\n</stdin>', '@file:a.txt\ncontent\n']);
    await session.shutdown();
  });
});

describe('during a run', () => {
  it('words and the files they mention join it together', async () => {
    proves('E-38');
    const place = await makeTestProject();
    await place.put('a.txt', 'content');
    let session: InteractiveSession | undefined;
    const steer = async () => {
      if (session) await dispatchInput(session, 'look at @a.txt, too');
    };
    const { session: opened, provider } = await openScripted(place, [
      { ...callTurn('Glob', { pattern: '*' }), before: steer },
      { text: 'ok' },
    ]);
    session = opened;
    await dispatchInput(session, 'begin');
    const last = provider.requests[1]?.messages.slice(-2) ?? [];
    expect(last).toMatchObject([{ origin: 'steering' }, { origin: 'reminder' }]);
    expect(last.map(({ content }) => textOf(content))).toEqual([
      'look at @a.txt, too',
      '@file:a.txt\ncontent\n',
    ]);
    await session.shutdown();
  });
});

describe('shell commands', () => {
  it('runs !cmd and @!cmd at once, tells the model with the next prompt, and rejects an empty one', async () => {
    proves('E-31');
    const { session, provider, told } = await open(await makeTestProject(), { permissionMode: 'plan' });
    let printed = '';
    const result = await dispatchInput(session, '@!echo one; echo two', {
      onShellOutput: (text) => {
        printed += text;
      },
    });
    expect(result).toMatchObject({ kind: 'shell', success: true, message: 'one\ntwo' });
    expect(printed).toBe('one\ntwo\n');
    expect(await dispatchInput(session, '!! echo private')).toMatchObject({ message: 'private' });
    expect(await dispatchInput(session, '!exit 3')).toMatchObject({ success: false });
    expect(provider.requests).toHaveLength(0);
    await dispatchInput(session, 'what did it print?');
    expect(told()).toEqual([
      'The user ran `echo one; echo two` in the shell.\n```\none\ntwo\n```',
      expect.stringMatching(/^The user ran `exit 3` in the shell\.\n[\s\S]*exit code 3/),
      'what did it print?',
    ]);
    expect(await dispatchInput(session, '@!  ')).toMatchObject({
      success: false,
      message: expect.stringContaining('Missing command.'),
    });
    await session.shutdown();
  });

  it('keeps to deny rules and refuses what destroys a system', async () => {
    proves('E-31');
    const place = await makeTestProject();
    const { session } = await open(place, { rules: { deny: ['Bash(touch:*)'] } });
    for (const command of ['touch ran', 'sudo touch ran', 'rm -rf /'])
      expect(await dispatchInput(session, `!${command}`)).toMatchObject({
        success: false,
        message: expect.stringMatching(/^Not run: /),
      });
    expect(await dispatchInput(session, '!ls')).toMatchObject({ message: '(no output)' });
    await session.shutdown();
  });

  it('keeps how a command ended: the resumed session shows what the live one did', async () => {
    const place = await makeTestProject();
    const { session } = await open(place, { store: 'new', rules: { deny: ['Bash(touch:*)'] } });
    const shown: ShellRun[] = [];
    session.on('event', (event) => void (event.type === 'shell-end' && shown.push(event.run)));
    await dispatchInput(session, 'begin');
    const typed = ['!exit 3', '!echo a; exit 4', '!true', '!!echo secret', '!touch x', '!exit 137'];
    for (const text of typed) await dispatchInput(session, text);
    const end = new AbortController();
    await dispatchInput(session, '!echo started; sleep 60', {
      signal: end.signal,
      onShellOutput: () => end.abort(),
    });
    expect(shown).toMatchObject([
      { command: 'exit 3', output: '', exitCode: 3, status: 'error', isPrivate: false },
      { output: 'a', exitCode: 4, status: 'error' },
      { output: '', exitCode: 0, status: 'success' },
      { output: 'secret', exitCode: 0, isPrivate: true },
      { output: expect.stringMatching(/^Not run: /), exitCode: null, status: 'denied' },
      { exitCode: 137, status: 'error' },
      { output: expect.stringMatching(/^started\n\[interrupted/), exitCode: null, status: 'aborted' },
    ]);
    const { id } = session.getSession();
    await session.shutdown();

    const again = await open(place, { store: { open: id } });
    const kept = again.session.getSession().branches.exported?.path() ?? [];
    expect(kept.flatMap((entry) => (entry.type === 'shell' ? [runOf(entry)] : []))).toEqual(shown);
    await dispatchInput(again.session, 'what did it print?');
    const texts = again.told().filter((text) => text.startsWith('The user ran'));
    expect(texts.map((text) => text.split('\n').slice(1).join('\n'))).toEqual([
      '```\n[no output, exit code 3]\n```\nIt did not succeed.',
      '```\na\n[exit code 4]\n```\nIt did not succeed.',
      '```\n(no output)\n```',
      '```\n[no output, exit code 137 (SIGKILL)]\n```\nIt did not succeed.',
      expect.stringMatching(/^```\nstarted\n\[interrupted.*\n```\nIt did not succeed\.$/),
    ]);
    await again.session.shutdown();
  });

  it('tells a run that is going of a command with its next turn, and stores it once', async () => {
    const place = await makeTestProject();
    let session: InteractiveSession | undefined;
    const run = async () => void (session && (await dispatchInput(session, '!echo beside')));
    const { session: opened, provider } = await openScripted(
      place,
      [{ ...callTurn('Glob', { pattern: '*' }), before: run }, { text: 'ok' }],
      { store: 'new' },
    );
    session = opened;
    await dispatchInput(session, 'begin');
    const last = provider.requests[1]?.messages.at(-1);
    expect(last).toMatchObject({ role: 'user', origin: 'reminder' });
    expect(textOf(last?.content ?? [])).toBe('The user ran `echo beside` in the shell.\n```\nbeside\n```');
    expect(session.getSession().queue.isEmpty).toBe(true);
    const { id } = session.getSession();
    const messages = session.getMessages();
    await session.shutdown();
    const again = await open(place, { store: { open: id } });
    const resumed = again.session.getMessages();
    expect(resumed.map((message) => message.id).sort()).toEqual(messages.map((message) => message.id).sort());
    await again.session.shutdown();
  });

  it('ends a command that is broken off', async () => {
    const { session } = await open(await makeTestProject());
    const end = new AbortController();
    const result = await dispatchInput(session, '!echo started; sleep 60', {
      signal: end.signal,
      onShellOutput: () => end.abort(),
    });
    expect(result.message).toMatch(/started\n\[interrupted after/);
    await session.shutdown();
  });
});

describe('@agent:', () => {
  const reviewer = '---\nname: reviewer\ndescription: Reviews\n---\nYou review code and find mistakes.\n';

  it('an agent’s prompt holds for later turns, survives resuming, and can be taken back', async () => {
    proves('E-37');
    const place = await makeTestProject();
    await place.put('.eidolon/agents/reviewer.md', reviewer);
    const { session, told, notices } = await open(place, { store: 'new' });
    expect(await dispatchInput(session, '@agent:reviewer')).toMatchObject({
      kind: 'agent',
      message: 'The agent reviewer is selected; @agent:none deselects it.',
    });
    await dispatchInput(session, 'look at this');
    expect(told().join()).toContain('You review code and find mistakes.');
    expect((await session.executeCommand('context'))?.message).toContain('Agent: reviewer');
    const { id } = session.getSession();
    await session.shutdown();

    const again = await open(place, { store: { open: id } });
    expect(selectedAgent(again.session)).toBe('reviewer');
    await dispatchInput(again.session, '@agent:Plan @agent:reviewer go on');
    expect(again.told().join().split('You review code').length).toBe(2);
    expect(await dispatchInput(again.session, '@agent:none')).toMatchObject({ success: true });
    expect(selectedAgent(again.session)).toBeUndefined();
    await dispatchInput(again.session, 'and now?');
    expect(again.told()).toContain('The user no longer wants you to work as the agent reviewer.');
    expect(notices).toEqual([]);
    await again.session.shutdown();
  });

  it('the last of several in a line counts, and an unknown one is answered with near names', async () => {
    proves('E-37');
    const place = await makeTestProject();
    await place.put('.claude/agents/reviewer.md', reviewer);
    const { session, provider } = await open(place);
    await dispatchInput(session, '@agent:Explore first, then @agent:Plan');
    expect(selectedAgent(session)).toBe('Plan');
    const requests = provider.requests.length;
    expect(await dispatchInput(session, 'ask @agent:reviewr')).toMatchObject({
      kind: 'agent',
      success: false,
      message: 'Unknown agent reviewr. Did you mean reviewer?',
    });
    expect(provider.requests).toHaveLength(requests);
    await session.shutdown();
  });
});

describe('commands', () => {
  it('runs commands by name and alias, and helps with mistyped ones', async () => {
    const { session } = await open(await makeTestProject());
    expect(await dispatchInput(session, '/mode plan')).toMatchObject({ kind: 'command', success: true });
    expect(await dispatchInput(session, '/quit')).toMatchObject({ kind: 'command', exit: true });
    expect(await dispatchInput(session, '/hlep')).toMatchObject({
      kind: 'unknown-command',
      message: 'Unknown command /hlep. Did you mean /help?',
    });
    expect(await dispatchInput(session, '  ')).toMatchObject({ kind: 'nothing' });
    await session.shutdown();
  });

  it('/model lists the models, switches to one and says so, for the next prompt too', async () => {
    proves('C-30', 'P-32');
    const { session, provider } = await open(await makeTestProject({ ANTHROPIC_API_KEY: 'sk-x' }));
    expect((await dispatchInput(session, '/model')).message).toMatch(/^\* anthropic\/claude-sonnet-4-6 /m);
    const { message } = await dispatchInput(session, '/model anthropic/claude-haiku-4-5');
    expect(message).toMatch(/^The model is now Claude Haiku 4\.5/);
    await dispatchInput(session, 'hi');
    expect(provider.requests[0]?.model.id).toContain('claude-haiku-4-5');
    expect(await dispatchInput(session, '/model nothing/x')).toMatchObject({
      kind: 'command',
      success: false,
    });
    await session.shutdown();
  });

  it('/quit and /exit end, /new starts another session, /compact makes the conversation shorter', async () => {
    proves('P-31', 'P-33', 'C-36');
    const { session } = await open(await makeTestProject());
    for (const name of ['/quit', '/exit'])
      expect(await dispatchInput(session, name)).toMatchObject({
        kind: 'command',
        success: true,
        exit: true,
      });
    expect(await dispatchInput(session, '/new')).toMatchObject({ success: true, switchTo: 'new' });
    for (const prompt of ['one', 'two', 'three', 'four'])
      await dispatchInput(session, `${prompt} ${'words '.repeat(40_000)}`);
    const before = session.getMessages().length;
    expect(await dispatchInput(session, '/compact')).toMatchObject({ kind: 'command', success: true });
    expect(session.getMessages().length).toBeLessThan(before);
    await session.shutdown();
  });

  it('/language saves the language and takes effect at once', async () => {
    proves('C-31');
    const place = await makeTestProject();
    await place.put('~/.robota/settings.json', '{\n  // mine\n  "maxTurns": 7\n}\n');
    const { session, provider } = await open(place);
    const { message } = await dispatchInput(session, '/language ko');
    expect(message).toContain('한국어 (ko)');
    await dispatchInput(session, 'hi');
    expect(provider.requests[0]?.system).toContain('Always respond in Korean.');
    const { session: next, provider: later } = await open(place);
    await dispatchInput(next, 'hi');
    expect(later.requests[0]?.system).toContain('Always respond in Korean.');
    expect((await dispatchInput(next, '/language')).message).toBe('Answers are in 한국어 (ko).');
    expect((await dispatchInput(next, '/language auto')).message).toContain('the language of the question');
    await dispatchInput(next, 'hi');
    expect(later.requests[1]?.system).not.toContain('Always respond in');
    expect(await dispatchInput(next, '/language 1;2')).toMatchObject({ success: false });
    await Promise.all([session.shutdown(), next.shutdown()]);
  });

  it('/init asks the model for an AGENTS.md from what is there, and never without asking for a second one', async () => {
    const place = await makeTestProject();
    await place.put('package.json', { name: 'demo', scripts: { test: 'vitest' } });
    await place.put('CLAUDE.md', 'Use tabs.\n');
    const answers: boolean[] = [false, true];
    const terminal: UserInterface = {
      ask: async () => ({ kind: 'confirmed', yes: answers.shift() ?? false }),
      notify: () => {},
    };
    const { session, provider, told } = await open(place, { terminal });
    await dispatchInput(session, '/init');
    expect(told()[0]).toMatch(/^Write AGENTS\.md for demo[\s\S]*`npm run test`/);
    expect(told()[1]).toContain('@file:CLAUDE.md\nUse tabs.');
    await place.put('AGENTS.md', '# mine\n');
    expect((await dispatchInput(session, '/init')).message).toBe('AGENTS.md was not changed.');
    expect(provider.requests).toHaveLength(1);
    await dispatchInput(session, '/init');
    expect(told().at(-2)).toMatch(/^Bring AGENTS\.md of demo up to date/);
    const { session: alone } = await open(place);
    expect(await dispatchInput(alone, '/init')).toMatchObject({
      success: false,
      message: expect.stringContaining('/init update'),
    });
    await Promise.all([session.shutdown(), alone.shutdown()]);
  });
});
