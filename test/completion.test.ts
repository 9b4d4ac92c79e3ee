import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { robotaBin } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { completionTable } from '../packages/agent-cli/src/completion/completion-table.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const formatter = 'groff';
const has = (program: string) => spawnSync('which', [program]).status === 0;

let home: string;
let terminal: Terminal | undefined;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'completion-'));
  mkdirSync(join(home, 'data-folder'));
  writeFileSync(join(home, 'data-file.json'), '{}');
});

afterEach(() => {
  terminal?.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

function robota(...args: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [robotaBin, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home },
  });
  return { stdout, stderr, status };
}

/** The start of an interactive shell that has read the script, with a prompt that is easy to wait for. */
const shells = {
  bash: (script: string) => ['bash', '--noprofile', '--rcfile', script, '-i'],
  zsh: (script: string) => ['zsh', '-c', `ZDOTDIR=${home} exec zsh -i # ${script}`],
  fish: (script: string) => ['fish', '--no-config', '-C', `source ${script}`],
} as const;

async function openShell(shell: keyof typeof shells): Promise<Terminal> {
  const script = join(home, 'script');
  const { stdout } = robota('completion', shell);
  const start = { bash: 'PS1="READY> "\n', zsh: 'PS1="READY> "\nunsetopt beep\n', fish: '' }[shell];
  const prompt = shell === 'fish' ? 'function fish_prompt; echo -n "READY> "; end\n' : start;
  writeFileSync(script, `${stdout}\n${prompt}`);
  if (shell === 'zsh') writeFileSync(join(home, '.zshrc'), `source ${script}\n`);
  const [program = '', ...args] = shells[shell](script);
  const opened = openTerminal(args, { cwd: home, home, program, env: { TERM: 'xterm', LC_ALL: 'C.UTF-8' } });
  terminal = opened;
  await opened.shows('READY>');
  return opened;
}

describe.each(['bash', 'zsh', 'fish'] as const)('completion in %s', (shell) => {
  it.skipIf(!has(shell))('completes what is typed, in a real shell', async () => {
    const tui = await openShell(shell);
    const completes = async (typed: string, expected: string) => {
      tui.send(`${typed}\t`);
      await tui.shows(expected);
      // Empties the line, and unlike an interrupt drops nothing typed after it.
      tui.send('\u0015');
    };
    await completes('robota sessions exp', 'robota sessions export');
    await completes('robota --output-format st', 'robota --output-format stream-json');
    await completes('robota --cwd data-f', 'robota --cwd data-folder');
    await completes('robota doctor --no-n', 'robota doctor --no-network');
    await completes('robota --model offline sess', 'robota --model offline sessions');
    await completes('robota completion zs', 'robota completion zsh');
    await completes('robota help sess', 'robota help sessions');
    await completes('robota --model=offline sess', 'robota --model=offline sessions');
    await completes('robota --model ollama/qwen3:8b sess', 'robota --model ollama/qwen3:8b sessions');
    await completes('robota --goal "two words" sess', 'robota --goal "two words" sessions');
    await completes('robota --output-format=st', 'robota --output-format=stream-json');
    await completes('robota sessions --cwd data-folder exp', 'robota sessions --cwd data-folder export');
    await completes('robota sessions search --role as', 'robota sessions search --role assistant');
    await completes('robota run data-fi', 'robota run data-file.json');
  });
});

describe('the script for bash', () => {
  /** The words that bash offers for the last of these. */
  const complete = (words: readonly string[]): readonly string[] => {
    const script = join(home, 'script');
    writeFileSync(script, robota('completion', 'bash').stdout);
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const line = `source ${script}; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _robota robota '${words.at(-1)}'; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync('bash', ['--noprofile', '--norc', '-c', line], { encoding: 'utf8' });
    return stdout.split('\n').filter((each) => each !== '');
  };

  it('knows every command, subcommand and option of the tables', () => {
    const { options, commands } = completionTable();
    expect(complete(['robota', '']).toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
    expect(complete(['robota', '-']).toSorted()).toEqual(options.flatMap(({ names }) => names).toSorted());
    for (const { name, subcommands } of commands) {
      if (subcommands.length === 0) continue;
      expect(complete(['robota', name, '']).toSorted(), name).toEqual(
        subcommands.map((each) => each.name).toSorted(),
      );
    }
  });

  it('gives a subcommand its own options only', () => {
    expect(complete(['robota', 'sessions', 'export', '--'])).toContain('--format');
    expect(complete(['robota', 'sessions', 'list', '--'])).not.toContain('--format');
  });

  it('replaces the whole word where bash does not separate words at =', () => {
    expect(complete(['robota', '--output-format=st'])).toEqual(['--output-format=stream-json']);
    expect(complete(['robota', '--output-format', '=', 'st'])).toEqual(['stream-json']);
  });
});

describe('robota completion', () => {
  it('takes the shell of the user, and names those it knows', () => {
    const other = robota('completion', 'tcsh');
    expect(other).toMatchObject({ status: 2, stdout: '' });
    expect(other.stderr).toContain('Unknown shell "tcsh". Available: bash, zsh, fish.');
    const none = robota('completion');
    const env = { PATH: process.env.PATH, HOME: home, SHELL: 'C:\\Program Files\\Git\\usr\\bin\\bash.exe' };
    const bash = spawnSync(process.execPath, [robotaBin, 'completion'], { encoding: 'utf8', env });
    expect(bash.stdout).toMatch(/^# bash completion/);
    expect(none).toMatchObject({ status: 2, stdout: '' });
    expect(none.stderr).toContain('Missing shell. Available: bash, zsh, fish.');
  });
});

describe('robota man', () => {
  it.skipIf(!has(formatter))('prints a page that the formatter takes without a warning', () => {
    const { stdout, stderr } = spawnSync(formatter, ['-man', '-Tutf8', '-ww', '-P-cbou'], {
      input: robota('man').stdout,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    for (const word of ['--permission-mode', 'robota sessions export ID', 'EXIT STATUS'])
      expect(stdout).toContain(word);
  });
});
