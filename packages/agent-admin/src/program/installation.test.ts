import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandFiles, describeInstallation, findInstallation, type ProgramFiles } from './installation.ts';

const manifest = '{"name":"@robota-sdk/agent-cli","version":"0.1.0"}';

/** A file system of another machine, by its files and links. */
function machine(
  paths: typeof path.posix,
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
): ProgramFiles {
  return {
    path: paths,
    realPath: (file) => links[file] ?? file,
    read: (file) => files[file],
    exists: (file) => file in files || file in links,
  };
}

describe('the installation of another system', () => {
  const npm = 'C:\\Users\\user\\AppData\\Roaming\\npm';
  const root = `${npm}\\node_modules\\@robota-sdk\\agent-cli`;
  const windows = machine(path.win32, {
    [`${root}\\package.json`]: manifest,
    [`${npm}\\robota`]: 'exec node "$basedir/node_modules/@robota-sdk/agent-cli/dist/bin.js" "$@"',
    [`${npm}\\robota.cmd`]: '"%_prog%" "%dp0%\\node_modules\\@robota-sdk\\agent-cli\\dist\\bin.js" %*',
    [`${npm}\\robota.ps1`]: '& "node$exe" "$basedir/node_modules/@robota-sdk/agent-cli/dist/bin.js" $args',
  });

  it('is found on Windows by the scripts that npm makes for cmd, PowerShell and Git Bash', () => {
    const found = findInstallation({ file: `${root}\\dist\\bin.js`, isExecutable: false, files: windows });
    const download = ['npm', 'cache', 'add'];
    const install = ['npm', 'install', '-g', '--prefix', npm];
    expect(found).toEqual({ kind: 'npm', path: root, install, download });
    expect(commandFiles(root, windows)).toEqual([
      `${npm}\\robota`,
      `${npm}\\robota.cmd`,
      `${npm}\\robota.ps1`,
    ]);
  });

  it('is found on macOS by the link of npm, with the Node of Homebrew', () => {
    const modules = '/opt/homebrew/lib/node_modules/@robota-sdk/agent-cli';
    const files = machine(
      path.posix,
      { [`${modules}/package.json`]: manifest },
      { '/opt/homebrew/bin/robota': `${modules}/dist/bin.js` },
    );
    expect(findInstallation({ file: '/opt/homebrew/bin/robota', isExecutable: false, files })).toEqual({
      kind: 'npm',
      path: modules,
      install: ['npm', 'install', '-g', '--prefix', '/opt/homebrew'],
      download: ['npm', 'cache', 'add'],
    });
  });

  it.each([
    {
      file: 'C:\\Users\\user\\scoop\\apps\\robota\\current\\robota.exe',
      paths: path.win32,
      manager: 'Scoop',
      updateWith: 'scoop update robota',
    },
    {
      file: '/opt/homebrew/Cellar/robota/0.1.0/bin/robota',
      paths: path.posix,
      manager: 'Homebrew',
      updateWith: 'brew upgrade robota',
    },
    {
      file: '/nix/store/abc-robota-0.1.0/bin/robota',
      paths: path.posix,
      manager: 'Nix',
      updateWith: 'nix profile upgrade robota',
    },
  ])('$file belongs to its package manager', ({ file, paths, manager, updateWith }) => {
    const found = findInstallation({ file, isExecutable: true, files: machine(paths, {}) });
    expect(found).toMatchObject({ kind: 'manager', manager, updateWith });
    expect(describeInstallation(found)).toBe(`installed by ${manager} in ${file}`);
  });

  it('is a dependency of a project, or unknown', () => {
    const project = '/home/user/app';
    const own = `${project}/node_modules/@robota-sdk/agent-cli`;
    const files = machine(path.posix, {
      [`${own}/package.json`]: manifest,
      [`${project}/package.json`]: '{"name":"app"}',
    });
    expect(findInstallation({ file: `${own}/dist/bin.js`, isExecutable: false, files })).toMatchObject({
      kind: 'project',
      path: project,
      updateWith: 'npm install @robota-sdk/agent-cli@latest',
    });
    const alone = { file: '/srv/robota/bin.js', isExecutable: false, files: machine(path.posix, {}) };
    expect(findInstallation(alone)).toEqual({ kind: 'unknown', path: '/srv/robota/bin.js' });
  });
});
