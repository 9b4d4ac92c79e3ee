import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply, temporaryDirectory } from '@robota-sdk/agent-testing';
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

const config = (...words: string[]) => stage.robota(['config', ...words]);
const own = () => join(stage.home, '.robota', 'settings.json');
const written = () => readFile(own(), 'utf8');

describe('robota config', () => {
  it('prints nothing on standard output for a setting that is not set, and unsets nothing', async () => {
    expect(await config('get', 'language')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: '(not set)\n',
    });
    expect(await config('unset', 'maxTurns')).toMatchObject({
      code: 0,
      stdout: `maxTurns is not set in ${own()}.\n`,
    });
    await expect(written()).rejects.toThrow('ENOENT');
  });

  it('sets, adds and takes out, and leaves comments, mode and the rest of the file', async () => {
    proves('R-40');
    await stage.settings('{\n  // mine\n  "language": "ko", // really\n  "maxTurns": 5,\n}\n');
    expect(await config('set', 'permissions.defaultMode', 'plan')).toMatchObject({
      code: 0,
      stdout: `Set permissions.defaultMode to plan in ${own()}.\n`,
    });
    await config('set', '--add', 'permissions.deny', 'Bash(rm *)');
    await config('set', 'permissions.deny', '--add', 'Read(.env)');
    expect((await config('set', '--add', 'permissions.deny', 'Read(.env)')).stdout).toContain('already');
    await config('unset', 'maxTurns');
    const text = await written();
    expect(text).toContain('// mine');
    expect(text).toContain('"language": "ko", // really');
    expect(text).not.toContain('maxTurns');
    expect((await stat(own())).mode & 0o777).toBe(0o600);
    expect(JSON.parse((await config('get', 'permissions', '--json')).stdout)).toEqual({
      defaultMode: 'plan',
      deny: ['Bash(rm *)', 'Read(.env)'],
    });
    expect((await config('get', 'maxTurns')).stdout).toBe('500\n');
    expect(await config('get', 'budget.day')).toMatchObject({ code: 1, stderr: '(not set)\n' });
  });

  it('tells a warning once in a project; --verbose, doctor and /config warnings tell all', async () => {
    proves('R-43');

    const warning = 'Unknown setting "langage"';
    await stage.settings({ langage: 'ko' });
    expect((await stage.robota(['--model', 'offline', '-p', 'hi', '--no-session'])).stderr).toContain(
      warning,
    );
    expect((await stage.robota(['--model', 'offline', '-p', 'hi'])).stderr).toContain(warning);
    expect(await stage.robota(['--model', 'offline', '-p', 'hi'])).toMatchObject({ code: 0, stderr: '' });
    expect((await stage.robota(['--model', 'offline', '-p', 'hi', '--verbose'])).stderr).toContain(warning);
    expect((await stage.robota(['--model', 'offline', '-p', '/config warnings'])).stdout).toContain(warning);
    expect((await stage.robota(['doctor'])).stdout).toContain(warning);
    await stage.settings({ langage: 'ko', maxTurn: 3 });
    const { stderr } = await stage.robota(['--model', 'offline', '-p', 'hi']);
    expect(stderr).toContain('maxTurn');
    expect(stderr).not.toContain(warning);
  });

  it.each([
    [['set', 'thinking', 'verry'], 'expected one of "off"'],
    [['set', 'permissions.deny', 'Bash(rm *)'], 'Add one to the list with --add'],
    [['set', 'maxTurns', '0'], 'expected an integer of at least 1, got 0'],
    [['set', 'langauge', 'ko'], 'Did you mean "language"?'],
    [['set', 'permissions.dney', '[]'], 'Did you mean "permissions.deny"?'],
    [['set', '--add', 'permissions.deny', 'Bash(rm'], 'no closing parenthesis'],
    [['set', '--add', 'permissions.allow', 'Bash(npm'], 'Write Bash(npm). Nothing was changed.'],
    [['set', 'permissions.ask', '["Bash()"]'], 'Write Bash for every use of the tool. Nothing was changed.'],
    [['unset', 'qqq'], 'List all settings with: robota config schema'],
    [['set', '--add', 'language', 'ko'], '"language" is not a list'],
    [['set', 'sandbox', '{"mode": "perhaps"}'], 'perhaps'],
    [['set', 'language'], 'Missing value for "language". To remove the setting, use: unset language'],
    [['set', '--scope', 'claude', 'language', 'ko'], 'Only our own files are written'],
    [['set', '--scope', 'project', 'apiKeys.openai', 'sk-x'], 'A project can never set'],
    [
      ['set', '--scope', 'project', 'permissions.defaultMode', 'bypassPermissions'],
      'A project can never set',
    ],
    [['set', 'apiKeys', '["sk-secret-thing"]'], 'apiKeys: expected an object'],
    [['get'], 'Missing setting.'],
    [['explian', 'model'], 'Did you mean robota config explain?'],
    [['get', 'model', '--jsno'], 'Did you mean --json?'],
  ])('refuses %j before anything is written', async (words, message) => {
    proves('R-40');
    const result = await config(...words);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(message);
    expect(result.stderr).not.toContain('sk-secret-thing');
    await expect(written()).rejects.toThrow('ENOENT');
    await expect(stat(join(stage.cwd, '.robota'))).rejects.toThrow('ENOENT');
  });

  it('explains a value by file and line, also one of Claude Code, and what else was said', async () => {
    proves('R-41', 'R-43');
    await stage.settings('{\n  "language": "ko"\n}');
    await stage.file(
      '.claude/settings.json',
      '{\n\n  "language": "ja",\n  "permissions": { "allow": ["Bash(ls)"] }\n}',
    );
    const { stdout } = await config('explain', 'language');
    expect(stdout.split('\n')).toEqual([
      'language = ja',
      '  Language of answers: en, ko, ja, zh, …',
      `  * ${join(stage.cwd, '.claude/settings.json')}:3: ja`,
      `  - ${own()}:2: ko  (overridden)`,
      '',
    ]);
    expect((await config('list')).stdout).toMatch(
      /permissions\.allow = \(not set\) {2}\(.*is not trusted yet\)/,
    );
    expect(
      JSON.parse((await config('explain', 'permissions.allow', '--json', '--trust-project')).stdout),
    ).toMatchObject({
      value: ['Bash(ls)'],
      sources: [{ line: 4, state: 'counts' }],
    });
    expect((await config('path')).stdout).toMatch(
      /^missing .*settings\.local\.json\n[\s\S]*\nused .*\.claude\/settings\.json/,
    );
  });

  it('writes for the project where that is asked for, and says what does not count there', async () => {
    const local = await config('set', '--scope', 'local', '--add', 'permissions.allow', 'Bash(make)');
    expect(local.stdout).not.toContain('Not active');
    const allowed = await config('explain', 'permissions.allow', '--json');
    expect(JSON.parse(allowed.stdout)).toMatchObject({ value: ['Bash(make)'] });
    const mode = await config('set', '--scope=project', 'permissions.defaultMode', 'acceptEdits');
    expect(mode.stdout).toContain('Not active yet');
    await stage.settings({ language: 'en' });
    await config('set', '--scope', 'project', 'language', 'ko');
    expect((await config('set', 'language', 'ja')).stdout).toMatch(
      /Not effective here: .*settings\.json:\d+ overrides it/,
    );
    const elsewhere = await temporaryDirectory();
    const project = await temporaryDirectory();
    await symlink(elsewhere, join(project, '.robota'));
    const linked = await config('set', '--scope', 'project', '--cwd', project, 'language', 'ko');
    expect(linked.stderr).toContain('leads out of the project');
    await expect(readFile(join(elsewhere, 'settings.json'))).rejects.toThrow('ENOENT');
  });

  it('a profile that cannot be used is told when it is written', async () => {
    proves('E-17', 'E-23');
    const begun = await config('set', 'models.profiles[0].name', 'work');
    expect(begun.stdout).toContain('warning: ');
    expect(begun.stdout).toContain(
      'models.profiles[0].model: expected a string that is not empty, but it is missing',
    );
    expect((await config('set', 'models.profiles[0].model', 'sonnet')).stdout).not.toContain('warning');
    expect((await config('set', 'models.profiles[0].apiKind', 'antropic')).stderr).toContain(
      'expected one of "anthropic", "openai"',
    );
  });

  it('many processes may write at once, and nothing is lost', async () => {
    const rules = Array.from({ length: 6 }, (_, index) => `Bash(tool-${index} *)`);
    const all = await Promise.all(rules.map((rule) => config('set', '--add', 'permissions.deny', rule)));
    expect(all.map(({ code }) => code)).toEqual(rules.map(() => 0));
    expect([...JSON.parse(await written()).permissions.deny].sort()).toEqual(rules);
  });

  it('says with each answer which file of a project could not be read', async () => {
    await stage.file('.robota/settings.json', '{oops');
    for (const words of [['list'], ['get', 'model'], ['explain', 'model']])
      expect((await config(...words)).stderr).toMatch(/warning: .*settings\.json:1:2: Not valid JSON/);
  });

  it('opens the editor, and says with the line what is wrong afterwards', async () => {
    const editor = join(stage.home, 'my editor');
    await writeFile(editor, '#!/bin/sh\nprintf \'{\\n  "langauge": "ko"\\n}\\n\' > "$2"\n');
    await chmod(editor, 0o755);
    const env = { VISUAL: `"${editor}" --wait` };
    const slip = await stage.robota(['config', 'edit'], { env });
    expect(slip).toMatchObject({ code: 0 });
    expect(slip.stderr).toContain(`${own()}:2: Unknown setting "langauge". Did you mean "language"?`);
    await writeFile(editor, '#!/bin/sh\necho "{ oops" > "$2"\n');
    const broken = await stage.robota(['config', 'edit', '--scope', 'local'], { env });
    expect(broken.code).toBe(1);
    expect(broken.stderr).toMatch(/settings\.local\.json:1:\d+: Not valid JSON/);
    const nobody = await stage.robota(['config', 'edit']);
    expect(nobody.stderr).toContain('Set VISUAL or EDITOR');
  });

  it('prints the schemas that the files are held against', async () => {
    proves('R-40');
    const settings = JSON.parse((await config('schema')).stdout);
    expect(settings.properties.permissions.properties.defaultMode.enum).toContain('plan');
    expect(JSON.parse((await config('schema', 'models')).stdout).properties).toHaveProperty('providers');
    expect(JSON.parse((await config('schema', 'credentials')).stdout).additionalProperties).toBeDefined();
    await stage.settings({ $schema: './schema.json', language: 'en' });
    expect((await config('get', 'language')).stderr).toBe('');
  });
});

