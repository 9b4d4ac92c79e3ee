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

/** The text of a request, without reminders. */
function told(request: number): string[] {
  return stage
    .messages(request)
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => content.map(({ text = '' }) => text))
    .filter((text) => !text.startsWith('<reminder>'));
}

function start(args: readonly string[] = ['--plain']): Terminal {
  const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url };
  terminal = openTerminal(['--plain', ...args], { cwd: stage.cwd, home: stage.home, env });
  return terminal;
}

const [enter, tab, ctrlC, ctrlD, ctrlU] = ['\r', '\t', '\u0003', '\u0004', '\u0015'];

describe('robota -p', () => {
  it('gives the model the files that the prompt mentions', async () => {
    proves('E-32', 'E-38');
    await stage.file('README.md', '# Demo\n');
    stage.server.reply(anthropicReply({ text: 'A demo.' }));
    const { code, stdout } = await stage.robota(['-p', '@README.md summarise', '@file:gone.md']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'A demo.\n' });
    expect(told(0)).toEqual(['@README.md summarise @file:gone.md', '@file:README.md\n# Demo\n']);
  });

  it('runs command files and shows the result; a path is no command', async () => {
    proves('E-43', 'E-45', 'C-36');
    await stage.file('.eidolon/commands/openspec/commands/apply.md', 'Apply this change: $ARGUMENTS');
    stage.server.reply(anthropicReply({ text: 'Applied.' }), anthropicReply({ text: 'Is it?' }));
    const applied = await stage.robota(['-p', '/openspec:apply', 'the first', '--output-format', 'json']);
    expect(JSON.parse(applied.stdout)).toMatchObject({ result: 'Applied.', num_turns: 1, is_error: false });
    expect(told(0)).toEqual(['Apply this change: the first']);
    const path = await stage.robota(['-p', '/usr/bin/thing is broken']);
    expect(path).toMatchObject({ code: 0, stdout: 'Is it?\n' });
    const unknown = await stage.robota(['-p', '/openspec:aply x']);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('Unknown command /openspec:aply. Did you mean /openspec:apply?');
    expect(await stage.robota(['-p', '/exit'])).toMatchObject({ code: 0, stdout: '' });
  });

  it('runs a shell command without a model, and nothing that is only piped', async () => {
    proves('E-31');
    const env = { ANTHROPIC_API_KEY: '' };
    expect(await stage.robota(['-p', '@!echo hi; pwd'], { env })).toMatchObject({
      code: 0,
      stdout: `hi\n${stage.cwd}\n`,
    });
    expect(await stage.robota(['-p', '!false'], { env })).toMatchObject({ code: 1 });
    stage.server.reply(anthropicReply({ text: 'A script.' }));
    await stage.robota(['-p'], { input: '!touch ran @README.md' });
    expect(told(0)).toEqual(['!touch ran @README.md']);
  });
});

describe('line mode', () => {
  it('completes commands, files and agents with Tab, and continues as before', async () => {
    proves('E-15', 'E-33', 'E-35', 'E-36', 'E-44');
    await stage.file('src/main.ts', 'export {};\n');
    await stage.file('.claude/agents/reviewer.md', 'You review.\n');
    stage.server.reply(anthropicReply({ text: 'Reviewed.' }), anthropicReply({ text: 'Anything else?' }));
    const { shows, type, exit } = start();
    await shows(/ctrl\+d ends\n>$/);
    type(`/permi${tab}`);
    await shows(/> \/permissions$/);
    type(`${ctrlU}@agent:rev${tab}`);
    await shows(/> @agent:reviewer$/);
    type(enter);
    await shows('The agent reviewer is selected; @agent:none deselects it.');
    type(`look at @file:ma${tab}`);
    await shows(/> look at @file:src\/main\.ts$/);
    type(enter);
    await shows(/Reviewed\.\n>$/);
    expect(told(0).join('\n')).toContain('You review.');
    expect(told(0).at(-1)).toBe('@file:src/main.ts\nexport {};\n');
    type(`@agent:revewer hello${enter}`);
    await shows('Unknown agent revewer. Did you mean reviewer?');
    type(`thanks${enter}`);
    await shows(/Anything else\?\n>$/);
    type(ctrlD);
    expect(await exit).toBe(0);
  });

  it('shows what a shell command prints as it comes, ends it with Ctrl+C, and tells the model', async () => {
    proves('E-15', 'E-31');
    stage.server.reply(anthropicReply({ text: 'I see.' }));
    const { shows, type, exit } = start();
    await shows(/ctrl\+d ends\n>$/);
    type(`@!echo one; sleep 60${enter}`);
    await shows(/\none$/);
    type(ctrlC);
    await shows(/\none\n\[interrupted after .*\]\n>$/);
    type(`!printf 'no line end'${enter}`);
    await shows(/\nno line end\n>$/);
    type(`@!${enter}`);
    await shows('Missing command.');
    type(`well?${enter}`);
    await shows('I see.');
    expect(told(0)[0]).toMatch(/^The user ran `echo one; sleep 60` in the shell\.\n```\none\n\[interrupted/);
    expect(told(0).at(-1)).toBe('well?');
    type(`/quit${enter}`);
    expect(await exit).toBe(0);
  });

  it('runs a command file and shows its answer once', async () => {
    proves('E-45');
    await stage.file('.robota/commands/hello.md', 'Say hello to $1.');
    stage.server.reply(anthropicReply({ text: 'Hello Ann.' }));
    const { shows, type, screen } = start();
    await shows(/ctrl\+d ends\n>$/);
    type(`/hello Ann${enter}`);
    await shows(/Hello Ann\.\n>$/);
    expect((await screen()).split('Hello Ann.')).toHaveLength(2);
    expect(told(0)).toEqual(['Say hello to Ann.']);
  });
});
