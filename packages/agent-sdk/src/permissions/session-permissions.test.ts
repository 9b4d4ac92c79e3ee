import { lstat, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Answer,
  describeProblems,
  type Extension,
  type Notice,
  type Question,
  type RuleLists,
  type UserInterface,
} from '@robota-sdk/agent-core';
import { loadConfig } from '@robota-sdk/agent-resources';
import { proves } from '@robota-sdk/agent-testing/proves';
import { readTool } from '@robota-sdk/agent-tools';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

/** Answers every question with the choice whose label matches. */
function person(choice: RegExp, said?: string) {
  const questions: Extract<Question, { kind: 'select' }>[] = [];
  const notices: Notice[] = [];
  const terminal: UserInterface = {
    ask: async (question): Promise<Answer> => {
      if (question.kind !== 'select') return { kind: 'dismissed' };
      questions.push(question);
      const index = question.options.findIndex(({ label }) => choice.test(label));
      return { kind: 'selected', indexes: [index], ...(said === undefined ? {} : { text: said }) };
    },
    notify: (notice) => void notices.push(notice),
  };
  return { terminal, questions, notices };
}

const run = (command: string) => callTurn('Bash', { command });

/** The results of a script's calls for the model. */
async function resultsOf(place: TestProject, commands: readonly string[], terminal?: UserInterface) {
  const script = [...commands.map(run), { text: 'done' }];
  const { session, provider } = await openScripted(place, script, terminal ? { terminal } : {});
  await session.submit('go');
  await session.shutdown();
  const messages = provider.requests.at(-1)?.messages ?? [];
  return messages.flatMap((message) =>
    message.role === 'tool'
      ? [message.content.map((block) => ('text' in block ? block.text : '')).join('')]
      : [],
  );
}