describe('/config', () => {
  it('tells and changes settings without a terminal, too', async () => {
    stage.server.reply(anthropicReply({ text: 'ok' }));
    await stage.settings({ language: 'ko' });
    const { stdout } = await stage.robota(['-p', '/config explain language', '--language', 'de']);
    expect(stdout).toContain('* command line: de');
    expect(stdout).toContain(`- ${own()}:1: ko  (overridden)`);
    expect((await stage.robota(['-p', '/config set maxTurns 7'])).code).toBe(0);
    expect(JSON.parse(await written())).toEqual({ language: 'ko', maxTurns: 7 });
    expect((await stage.robota(['-p', '/config set maxTurns 0'])).code).toBe(1);
  });

  it('a deny rule that is written into the file stops the next call of an open session', async () => {
    await stage.settings({ permissions: { allow: ['Bash(echo *)'] } });
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url };
    terminal = openTerminal(['--plain'], { cwd: stage.cwd, home: stage.home, env });
    const { shows, type } = terminal;
    await shows(/\n>$/);
    await stage.settings({ permissions: { deny: ['Bash(echo *)'] } });
    await shows('The changed settings are now in effect: permissions (');
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: 'echo hello' } }] }),
      anthropicReply({ text: 'Stopped.' }),
    );
    type('go\r');
    await shows('Stopped.');
    expect(stage.results(1)[0]).toMatchObject({
      isError: true,
      text: expect.stringContaining('Bash(echo *)'),
    });
    await stage.settings('{ oops');
    await shows(/settings\.json:1:\d+: Not valid JSON.*The settings from before/s);
    await mkdir(join(stage.cwd, '.robota'), { recursive: true });
    type('/exit\r');
    expect(await terminal.exit).toBe(0);
  });
});
