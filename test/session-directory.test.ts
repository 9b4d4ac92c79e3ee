import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { anthropicReply, temporaryDirectory } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { expectNothingWiped, expectScreen, keys, openShop, runEnd, sizes, tuiHarness } from './tui.ts';

const desk = tuiHarness(openShop);

const say = (text: string) => anthropicReply({ text });
const call = (name: string, input: Record<string, unknown>, id: string) =>
  anthropicReply({ toolCalls: [{ name, input: input as never, id }] });
const edits = ['--permission-mode', 'acceptEdits'];

/** Another project, with files of its own. */
async function otherProject(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await realpath(await temporaryDirectory('robota-other'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(directory, name, '..'), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return directory;
}

const hook = (command: string) =>
  JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] } });

describe('/cd', () => {
  it.each(sizes)('shows the directory and what was loaded there, at $columns×$rows', async (size) => {
    const { stage } = desk;
    await stage.file('api/AGENTS.md', 'Write short functions.\n');
    stage.server.reply(say('Hello.'));
    const tui = await desk.open([], size);
    tui.type(`hello${keys.enter}`);
    await tui.shows(runEnd);
    tui.type('/cd a');
    await tui.shows('api/');
    tui.type(keys.tab);
    await tui.shows('> /cd api/');
    tui.type(keys.enter);
    await tui.shows(/api · \? help$/);
    await expectScreen(tui, 'directory', stage);
    expectNothingWiped(tui);
  });

  it('continues the conversation in another directory, by its instructions and rules', async () => {
    const { stage } = desk;
    await stage.file('AGENTS.md', 'Speak like a sailor.\n');
    const other = await otherProject({
      'AGENTS.md': 'Speak like a gardener.\n',
      '.robota/settings.json': JSON.stringify({ permissions: { deny: ['Write(secret.txt)'] } }),
    });
    stage.server.reply(
      say('Ahoy.'),
      call('Write', { file_path: 'plants.txt', content: 'fern\n' }, 'toolu_1'),
      call('Write', { file_path: 'secret.txt', content: 'x\n' }, 'toolu_2'),
      call('Write', { file_path: join(stage.cwd, 'outside.txt'), content: 'x\n' }, 'toolu_3'),
      say('Written.'),
    );
    const tui = await desk.open(edits);
    tui.type(`hello${keys.enter}`);
    await tui.shows('Ahoy.');
    tui.type(`/cd ${other}${keys.enter}`);
    await tui.shows(new RegExp(`Working in ${other} now`));
    await tui.shows(new RegExp(`\\naccept edits · .*${basename(other)} · \\? help$`));
    tui.type(`write them${keys.enter}`);
    await tui.shows('Written.');
    expect(await readFile(join(other, 'plants.txt'), 'utf8')).toBe('fern\n');
    await expect(readFile(join(other, 'secret.txt'))).rejects.toThrow('ENOENT');
    const { system, messages } = Object(stage.server.requests[1]?.body);
    expect(JSON.stringify(system)).toContain('gardener');
    expect(JSON.stringify(system)).not.toContain('sailor');
    expect(JSON.stringify(messages)).toMatch(/hello[\s\S]*Ahoy[\s\S]*changed the working directory from/);
    expect(stage.results(3)).toMatchObject([{ isError: true, text: expect.stringContaining('secret.txt') }]);
    // The workspace of before is outside of it now.
    expect(stage.results(4)).toMatchObject([{ isError: true, text: expect.stringContaining('outside') }]);
    await expect(readFile(join(stage.cwd, 'outside.txt'))).rejects.toThrow('ENOENT');
  });

  it('keeps added directories there and in a copy; a goal is checked in the copy, and elsewhere its check is said not to run', async () => {
    const { stage } = desk;
    const other = await otherProject({ 'notes.txt': 'x\n' });
    await stage.file('parts/README.md', 'Parts.\n');
    stage.server.reply(say('Reached.'), say('In the copy.'), say('Elsewhere.'));
    const tui = await desk.open(edits, { columns: 120, rows: 40 });
    tui.type(`/add-dir ${other}${keys.enter}`);
    await tui.shows('to the workspace (this session)');
    tui.type(`/goal reach it --check echo checked${keys.enter}`);
    await tui.shows(/Reached\.[\s\S]*check passed[\s\S]*\d in, /);
    tui.type(`/fork${keys.enter}`);
    await tui.shows('Now in "');
    tui.type(`again${keys.enter}`);
    await tui.shows(/In the copy\.\s+· Goal check passed: echo checked/);
    tui.type(`/cd parts${keys.enter}`);
    await tui.shows(/parts\s+now\.\s+The goal check does not run\s+here: \/goal\./);
    tui.type(`/add-dir${keys.enter}`);
    await tui.shows(`parts (working directory)\n${other}\n`);
    tui.type(`more${keys.enter}`);
    await tui.shows(/Elsewhere\.\n {2}0/);
  });

  it('refuses what is no directory, and names the present one', async () => {
    await desk.stage.file('file.txt', 'x');
    const tui = await desk.open();
    tui.type(`/cd nowhere${keys.enter}`);
    await tui.shows(/No directory[\s\S]*nowhere\.\s+Nothing changed\./);
    tui.type(`/cd file.txt${keys.enter}`);
    await tui.shows(/No directory[\s\S]*file\.txt\.\s+Nothing changed\./);
    tui.type(`/cd .${keys.enter}`);
    await tui.shows('Already in');
    tui.type(`/cd${keys.enter}`);
    await tui.shows(await realpath(desk.stage.cwd));
  });

  it('asks about trust first; a cancelled question leaves everything as it was', async () => {
    const { stage } = desk;
    const other = await otherProject({ '.robota/settings.json': hook('touch hooked') });
    stage.server.reply(say('One.'), say('Two.'), say('Three.'));
    const tui = await desk.open();
    tui.type(`first${keys.enter}`);
    await tui.shows('One.');
    tui.type(`/cd ${other}${keys.enter}`);
    await tui.shows('This project wants to run code');
    tui.type(keys.escape);
    await tui.shows('Stayed in');
    tui.type(`second${keys.enter}`);
    await tui.shows('Two.');
    await tui.shows(new RegExp(`${basename(stage.cwd)} · \\? help$`));
    await expect(readFile(join(other, 'hooked'))).rejects.toThrow('ENOENT');
    tui.type(`/cd ${other}${keys.enter}`);
    await tui.shows(/Stayed in[\s\S]*This project wants to run code/);
    tui.type(`2${keys.enter}`);
    await tui.shows(`Working in ${other} now`);
    tui.type(`third${keys.enter}`);
    await tui.shows('Three.');
    await tui.shows(runEnd);
    expect(await readFile(join(other, 'hooked'), 'utf8')).toBe('');
    expect(JSON.stringify(stage.messages(2))).toMatch(/first[\s\S]*second[\s\S]*third/);
  });

  it('can be the first thing in a session, holds for /new, and the session is resumed from anywhere', async () => {
    const { stage } = desk;
    const other = await otherProject({});
    stage.server.reply(say('Here.'), say('There.'), say('Again.'));
    const tui = await desk.open();
    tui.type(`/cd ${other}${keys.enter}`);
    await tui.shows(`Working in ${other} now`);
    tui.type(`/new${keys.enter}`);
    await tui.shows('New session');
    tui.type(`where${keys.enter}`);
    await tui.shows('Here.');
    await tui.shows(new RegExp(`${basename(other)} · \\? help$`));
    tui.type(`/cd ${stage.cwd}${keys.enter}`);
    await tui.shows(/Working in\s+\S+\s+now[\s\S]*Working in\s+\S+\s+now/);
    tui.type(`and now${keys.enter}`);
    await tui.shows('There.');
    tui.type(keys.ctrlD);
    expect(await tui.exit).toBe(0);
    const [, id = ''] = /robota -r (\S+)/.exec(await tui.screen()) ?? [];
    const { stdout } = await stage.robota(['-p', '-r', id, 'more'], { cwd: other });
    expect(stdout).toContain('Again.');
    expect(JSON.stringify(stage.messages(2))).toMatch(/where[\s\S]*and now[\s\S]*more/);
  });

  it('does not end what runs in the background', async () => {
    const other = await otherProject({});
    const command = 'sleep 600';
    desk.stage.server.reply(call('Bash', { command, run_in_background: true }, 'toolu_1'), say('It runs.'));
    const tui = await desk.open(['--permission-mode', 'bypassPermissions']);
    tui.type(`start it${keys.enter}`);
    await tui.shows('It runs.');
    tui.type(`/cd ${other}${keys.enter}`);
    await tui.shows('Stop background tasks first');
    await tui.shows('· 1 task');
  });

  it('works line by line, and print mode names its option', async () => {
    const { stage } = desk;
    const other = await otherProject({});
    stage.server.reply(say('Here.'), say('There.'));
    const plain = desk.start(['--plain']);
    await plain.shows(/\n>$/);
    plain.type(`hello${keys.enter}`);
    await plain.shows('Here.');
    plain.type(`/cd ${other}${keys.enter}`);
    await plain.shows(`Working in ${other} now`);
    plain.type(`again${keys.enter}`);
    await plain.shows('There.');
    expect(JSON.stringify(stage.messages(1))).toMatch(
      /hello[\s\S]*again[\s\S]*changed the working directory/,
    );
    const printed = await stage.robota(['-p', `/cd ${other}`]);
    expect(printed.code).not.toBe(0);
    expect(printed.stderr).toContain('--cwd');
    for (const [command, advice] of [
      ['/login', 'Only a conversation in a terminal has it; here run: robota login'],
      ['/trust', 'Only a conversation in a terminal has it; here use --trust-project.'],
      ['/copy', 'Only the terminal screen has it.'],
    ] as const)
      expect((await stage.robota(['-p', command])).stderr).toContain(`Unknown command ${command}. ${advice}`);
  });
});
