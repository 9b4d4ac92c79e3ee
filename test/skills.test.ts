import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const stage = stagePerTest();
let terminal: Terminal | undefined;

afterEach(async () => {
  terminal?.kill('SIGKILL');
  await terminal?.exit;
  terminal = undefined;
});

const model = ['--model', 'claude-sonnet-4-6'];
const done = anthropicReply({ text: 'Done.' });
const fileOf = (head: string, body: string) => `---\n${head}\n---\n${body}\n`;

async function ownSkill(name: string, text: string): Promise<void> {
  const path = join(stage.home, '.agents/skills', name, 'SKILL.md');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const projectSkill = (name: string, text: string) => stage.file(`.claude/skills/${name}/SKILL.md`, text);

interface SentRequest {
  readonly system: string | readonly { readonly text: string }[];
  readonly tools: readonly { readonly name: string }[];
}

function requestAt(index: number): SentRequest {
  const request = stage.server.requests.at(index);
  if (!request) throw new Error(`there was no request ${index}`);
  return request.body as unknown as SentRequest;
}

/** The system prompt of a request. */
function systemOf(index: number): string {
  const { system } = requestAt(index);
  return typeof system === 'string' ? system : system.map(({ text }) => text).join('');
}

const firstText = (request: number) => stage.messages(request)[0]?.content[0]?.text ?? '';

describe('skills on the command line', () => {
  it('/name and /skill:name run a skill in print mode', async () => {
    proves('C-61', 'C-62', 'C-67', 'P-136', 'P-137');
    await ownSkill('review', fileOf('description: Reviews', 'Review $0 in !`echo here`.'));
    for (const name of ['/review', '/skill:review']) {
      stage.server.reply(done);
      const result = await stage.robota(['-p', `${name} src/a.ts`, ...model]);
      expect(result).toMatchObject({ code: 0, stdout: 'Done.\n', stderr: '' });
      expect(firstText(-1)).toMatch(
        /^<skill name="review" location=".*\/\.agents\/skills\/review\/SKILL\.md">[\s\S]*Review src\/a\.ts in here\.\n<\/skill>\n\nFollow the skill "review"\. Arguments: src\/a\.ts$/,
      );
    }
    stage.server.reply(done);
    const json = await stage.robota(['-p', '/review x', '--output-format', 'json', ...model]);
    expect(JSON.parse(json.stdout)).toMatchObject({ subtype: 'success', result: 'Done.', num_turns: 1 });
  });

  it('a session is named after what was typed, and keeps the text of the skill', async () => {
    await ownSkill(
      'review',
      fileOf('description: Reviews', `Review everything.${' Look twice.'.repeat(2000)}`),
    );
    stage.server.reply(done);
    await stage.robota(['-p', '/review src/a.ts', ...model]);
    const list = await stage.robota(['sessions', 'list', '--json']);
    const [{ id }] = JSON.parse(list.stdout).sessions;
    expect(list.stdout).toContain('"/review src/a.ts"');
    const show = await stage.robota(['sessions', 'show', id]);
    expect(show.stdout).toMatch(/^\/review src\/a\.ts\n/);
    expect(show.stdout).toContain('\n> /review src/a.ts\n');
    expect(show.stdout).not.toContain('Review everything.');
    const full = await stage.robota(['sessions', 'show', id, '--full']);
    expect(full.stdout).toContain('Review everything.');
    const markdown = await stage.robota(['sessions', 'export', id, '--format', 'md', '--output', '-']);
    expect(markdown.stdout).toMatch(/## \/review src\/a\.ts\n[\s\S]*<details>[\s\S]*Review everything\./);
  });

  it('the model finds a skill in its prompt, reads it and is held to its tools', async () => {
    proves('P-44', 'P-135', 'R-64', 'C-65');
    await ownSkill(
      'look',
      fileOf(
        'description: Looks around\nallowed-tools: Read, Glob\nrestrict-tools: true',
        'Only look at $ARGUMENTS.',
      ),
    );
    await stage.file('a.txt', 'content');
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Skill', input: { skill: 'look', args: 'everything' } }] }),
      anthropicReply({
        toolCalls: [
          { name: 'Glob', input: { pattern: '*' } },
          { name: 'Write', input: { file_path: 'b.txt', content: 'b' } },
        ],
      }),
      done,
    );
    const result = await stage.robota(['-p', 'look', '--permission-mode', 'bypassPermissions', ...model]);
    expect(systemOf(0)).toContain(
      '<available_skills>\n<skill name="look">Looks around</skill>\n</available_skills>',
    );
    expect(systemOf(0)).not.toContain('Only look');
    expect(stage.results(1)[0]?.text).toContain('Only look at everything.');
    const [glob, write] = stage.results(2);
    expect(glob?.text).toContain('a.txt');
    expect(write).toMatchObject({
      isError: true,
      text: expect.stringContaining('The skill "look" allows only Read, Glob'),
    });
    expect(existsSync(join(stage.cwd, 'b.txt'))).toBe(false);
    expect(result.code).toBe(0);
  });

  it('the commands of a repository’s skill run only with trust', async () => {
    proves('C-62');
    await projectSkill('status', fileOf('description: Tells', 'It is !`echo fine`.'));
    stage.server.reply(done, done);
    const untrusted = await stage.robota(['-p', '/status', ...model]);
    expect(untrusted.stderr).toMatch(/shell command of a skill/);
    expect(untrusted.stderr).toMatch(/The skill status: `echo fine` was not run: the repository supplies it/);
    expect(firstText(0)).toContain('It is [The command `echo fine` was not run: ');
    const trusted = await stage.robota(['-p', '/status', '--trust-project', ...model]);
    expect(trusted).toMatchObject({ code: 0, stderr: '' });
    expect(firstText(1)).toContain('It is fine.');
  });

  it('a fork answers in print mode, and the next prompt can refer to it', async () => {
    proves('C-63', 'C-93', 'C-94', 'C-95');
    await ownSkill(
      'deep',
      fileOf(
        'description: d\ncontext: fork\nallowed-tools: Read\nrestrict-tools: true',
        'Think about $ARGUMENTS.',
      ),
    );
    stage.server.reply(anthropicReply({ text: 'The result.' }), anthropicReply({ text: 'You know.' }));
    const result = await stage.robota(['-p', '/deep it', ...model]);
    expect(result).toMatchObject({ code: 0, stdout: 'The result.\n' });
    expect(systemOf(0)).toMatch(/^Think about it\.[\s\S]*500 words or less/);
    expect(requestAt(0).tools.map(({ name }) => name)).toEqual(['Read']);
    await stage.robota(['-c', '-p', 'what did you find?', ...model]);
    expect(JSON.stringify(requestAt(1))).toContain('The result.');
  });

  it('an unknown skill is told with a near name', async () => {
    await ownSkill('review', fileOf('description: Reviews', 'x'));
    const result = await stage.robota(['-p', '/revew', ...model]);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean /review?') });
  });
});

describe('skills in line mode', () => {
  const start = (...args: string[]) => {
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url };
    terminal = openTerminal(['--plain', ...model, ...args], { cwd: stage.cwd, home: stage.home, env });
    return terminal;
  };

  it('are named at the start, listed by /skills and completed', async () => {
    proves('P-138', 'C-57');
    await ownSkill('review', fileOf('description: Reviews a change', 'x'));
    await projectSkill('deploy', fileOf('description: Deploys', 'x'));
    const { shows, type } = start();
    await shows('skills: deploy, review');
    type('/skills\r');
    await shows(/review {2}\(about \d+ tokens\)\n {2}Reviews a change\n/);
    type('/rev\t');
    await shows('> /review');
  });

  it('are named when the classic screen starts, the first twelve of many, and counted on the compact one', async () => {
    proves('P-138');
    await stage.settings({ view: 'classic' });
    await ownSkill('review', fileOf('description: Reviews a change', 'x'));
    await projectSkill('deploy', fileOf('description: Deploys', 'x'));
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url };
    const open = () => openTerminal([...model], { cwd: stage.cwd, home: stage.home, env });
    terminal = open();
    await terminal.shows('skills: deploy, review');
    terminal.kill('SIGKILL');
    await terminal.exit;
    for (let index = 10; index < 24; index++)
      await ownSkill(`skill-${index}`, fileOf('description: One of many', 'x'));
    terminal = open();
    await terminal.shows(/skills: deploy, review, [\s\S]*skill-19 and\s+4 more, \/skills\s+lists\s+them/);
    terminal.kill('SIGKILL');
    await terminal.exit;
    await stage.settings({});
    terminal = open();
    await terminal.shows('Loaded 16 skills');
  });

  it('asks about a command in full before it runs', async () => {
    proves('C-62');
    await ownSkill('make', fileOf('description: Makes', 'Made: !`touch made.txt && echo yes`'));
    stage.server.reply(done);
    const { shows, type } = start();
    await shows('>');
    type('/make\r');
    await shows('Run a command for the skill make');
    await shows('touch made.txt && echo yes');
    expect(existsSync(join(stage.cwd, 'made.txt'))).toBe(false);
    type('1\r');
    await shows('Done.');
    expect(firstText(0)).toContain('Made: yes');
    expect(existsSync(join(stage.cwd, 'made.txt'))).toBe(true);
  });
});
