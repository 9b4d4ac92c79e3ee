import { describe, expect, it } from 'vitest';
import {
  bashAdvice,
  bashWords,
  editorWords,
  findBash,
  powershellWords,
  programWords,
  type ShellHost,
  userShellWords,
} from './shells.ts';

const git = 'C:\\Program Files\\Git\\bin\\bash.exe';

function host(
  platform: NodeJS.Platform,
  files: readonly string[],
  env: Record<string, string> = {},
): ShellHost {
  return { platform, env, isProgram: (file) => files.includes(file) };
}

describe('the shell of commands', () => {
  it('is /bin/bash, the bash of the search path, or sh', () => {
    expect(bashWords('ls', host('linux', ['/bin/bash', '/opt/bash'], { PATH: '/opt' }))?.[0]).toBe(
      '/bin/bash',
    );
    expect(
      bashWords('ls', host('darwin', ['/opt/homebrew/bin/bash'], { PATH: 'bin:/opt/homebrew/bin' })),
    ).toEqual(['/opt/homebrew/bin/bash', '--noprofile', '--norc', '-c', '--', 'ls']);
    expect(bashWords('ls', host('linux', []))).toEqual(['/bin/sh', '-c', '--', 'ls']);
  });

  it('is the bash of Git on Windows: named, beside git, or where its installer puts it', () => {
    const own = 'D:\\tools\\bash.exe';
    expect(
      findBash(host('win32', [own, git], { ROBOTA_GIT_BASH: own, ProgramFiles: 'C:\\Program Files' })),
    ).toBe(own);
    expect(
      findBash(
        host('win32', ['E:\\Git\\cmd\\git.exe', 'E:\\Git\\bin\\bash.exe'], { Path: 'C:\\x;E:\\Git\\cmd' }),
      ),
    ).toBe('E:\\Git\\bin\\bash.exe');
    expect(findBash(host('win32', [git], { ProgramFiles: 'C:\\Program Files' }))).toBe(git);
  });

  it('is never that of WSL, one of the project, or cmd: nothing runs without a bash', () => {
    const env = { Path: 'C:\\Windows\\System32;.;node_modules\\.bin', SystemRoot: 'C:\\Windows' };
    const files = ['C:\\Windows\\System32\\bash.exe', 'bash.exe', 'node_modules\\.bin\\bash.exe'];
    expect(findBash(host('win32', files, env))).toBeUndefined();
    expect(bashWords('ls', host('win32', files, env))).toBeUndefined();
    expect(findBash(host('win32', ['bash.exe'], { ROBOTA_GIT_BASH: 'bash.exe' }))).toBeUndefined();
    const planted = ['C:\\w\\tools\\git.exe', 'C:\\w\\bin\\bash.exe'];
    const inProject = { ...host('win32', planted, { Path: 'C:\\w\\tools' }), cwd: 'C:\\w' };
    expect(findBash(inProject)).toBeUndefined();
    expect(bashAdvice('win32')).toContain('Git for Windows');
    expect(bashAdvice('darwin')).toBe('Install bash.');
  });
});

describe('lines of the user', () => {
  it('are read by cmd on Windows, and by bash or sh elsewhere', () => {
    expect(userShellWords('echo "a b"', host('win32', [], { SystemRoot: 'D:\\Win' }))).toEqual([
      'D:\\Win\\System32\\cmd.exe',
      '/d',
      '/s',
      '/c',
      '"echo "a b""',
    ]);
    expect(userShellWords('ls', host('darwin', ['/bin/bash']))[0]).toBe('/bin/bash');
    expect(powershellWords('dir', host('win32', []))[0]).toBe('powershell.exe');
    expect(powershellWords('dir', host('linux', []))[0]).toBe('pwsh');
  });

  it('start programs and scripts with arguments that cmd passes on unchanged', () => {
    const az = 'C:\\Program Files\\az.cmd';
    const windows = (...words: string[]) => programWords(words, host('win32', []));
    expect(windows(az, 'get-token', '--json')).toEqual([
      'C:\\Windows\\System32\\cmd.exe',
      '/d',
      '/s',
      '/c',
      '"C:\\Program^ Files\\az.cmd get-token --json"',
    ]);
    expect(windows('npx', 'C:\\My Notes\\', '', 'a&calc', '100%').at(-1)).toBe(
      '"npx ^"C:\\My^ Notes\\\\^" ^"^" a^&calc 100^%"',
    );
    expect(windows('npx', '{"a":"b c\\"}').at(-1)).toBe('"npx ^"{\\^"a\\^":\\^"b^ c\\\\\\^"}^""');
    expect(programWords(['npx', 'a b'], host('linux', []))).toEqual(['npx', 'a b']);
  });

  it('open a file in an editor with its options', () => {
    expect(editorWords('code --wait', 'C:\\a b\\x.md', host('win32', [])).at(-1)).toBe(
      '"code --wait "C:\\a b\\x.md""',
    );
    expect(editorWords('vim -n', '/tmp/a b', host('linux', []))).toEqual([
      '/bin/sh',
      '-c',
      'vim -n "$1"',
      'sh',
      '/tmp/a b',
    ]);
  });
});