describe('the approval prompt', () => {
  it('allow once runs the call and asks again for the next', async () => {
    proves('R-13');
    const { terminal, questions } = person(/^Allow once/);
    const results = await resultsOf(await makeTestProject(), ['touch a', 'touch b'], terminal);
    expect(questions).toHaveLength(2);
    expect(questions[0]).toMatchObject({ title: 'Run a command' });
    expect(questions[0]?.detail).toContain('touch a');
    for (const result of results) expect(result).not.toContain('denied');
  });

  it('allow for the session asks once for the same command and saves nothing', async () => {
    proves('R-13');
    const place = await makeTestProject();
    const { terminal, questions } = person(/in this session/);
    await resultsOf(place, ['touch a', 'touch a'], terminal);
    expect(questions).toHaveLength(1);
    await expect(lstat(join(place.cwd, '.robota'))).rejects.toThrow();
  });

  it('allow for the project saves the rule, and the next session follows it without trusting the repository', async () => {
    proves('R-13');
    const place = await makeTestProject();
    const file = await place.put('.robota/settings.local.json', '{\n  // mine\n  "language": "en"\n}\n');
    const { terminal, questions } = person(/in this project/);
    await resultsOf(place, ['touch a'], terminal);
    expect(questions).toHaveLength(1);
    const saved = await readFile(file, 'utf8');
    expect(saved).toContain('// mine');
    expect(saved).toContain('"Bash(touch a)"');
    const [result] = await resultsOf(place, ['touch a']);
    expect(result).not.toContain('denied');
    const { settings, problems } = await loadConfig(place.cwd, { host: place.host });
    const warnings = describeProblems(problems);
    expect(settings.permissions.allow).toMatchObject([{ text: 'Bash(touch a)', origin: { source: file } }]);
    expect(warnings).toEqual([]);
  });

  it('a rule that came with the repository does not count, even beside one the user gave', async () => {
    const place = await makeTestProject();
    await place.put('.robota/settings.local.json', { permissions: { allow: ['Bash(touch planted)'] } });
    await resultsOf(place, ['touch a'], person(/in this project/).terminal);
    const [given, planted] = await resultsOf(place, ['touch a', 'touch planted']);
    expect(given).not.toContain('denied');
    expect(planted).toContain('Permission denied');
  });

  it('a rule given in one project does not count in another', async () => {
    const place = await makeTestProject();
    await resultsOf(place, ['touch a'], person(/in this project/).terminal);
    const other = { ...place, cwd: join(place.home, 'other') };
    await mkdir(join(other.cwd, '.robota'), { recursive: true });
    await place.put('~/other/.robota/settings.local.json', { permissions: { allow: ['Bash(touch a)'] } });
    const [result] = await resultsOf(other, ['touch a']);
    expect(result).toContain('Permission denied');
  });

  it('settings that are a link stay a link', async () => {
    const place = await makeTestProject();
    const target = await place.put('config/local.json', '{}');
    await mkdir(join(place.cwd, '.robota'));
    const link = join(place.cwd, '.robota/settings.local.json');
    await symlink(target, link);
    await resultsOf(place, ['touch a'], person(/in this project/).terminal);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(target, 'utf8')).toContain('Bash(touch a)');
  });

  it('a link out of the project gets no rule: it may have come with the repository', async () => {
    const place = await makeTestProject();
    const target = await place.put('~/.robota/settings.json', '{}');
    await mkdir(join(place.cwd, '.robota'));
    await symlink(target, join(place.cwd, '.robota/settings.local.json'));
    const { terminal, notices } = person(/in this project/);
    await resultsOf(place, ['touch a'], terminal);
    expect(await readFile(target, 'utf8')).toBe('{}');
    expect(notices).toMatchObject([{ text: expect.stringContaining('leads out of the project') }]);
  });

  it('a yes is acted on even if the rule cannot be saved, and that is told', async () => {
    const place = await makeTestProject();
    const { terminal, notices } = person(/in this project/);
    await place.put('~/.robota/trust.json', '{}');
    const script = [run('touch a'), { text: 'done' }];
    const { session } = await openScripted(place, script, { terminal });
    await mkdir(join(place.cwd, '.robota/settings.local.json'), { recursive: true });
    await session.submit('go');
    expect(await readFile(join(place.cwd, 'a'), 'utf8')).toBe('');
    expect(notices).toMatchObject([
      { level: 'warning', text: expect.stringContaining('for this session only') },
    ]);
    await session.shutdown();
  });

  it('deny with a text tells the model what was said', async () => {
    proves('R-13');
    const place = await makeTestProject();
    const { terminal } = person(/^Deny/, 'use the Makefile');
    const [result] = await resultsOf(place, ['touch a'], terminal);
    expect(result).toContain('Permission denied: The user declined. They said: use the Makefile');
    await expect(lstat(join(place.cwd, 'a'))).rejects.toThrow();
  });

  it('without a user the call is denied at once, and the rule that would allow it is named', async () => {
    const place = await makeTestProject();
    const { session } = await openScripted(place, [run('touch a'), { text: 'done' }]);
    const result = await session.submit('go');
    expect(result?.denials).toMatchObject([{ toolName: 'Bash', wouldAllow: ['Bash(touch a)'] }]);
    await session.shutdown();
  });
});

