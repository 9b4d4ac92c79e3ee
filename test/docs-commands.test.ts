import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findSandbox } from '@robota-sdk/agent-sdk/front-end';
import {
  anthropicReply,
  robotaBin,
  sharedCode,
  startModelServer,
  temporaryDirectory,
} from '@robota-sdk/agent-testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { giveDatabase } from '../packages/agent-fleet/src/fixtures/migrated-database.ts';
import { type Block, commandBlocks } from './docs-blocks.ts';
import { openTerminal } from './terminal.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const sonnet = 'claude-sonnet-4-6';

/** Without one, tasks of a fleet don't start. */
const hasSandbox = (await findSandbox()).kind !== 'missing';

const offline = commandBlocks('');
const pages = [...new Set(offline.map(({ page }) => page))];
/** Calls that were run on another page already. */
const done = new Set<string>();
/** A project with a session, for the pages that begin with one. */
let begun: { readonly shell: Shell; readonly session: string } | undefined;

let template: { readonly home: string; readonly cwd: string };

beforeAll(async () => {
  template = {
    home: await temporaryDirectory('robota-home'),
    cwd: await temporaryDirectory('robota-docs'),
  };
  await makeHome(template.home);
  await makeProject(template.cwd);
});

describe('the shell commands of the documentation', () => {
  it.each(pages)('of %s run as they are written, with the offline model', async (name) => {
    const codes = offline.filter(({ page }) => page === name).map(({ code }) => code);
    const code = codes.map(notYetRun).join('');
    if (code.trim() === '') return;
    if (!isOnSession(code)) return void (await (await openShell()).shell(code));
    begun ??= await beginSession();
    const { shell, session } = begun;
    if (code.includes('sessions delete')) begun = undefined;
    await shell(code.replaceAll(/\bID\b/g, session));
  });

  it('with a key run, too, with a server instead of the vendor', async () => {
    const server = await startModelServer();
    server.handle(({ text }) => {
      // The call that `robota doctor` tries.
      if (text.includes('report_number'))
        return anthropicReply({ toolCalls: [{ name: 'report_number', input: { number: 7 } }] });
      return anthropicReply({ text: text.includes('count the tests') ? ['{}'] : ['Do', 'ne.'] });
    });
    const { shell } = await openShell({
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: 'sk-1',
      MODEL: sonnet,
    });
    const codes = commandBlocks('key').map(({ code }) => notYetRun(code));
    await shell(`echo '{"model": "${sonnet}"}' > ~/.robota/settings.json\n${codes.join('')}`);
    expect(server.requests.map(({ text }) => text).join('\n')).toContain('fix the failing test');
    await server.close();
  });

  it('for a terminal run in one', async () => {
    const { cwd, home, shell } = await openShell();
    await shell('robota plugin new team-rules');
    // The keys that end each of them, once the screen shows what it is waiting for, and the exit code.
    const ends = new Map<string, readonly [RegExp, string, number]>([
      ['robota login', [/Enter cancels/, '\r', 2]],
      ['robota login anthropic', [/Leave empty/, '\r', 2]],
      ['robota --plugin-dir team-rules', [/\n[─-]{20,}\n/, '/exit\r', 0]],
      ['robota plugin install ./team-rules', [/Install/, 'y\r', 0]],
    ]);
    const lines = commandBlocks('terminal').flatMap(({ code }) => linesOf(code));
    for (const line of new Set(lines)) {
      const [waiting, keys, code] = ends.get(line) ?? [/^$/, '', 0];
      const terminal = openTerminal(line.split(' ').slice(1), { cwd, home });
      await terminal.shows(waiting);
      terminal.type(keys);
      expect(await terminal.exit, line).toBe(code);
    }
  });

  it('with a marketplace run with a repository instead of GitHub', async () => {
    const { shell } = await openShell();
    const plugin = '{"name": "code-review", "source": "./code-review", "description": "Reviews"}';
    await shell(`mkdir -p hub/anthropics/claude-code.git/.claude-plugin hub/anthropics/claude-code.git/code-review/commands
cd hub/anthropics/claude-code.git; git init -q -b main
echo '{"name": "claude-code-plugins", "owner": {"name": "a"}, "plugins": [${plugin}]}' > .claude-plugin/marketplace.json
echo 'Review it.' > code-review/commands/review.md
git add . && git -c user.name=a -c user.email=a@b commit -qm Begin
git config --global url."file://$(cd ../..; pwd)/".insteadOf https://github.com/`);
    for (const { code } of commandBlocks('marketplace'))
      await shell(code.replaceAll(/(plugin install \S+)/g, '$1 --yes'));
  });

  it.skipIf(!hasSandbox)('of the fleet run, too, around tasks that are done, failed and parked', async () => {
    const { cwd, home, shell } = await openShell();
    await giveDatabase(join(home, '.robota'));
    await mkdir(join(cwd, 'tasks'));
    const files = {
      'tasks/greet.md': task('test -f README.md', 'create hello.txt with the text "hi"'),
      'tasks/ask.md': 'run the tests\n',
      'tasks/broken.md': task('false', 'what is this project'),
      'task.md': task('test -f README.md', 'create bye.txt with the text "bye"'),
    };
    for (const [path, text] of Object.entries(files)) await writeFile(join(cwd, path), text);
    await shell('git add . && git -c user.name=a -c user.email=a@b commit -qm Tasks');
    const blocks = [...commandBlocks('fleet'), ...commandBlocks('task')];
    // The main page adds and runs the tasks; that of crashes runs what is left.
    const order = ({ page }: Block) => ['docs/fleet.md', 'docs/fleet-crashes.md'].indexOf(page) || -2;
    const [adding = '', ...others] = blocks
      .sort((a, b) => order(a) - order(b))
      .map(({ code }) =>
        notYetRun(code).replaceAll(/^(robota fleet (?:run|doctor).*)$/gm, '{ $1\n} || [ $? = 1 ]'),
      );
    await shell(adding);
    const tasks = (await shell('robota fleet list --json'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const idOf = (name: string): string => tasks.find((each) => each.name === name)?.id ?? '';
    expect(await shell(`git show robota/${idOf('greet')}-greet:hello.txt`)).toBe('hi\n');
    const named = (code: string) =>
      code
        .replaceAll(/\bID-name\b/g, `${idOf('greet')}-greet`)
        .replaceAll(/answer ID\b/g, `answer ${idOf('ask')}`)
        .replaceAll(/retry ID\b/g, `retry ${idOf('broken')}`)
        .replaceAll(/\bID\b/g, idOf('greet'));
    for (const code of others) await shell(named(code));
    for (const line of commandBlocks('attach').flatMap(({ code }) => linesOf(code))) {
      const terminal = openTerminal(named(line).split(' ').slice(1), { cwd, home });
      await terminal.shows('Resumed "greet"');
      terminal.type('/exit\r');
      expect(await terminal.exit).toBe(0);
    }
    expect(await shell('robota fleet list --state parked --json')).toBe('');
  });
});

const task = (check: string, prompt: string) => `---\ncheck: "${check}"\n---\n${prompt}\n`;

/** True if a command is about a session that is there. */
function isOnSession(code: string): boolean {
  return /\bID\b| -[cr]\b/.test(code);
}

/** A new project and home with a session that has a name. */
async function beginSession() {
  const { shell } = await openShell();
  const { session_id: session } = JSON.parse(
    await shell('robota -p "what is this project" --output-format json'),
  );
  await shell(`robota sessions name ${session} "login rework"`);
  return { shell, session };
}

/** A block without the lines that ran before; one with more than simple lines stays whole. */
function notYetRun(code: string): string {
  if (/\\\n|<<|^ /m.test(code)) return code;
  const lines = linesOf(code).filter((line) => {
    const call = callOf(line);
    const isNew = isOnSession(line) || !done.has(call);
    done.add(call);
    return isNew;
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** The meaning of a line here, where every model is one and its key counts for nothing. */
function callOf(line: string): string {
  return line
    .replace(/^(?:[A-Z_]+=\S+ )+/, '')
    .replace(/ (?:--model|-m) \S+/, '')
    .replaceAll("'", '"');
}

/** The commands of a block, without what they are explained with. */
function linesOf(code: string): readonly string[] {
  return code
    .split('\n')
    .map((line) => line.replace(/ +# .*$/, '').trim())
    .filter((line) => line !== '');
}

/** Runs commands and tells their output. */
type Shell = (code: string) => Promise<string>;

/** A new project and home, and what runs commands there. */
async function openShell(more: Readonly<Record<string, string>> = {}) {
  const home = await temporaryDirectory('robota-home');
  const cwd = await temporaryDirectory('robota-docs');
  await cp(template.home, home, { recursive: true });
  await cp(template.cwd, cwd, { recursive: true });
  const env = {
    PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
    HOME: home,
    LANG: 'C.UTF-8',
    EDITOR: 'true',
    ...sharedCode(),
    ...more,
  };
  const shell: Shell = async (code) => {
    const words = ['-e', '-o', 'pipefail', '-c', `exec </dev/null\n${code.replaceAll('=…', '=sk-1')}`];
    const { stdout } = await execute('bash', words, { cwd, env });
    return stdout;
  };
  return { home, cwd, shell };
}

/**
 * A home whose `robota` is the program with the offline model, whatever model is named. A conversation, which needs a terminal, gets
 * one command to answer instead. `npx` starts what the repository has installed.
 */
async function makeHome(home: string): Promise<void> {
  await mkdir(join(home, '.robota'), { recursive: true });
  await mkdir(join(home, '.config/fish/completions'), { recursive: true });
  await writeFile(join(home, '.robota/settings.json'), '{"model": "offline"}');
  await program(
    join(home, 'bin/robota'),
    `words=() talks=yes
     case "\${1-}" in [a-z]*) talks=no;; esac
     while [ $# -gt 0 ]; do
       case "$1" in
         --model|-m) words+=(--model "\${MODEL-offline}"); shift;;
         -p|--print|--version|--help|--replay) words+=("$1"); talks=no;;
         *) words+=("$1");;
       esac
       shift
     done
     if [ $talks = yes ]; then echo /cost | '${process.execPath}' '${robotaBin}' "\${words[@]}"; exit; fi
     exec '${process.execPath}' '${robotaBin}' "\${words[@]}"`,
  );
  await program(
    join(home, 'bin/npx'),
    `[ "$1" = -y ] && shift
     case "$1" in @modelcontextprotocol/server-filesystem) shift; exec '${root}node_modules/.bin/mcp-server-filesystem' "$@";; esac
     echo "npx $1 is not installed here" >&2; exit 1`,
  );
}

async function program(path: string, code: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/usr/bin/env bash\n${code}\n`);
  await chmod(path, 0o755);
}

/** A line of Claude Code. */
const oldEntry = {
  type: 'user',
  uuid: 'u1',
  parentUuid: null,
  sessionId: 's1',
  timestamp: '2026-01-31T14:05:00.000Z',
  cwd: '/work',
  message: { role: 'user', content: 'add a cache' },
};

/** A small repository with everything that the pages mention. */
async function makeProject(folder: string): Promise<void> {
  const files = {
    'README.md': '# Shop\n\nA shop.\n',
    'package.json': '{"name": "shop", "scripts": {"test": "node --test"}}',
    'src/cart.js': 'export const cart = []; // TODO: foo\n',
    'build.log': 'ok\nerror: it broke\n',
    'key.pem': 'a key',
    'changelog.md': '# Changes\n',
    'schema.json': '{"type": "object"}',
    'key.txt': 'sk-2\n',
    'old/session.jsonl': `${JSON.stringify(oldEntry)}\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const git = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  await execute('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder });
  await execute('git', [...git, 'add', '.'], { cwd: folder });
  await execute('git', [...git, 'commit', '--quiet', '--message', 'Begin'], { cwd: folder });
}
