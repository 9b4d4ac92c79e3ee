import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { robotaBin, sharedCode, temporaryDirectory } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** Reasons why a block is not run here, such as a task that has to be in a certain state. Its commands and options have to exist all the same. */
const reasons = new Set(['install', 'network', 'key', 'terminal', 'task', 'server', 'database']);

interface Block {
  readonly page: string;
  readonly mark: string;
  readonly code: string;
}

const blocks = (await Promise.all((await pages()).map(blocksOf))).flat();
const runnable = blocks.filter(({ mark }) => mark === '');
const pagesToRun = [...new Set(runnable.map(({ page }) => page))];

describe('the shell commands of the documentation', () => {
  it.each(pagesToRun)('of %s run as they are written, with the offline model', async (name) => {
    const all = runnable.filter(({ page }) => page === name);
    const shell = await openShell();
    const text = all.map(({ code }) => code).join('');
    if (/\bID\b| -[cr]\b/.test(text)) {
      await shell('robota -p "what is this project"; robota -p "/name login rework" -c');
    }
    for (const { code } of all) {
      const [, id = ''] = /\bID\b/.test(code)
        ? (firstId.exec(await shell('robota sessions list --json')) ?? [])
        : [];
      await shell(code.replaceAll(/\bID\b/g, id));
    }
  });

  it('of the fleet run, too, around one task', async () => {
    const shell = await openShell();
    await shell(`mkdir tasks && cat > tasks/greet.md <<< $'---\\ncheck: test -f README.md\\n---\\ncreate hello.txt with the text "hi"'
cp tasks/greet.md task.md; git add . && git -c user.name=a -c user.email=a@b commit -qm Tasks
robota fleet add tasks/*.md && robota fleet run`);
    const [, id = ''] = firstId.exec(await shell('robota fleet list --json')) ?? [];
    expect(await shell(`git show robota/${id}-greet:hello.txt`)).toBe('hi\n');
    for (const { code } of blocks.filter(({ mark }) => mark === 'fleet')) {
      await shell(code.replaceAll(/\bID-name\b/g, `${id}-greet`).replaceAll(/\bID\b/g, id));
    }
  }, 120_000);

  it('name commands and options that exist', async () => {
    const shell = await openShell();
    const known = new Set(
      (await shell('robota completion bash; robota man; robota --help')).match(/\w[\w-]*/g),
    );
    const unknown = blocks.flatMap(({ page, code }) =>
      wordsOf(code)
        .filter((word) => !known.has(word))
        .map((word) => `${page}: ${word}`),
    );
    expect(unknown).toEqual([]);
  });

  it('say why, where they are not run', () => {
    expect(blocks.filter(({ mark }) => mark !== '' && mark !== 'fleet' && !reasons.has(mark))).toEqual([]);
    expect(runnable.length).toBeGreaterThan(25);
  });
});

const firstId = /"id":\s*"([^"]+)"/;

/** A new project and home, and what runs commands there and tells their output. */
async function openShell(): Promise<(code: string) => Promise<string>> {
  const home = await temporaryDirectory('robota-home');
  const cwd = await temporaryDirectory('robota-docs');
  const env = {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    HOME: home,
    LANG: 'C.UTF-8',
    ...sharedCode(),
  };
  await makeHome(home);
  await makeProject(cwd);
  return async (code) => {
    const words = ['-e', '-o', 'pipefail', '-c', `exec </dev/null\n${code}`];
    const { stdout } = await execute('bash', words, { cwd, env });
    return stdout;
  };
}

async function pages(): Promise<readonly string[]> {
  const docs = ['docs', 'docs/guides'];
  const found = await Promise.all(
    docs.map(async (folder) => (await readdir(join(root, folder))).map((name) => `${folder}/${name}`)),
  );
  return ['README.md', ...found.flat().filter((path) => path.endsWith('.md'))].sort();
}

async function blocksOf(page: string): Promise<readonly Block[]> {
  const text = await readFile(join(root, page), 'utf8');
  return [...text.matchAll(/^```sh[ \t]*(.*)\n([\s\S]*?)^```$/gm)].map(([, mark = '', code = '']) => ({
    page,
    mark,
    code,
  }));
}

/** The command and the long options of each call of the program in a block. */
function wordsOf(code: string): readonly string[] {
  return code
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const call = /(?:^|[|&;(] ?)robota ([^#|]*)/.exec(line)?.[1]?.replaceAll(/"[^"]*"|'[^']*'/g, '');
      if (call === undefined) return [];
      const own = call.split(' -- ')[0] ?? '';
      const [command] = /^[a-z][\w-]*/.exec(own) ?? [];
      return [...(command ? [command] : []), ...(own.match(/(?<= )--[\w-]+|^--[\w-]+/g) ?? [])].map((word) =>
        word.replace(/^--/, ''),
      );
    })
    .filter((word) => word !== '');
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
         --model|-m) words+=(--model offline); shift;;
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

/** A small repository with everything that the pages mention. */
async function makeProject(folder: string): Promise<void> {
  const files = {
    'README.md': '# Shop\n\nA shop.\n',
    'package.json': '{"name": "shop", "scripts": {"test": "node --test"}}',
    'src/cart.js': 'export const cart = []; // TODO: foo\n',
    'build.log': 'ok\nerror: it broke\n',
    'key.pem': 'a key',
    'changelog.md': '# Changes\n',
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