describe('default permissions', () => {
  it("reading our folders is allowed by default, beside the user's own rules", async () => {
    proves('R-14');
    const place = await makeTestProject();
    await place.put('~/.robota/settings.json', { permissions: { allow: ['Bash(npm test)'] } });
    const { session } = await openScripted(place, []);
    const allow = session.permissions.rules.allow.map(({ text }) => text);
    expect(allow[0]).toBe('Bash(npm test)');
    for (const folder of ['.agents', '.claude', '.robota'])
      expect(allow).toEqual(expect.arrayContaining([`Read(${folder}/**)`, `Glob(${folder}/**)`]));
    await session.shutdown();
  });

  it('a deny rule of the user stands above them', async () => {
    proves('R-14');
    const place = await makeTestProject();
    await place.put('.agents/secret.md', 'hidden');
    await place.put('~/.robota/settings.json', { permissions: { deny: ['Read(.agents/**)'] } });
    const { session } = await openScripted(place, [
      callTurn('Read', { file_path: '.agents/secret.md' }),
      { text: 'x' },
    ]);
    expect((await session.submit('go'))?.denials).toHaveLength(1);
    await session.shutdown();
  });

  it('the full text of a long result can be read where it is kept', async () => {
    const pathIn = (text: string) => text.match(/\/[^\s"\\]+outputs\/[^\s"\\]+\.txt/)?.[0] ?? '';
    const { session } = await openScripted(
      await makeTestProject(),
      ({ messages }, turn) => {
        if (turn === 0) return run('seq 1 20000');
        if (turn === 2) return { text: 'done' };
        return callTurn('Read', { file_path: pathIn(JSON.stringify(messages.at(-1))) });
      },
      { terminal: person(/^Allow once/).terminal },
    );
    expect((await session.submit('go'))?.denials).toEqual([]);
    expect(session.getMessages().at(-2)).toMatchObject({ role: 'tool', toolName: 'Read', isError: false });
    await session.shutdown();
  });

  it('does not offer a tool that a rule denies altogether, even if the settings list it', async () => {
    const place = await makeTestProject();
    await place.put('~/.robota/settings.json', {
      tools: ['Read', 'Glob', 'Bash'],
      permissions: { deny: ['Bash', 'Read(.env)'] },
    });
    const { session, provider } = await openScripted(place, [callTurn('Bash', { command: 'ls' })], {
      rules: { deny: ['Glob'] },
    });
    await session.submit('go');
    expect(provider.requests[0]?.tools.map(({ name }) => name)).toEqual(['Read']);
    expect(session.getMessages().find(({ role }) => role === 'tool')).toMatchObject({ isError: true });
    await session.shutdown();
  });

  it('a mistyped tool on the command line is an error where it protects, else a warning', async () => {
    proves('R-12');
    const open = async (rules: RuleLists, extensions: readonly Extension<InteractiveSession>[] = []) => {
      const { session } = await openScripted(await makeTestProject(), [], { rules, extensions });
      await session.shutdown();
      return describeProblems(session.problems).join();
    };
    await expect(open({ deny: ['Raed(.env)'] })).rejects.toThrow('Did you mean Read?');
    await expect(open({ ask: ['bash'] })).rejects.toThrow('Did you mean Bash?');
    expect(await open({ deny: ['Deploy'] })).toContain('Unknown tool "Deploy"');
    const tool = { ...readTool, name: 'Deploy' };
    const deploying: Extension<InteractiveSession> = { name: 'd', setup: (host) => host.tool(tool) };
    expect(await open({ deny: ['Deploy'] }, [deploying])).toBe('');
    expect(await open({ allow: ['Raed'] })).toContain('Did you mean Read?');
    expect(await open({ deny: ['mcp__lab__push'], allow: ['Read'] })).toBe('');
  });

  it('children never see a key, by whatever variable it comes', async () => {
    const place = await makeTestProject({
      ANTHROPIC_API_KEY: 'sk-secret-env',
      PROXY: 'k-proxy-secret',
      HARMLESS: 'yes',
    });
    const proxy = { baseUrl: 'https://p.example', api: 'openai-completions', apiKey: 'PROXY' };
    await place.put('~/.robota/models.json', { providers: { proxy: { ...proxy, models: [{ id: 'm' }] } } });
    const [output] = await resultsOf(place, ['env'], person(/^Allow once/).terminal);
    expect(output).toContain('HARMLESS=yes');
    expect(output).not.toContain('secret');
  });

  it.each([{ allow: ['Bash(ls'] }, { deny: ['bash(rm *)'] }, { ask: [''] }])(
    'a rule on the command line that cannot be used is an error: %j',
    async (rules) => {
      await expect(openScripted(await makeTestProject(), [], { rules })).rejects.toMatchObject({
        code: 'usage',
      });
    },
  );
});
