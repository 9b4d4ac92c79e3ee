import { existsSync } from 'node:fs';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply, temporaryDirectory } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { openStage } from './stage.ts';
import { keys, tuiHarness } from './tui.ts';

const desk = tuiHarness(openStage);
const say = (text: string) => anthropicReply({ text });
const write = (path: string, content: string, id = 'toolu_1') =>
  anthropicReply({ toolCalls: [{ name: 'Write', input: { file_path: path, content }, id }] });
const edits = ['--permission-mode', 'acceptEdits'];

describe('/undo', () => {
  it('shows what the last prompt changed, and takes it back after a yes', async () => {
    desk.stage.server.reply(write('new.txt', 'x\n'), say('Written.'));
    const tui = await desk.open(edits);
    tui.type(`write it${keys.enter}`);
    await tui.shows('Written.');
    expect(existsSync(join(desk.stage.cwd, 'new.txt'))).toBe(true);
    tui.type(`/undo${keys.enter}`);
    await tui.shows(/Revert the file changes of prompt 1\?[\s\S]*created new\.txt/);
    tui.type('n');
    tui.type(keys.enter);
    expect(await tui.shows('Nothing was reverted.')).not.toContain('Revert the file changes');
    expect(existsSync(join(desk.stage.cwd, 'new.txt'))).toBe(true);
    tui.type(`/undo${keys.enter}`);
    await tui.shows(/Nothing was reverted\.[\s\S]*Revert the file changes of prompt 1\?/);
    tui.type('y');
    tui.type(keys.enter);
    await tui.shows('1 file was reverted.');
    expect(existsSync(join(desk.stage.cwd, 'new.txt'))).toBe(false);
    tui.type(`/undo${keys.enter}`);
    await tui.shows(/already\s+reverted\./);
    tui.type(`/rewind undo${keys.enter}`);
    await tui.shows(/was reverted\.[\s\S]*put back\./);
    tui.type(`/undo${keys.enter}`);
    await tui.shows(/already\s+reverted\.[\s\S]*created new\.txt/);
  });

  it('names the command to use where no user can confirm, and says where nothing was changed', async () => {
    desk.stage.server.reply(write('new.txt', 'x\n'), say('Written.'), say('Hello.'));
    await desk.stage.robota(['-p', 'write it', ...edits]);
    const asked = await desk.stage.robota(['-p', '-c', '/undo']);
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain('Use /rewind 1 files');
    await desk.stage.robota(['-p', '-c', 'hello']);
    expect((await desk.stage.robota(['-p', '-c', '/undo'])).stdout).toContain('changed no files');
    expect(existsSync(join(desk.stage.cwd, 'new.txt'))).toBe(true);
  });
});

describe('/add-dir', () => {
  it('lets edits there pass as in the workspace, tells the model, and deny rules still win', async () => {
    const other = await realpath(await temporaryDirectory('robota-other'));
    const inside = join(other, 'in.txt');
    const secret = join(other, 'secret.txt');
    await writeFile(secret, 'before\n');
    desk.stage.server.reply(write(inside, 'x\n'), write(secret, 'y\n', 'toolu_2'), say('Written.'));
    const tui = await desk.open([...edits, '--deny', `Edit(/${secret})`]);
    tui.type(`/add-dir ${other}${keys.enter}`);
    await tui.shows('to the workspace (this session)');
    tui.type(`/add-dir ${other}${keys.enter}`);
    await tui.shows('is already in the workspace');
    tui.type(`write there${keys.enter}`);
    await tui.shows('Written.');
    expect(await readFile(inside, 'utf8')).toBe('x\n');
    expect(await readFile(secret, 'utf8')).toBe('before\n');
    expect(JSON.stringify(desk.stage.messages(0))).toContain(`added a directory to the workspace: ${other}`);
  });

  it('refuses what is no directory, and lists those there are', async () => {
    const missing = await desk.stage.robota(['-p', '/add-dir nowhere']);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('it does not exist');
    const { stdout } = await desk.stage.robota(['-p', '/add-dir']);
    expect(stdout).toContain(`${await realpath(desk.stage.cwd)} (working directory)`);
  });
});

describe('/vim', () => {
  it('switches the keys of vim on and off, for this session only', async () => {
    const tui = await desk.open();
    tui.type(`/vim${keys.enter}`);
    await tui.shows('Vim keys: on (this session)');
    // Escape together with the next key would be one key of its own, so the cursor has to move back first.
    const isBack = (columns: number) => expect.poll(() => tui.cursor()).toMatchObject({ column: columns });
    tui.type(`abc${keys.escape}`);
    await isBack(4);
    tui.type('0x');
    await tui.shows(/> bc\n/);
    tui.type(`A d${keys.escape}`);
    await isBack(5);
    tui.type('dd');
    tui.type(`i/vim${keys.enter}`);
    await tui.shows('Vim keys: off (this session)');
    expect(existsSync(join(desk.stage.home, '.robota/settings.json'))).toBe(false);
  });
});

describe('commands of the shell in a conversation', () => {
  it('/doctor reports on the setup', async () => {
    const tui = await desk.open();
    tui.type(`/doctor${keys.enter}`);
    await tui.shows(/Robota works|Everything looks good|problems? found/);
  });

  it('/login asks for the key without showing it, tries it, keeps it, and uses it from the next request on', async () => {
    const key = 'sk-ant-typed-in-a-session-123456';
    const sentKeys = () => desk.stage.server.requests.map(({ headers }) => headers['x-api-key']);
    await desk.stage.settings({});
    const auth = join(desk.stage.home, '.robota/auth.json');
    await writeFile(auth, '{"anthropic": {"type": "api_key", "key": "sk-old"}}', { mode: 0o600 });
    desk.stage.server.reply(say('First.'), say('ok'), say(`Your key is ${key}, is it not?`));
    const tui = await desk.open([], { env: { ANTHROPIC_API_KEY: '' } });
    tui.type(`hello${keys.enter}`);
    await tui.shows('First.');
    tui.type(`/login anthropic${keys.enter}`);
    await tui.shows('The key for Anthropic');
    tui.type(`${key}${keys.enter}`);
    await tui.shows('The key for Anthropic is saved and used from the next request on.');
    expect(await readFile(auth, 'utf8')).toContain(key);
    tui.type(`and now${keys.enter}`);
    await tui.shows('is it not?');
    expect(sentKeys()).toEqual(['sk-old', key, key]);
    expect(tui.raw).not.toContain(key);
  });

  it('/login names the variable that comes before a saved key', async () => {
    desk.stage.server.reply(say('ok'));
    const tui = await desk.open();
    tui.type(`/login anthropic${keys.enter}`);
    await tui.shows('The key for Anthropic');
    tui.type(`sk-ant-second${keys.enter}`);
    await tui.shows(/is saved\.\nANTHROPIC_API_KEY is set as well and comes first/);
  });

  it('a command file of the same name takes the place of /doctor', async () => {
    await desk.stage.file('.robota/commands/doctor.md', 'Say: $ARGUMENTS');
    desk.stage.server.reply(say('The patient is well.'));
    const tui = await desk.open();
    expect(await tui.screen()).toContain('Loaded 1 command');
    tui.type(`/doctor hello${keys.enter}`);
    await tui.shows('The patient is well.');
  });

  it('/login refuses an unknown vendor', async () => {
    const tui = await desk.open();
    tui.type(`/login antropic${keys.enter}`);
    await tui.shows('Did you mean anthropic?');
  });
});
