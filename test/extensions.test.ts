import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { anthropicReply, robotaBin } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal } from './terminal.ts';

const examples = fileURLToPath(new URL('../examples/extensions', import.meta.url));
const newerNode = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
const readsTypeScript = Boolean((process.features as { typescript?: unknown }).typescript);
const done = anthropicReply({ text: 'done' });

const stage = stagePerTest();

/** Puts an example, compiled, where the user keeps extensions. */
async function install(name: string): Promise<void> {
  const { code } = await transform(await readFile(join(examples, `${name}.ts`), 'utf8'), { loader: 'ts' });
  await put(`${name}.mjs`, code);
}

async function put(name: string, text: string): Promise<void> {
  const folder = join(stage.home, '.robota/extensions');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
}

function call(name: string, input: Record<string, string>) {
  return anthropicReply({ toolCalls: [{ name, input }] });
}

describe('the examples', () => {
  it('are five, and all are tried here', async () => {
    const files = (await readdir(examples)).filter((name) => name.endsWith('.ts'));
    expect(files.sort()).toEqual([
      'branch-context.ts',
      'echo-model.ts',
      'lock-files-guard.ts',
      'package-scripts.ts',
      'review-command.ts',
    ]);
  });

  it('a tool is offered beside the built-in ones and judged by what it touches', async () => {
    proves('P-1', 'P-28');
    await install('package-scripts');
    await stage.file('package.json', JSON.stringify({ scripts: { test: 'vitest', build: 'tsc' } }));
    stage.server.reply(call('PackageScripts', { contains: 'te' }), done, call('PackageScripts', {}), done);
    const first = await stage.robota(['-p', 'which tests?']);
    expect(first.stderr).toBe('');
    expect(stage.results(1)).toEqual([expect.objectContaining({ text: 'test: vitest', isError: false })]);
    await stage.robota(['-p', 'which?', '--deny', 'Read(package.json)', '--deny', 'PackageScripts']);
    expect(stage.results(3)[0]?.isError).toBe(true);
  });

  it('a command runs in print mode and completes in a terminal', async () => {
    proves('P-28');
    await install('review-command');
    stage.server.reply(anthropicReply({ text: 'Looks fine.' }));
    const printed = await stage.robota(['-p', '/review unstaged']);
    expect(printed.stdout).toContain('Looks fine.');
    expect(JSON.stringify(stage.messages(0))).toContain('Look at `git diff`.');
    const wrong = await stage.robota(['-p', '/review everything']);
    expect(wrong.stderr + wrong.stdout).toContain('/review knows staged, unstaged, branch.');
    expect(wrong.code).not.toBe(0);
  });

  it('a guard refuses a call in whatever mode', async () => {
    proves('P-28');
    await install('lock-files-guard');
    const file = { file_path: 'yarn.lock', content: 'x' };
    stage.server.reply(call('Write', file), call('Write', { ...file, file_path: 'a.txt' }), done);
    await stage.robota(['-p', 'go', '--permission-mode', 'bypassPermissions']);
    expect(stage.results(1)[0]?.text).toContain('yarn.lock is written by its package manager');
    expect(existsSync(join(stage.cwd, 'yarn.lock'))).toBe(false);
    expect(existsSync(join(stage.cwd, 'a.txt'))).toBe(true);
  });

  it('a hook tells the model something with a prompt', async () => {
    await install('branch-context');
    await stage.file('.git/HEAD', 'ref: refs/heads/feature/x\n');
    stage.server.reply(done);
    await stage.robota(['-p', 'hi']);
    expect(JSON.stringify(stage.messages(0)[0])).toContain('The current git branch is feature/x.');
  });

  it('an adapter answers instead of a model', async () => {
    proves('P-3');
    await install('echo-model');
    const { stdout } = await stage.robota(['-p', 'hello', '--model', 'offline']);
    expect(stdout).toBe('You said: hello\n');
    expect(stage.server.requests).toHaveLength(0);
  });

  it.skipIf(!existsSync(newerNode))('run as TypeScript where Node reads it', async () => {
    await put('x', '');
    await copyFile(join(examples, 'echo-model.ts'), join(stage.home, '.robota/extensions/echo-model.ts'));
    const run = promisify(execFile)(newerNode, [robotaBin, '-p', 'hello', '--model', 'offline'], {
      cwd: stage.cwd,
      env: { PATH: process.env.PATH, HOME: stage.home },
    });
    run.child.stdin?.end();
    const { stdout, stderr } = await run;
    expect(stdout).toBe('You said: hello\n');
    expect(stderr).toBe('');
  });
});

describe('the built program', () => {
  it('--no-builtin-tools keeps extensions of files, --no-extensions loads none', async () => {
    proves('P-2');
    await install('package-scripts');
    await put('bad.mjs', 'throw new Error("never loaded")');
    stage.server.reply(done, done);
    const without = await stage.robota(['-p', 'hi', '--no-builtin-tools']);
    const none = await stage.robota(['-p', 'hi', '--no-extensions']);
    const offered = stage.server.requests.map(({ body }) =>
      ((body as { tools?: { name: string }[] }).tools ?? []).map(({ name }) => name),
    );
    expect(offered).toEqual([['PackageScripts'], []]);
    expect(without.stderr).toContain('never loaded');
    expect(none.stderr).toBe('');
  });

  it('names a broken module with its file and line, and continues', async () => {
    await put('broken.mjs', 'const a = 1;\nexport default {{;\n');
    await put('typed.ts', 'const name: string = "typed";\nexport default { name, setup() {} };\n');
    stage.server.reply(done);
    const { code, stdout, stderr } = await stage.robota(['-p', 'hi']);
    expect(code).toBe(0);
    expect(stdout).toBe('done\n');
    expect(stderr).toMatch(
      /~\/\.robota\/extensions\/broken\.mjs is not used: it could not be loaded: line 2: /,
    );
    if (!readsTypeScript) expect(stderr).toContain('TypeScript needs Node 22.18 or newer');
  });

  it('a module of a repository runs only once it is trusted', async () => {
    const { code } = await transform(await readFile(join(examples, 'echo-model.ts'), 'utf8'), {
      loader: 'ts',
    });
    await stage.file('.robota/extensions/echo.mjs', code);
    const args = ['-p', 'list the files', '--model', 'offline'];
    const withheld = await stage.robota(args);
    expect(withheld.stdout).not.toContain('You said');
    expect(withheld.stderr).toContain('extension .robota/extensions/echo.mjs');
    const trusted = await stage.robota([...args, '--trust-project']);
    expect(trusted.stdout).toBe('You said: list the files\n');
  });

  it('/reload takes a changed module into a session that continues', async () => {
    proves('P-4');
    const answering = (text: string) =>
      `export default { name: 'x', setup(host) { host.command({ name: 'say', description: 'x', run: async () => ({ kind: 'notice', text: '${text}' }) }); } };`;
    await put('x.mjs', answering('old words'));
    const terminal = openTerminal(['--plain', '--model', 'offline'], { cwd: stage.cwd, home: stage.home });
    await terminal.shows(/^>$/m);
    terminal.type('/say\r');
    await terminal.shows('old words');
    await put('x.mjs', answering('new words'));
    terminal.type('/reload\r');
    await terminal.shows('Reloaded');
    terminal.type('/say\r');
    await terminal.shows('new words');
    terminal.type('/exit\r');
    expect(await terminal.exit).toBe(0);
  });
});
