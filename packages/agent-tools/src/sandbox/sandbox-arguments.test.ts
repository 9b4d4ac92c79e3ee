import { expect, it } from 'vitest';
import { bubblewrapArguments } from './bubblewrap-arguments.ts';
import { accessTo, type SandboxPlan } from './sandbox-plan.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

const plan: SandboxPlan = {
  cwd: '/w',
  network: 'off',
  places: [
    { path: '/w', access: 'write', isDirectory: true },
    { path: '/w/.git', access: 'write', isDirectory: true },
    { path: '/w/.vscode', access: 'read', isDirectory: true },
    { path: '/home/u/.ssh', access: 'none', isDirectory: true },
    { path: '/home/u/.netrc', access: 'none', isDirectory: false },
    { path: '/w/.git/hooks', access: 'read', isDirectory: true },
    { path: '/w/.vscode/granted "x"', access: 'write', isDirectory: false },
  ],
  absent: [],
  absentFromGit: [],
  repositories: { roots: [], grants: [], known: new Set(), links: new Set(), indexes: [] },
};
const host = {
  temporary: '/t/tmp',
  temporaryMounts: ['/tmp'],
  unreadable: '/t/none',
  hasRun: false,
  kernelSettings: ['/proc/sys'],
  copies: new Map(),
};

it('builds the arguments of bubblewrap in the order of the places', () => {
  expect(bubblewrapArguments(plan, host).join(' ')).toBe(
    [
      '--unshare-user-try --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --unshare-net',
      '--die-with-parent --cap-drop ALL',
      '--ro-bind / / --dev /dev --proc /proc --ro-bind-try /proc/sys /proc/sys',
      '--bind /t/tmp /tmp',
      '--bind-try /w /w --bind-try /w/.git /w/.git --ro-bind-try /w/.vscode /w/.vscode',
      '--perms 0000 --tmpfs /home/u/.ssh --remount-ro /home/u/.ssh',
      '--ro-bind /t/none /home/u/.netrc',
      '--ro-bind-try /w/.git/hooks /w/.git/hooks',
      '--bind-try /w/.vscode/granted "x" /w/.vscode/granted "x"',
      '--chdir /w --',
    ].join(' '),
  );
});

it('shares the network only where it is on, and hides /run where there is one', () => {
  expect(bubblewrapArguments({ ...plan, network: 'on' }, host)).not.toContain('--unshare-net');
  const allowing = bubblewrapArguments(
    { ...plan, network: { allow: [] } },
    { ...host, proxySocket: '/t/p', hasRun: true },
  );
  expect(allowing).toContain('--unshare-net');
  expect(allowing.join(' ')).toContain('--bind /t/p /dev/robota-proxy');
  expect(allowing.join(' ')).toContain('--tmpfs /run --ro-bind-try /run/current-system');
});

it('writes a profile for macOS in which the nearest place decides', () => {
  const lines = seatbeltProfile(plan, { temporary: '/t/tmp', roots: ['/w'] }).split('\n');
  const at = (line: string) => {
    expect(lines).toContain(line);
    return lines.indexOf(line);
  };
  expect(lines.slice(0, 3)).toEqual(['(version 1)', '(allow default)', '(deny file-write*)']);
  const workspace = at('(allow file-read* file-write* (subpath "/w"))');
  expect(workspace).toBeLessThan(at('(deny file-write* (subpath "/w/.git/hooks"))'));
  at('(deny file-read* file-write* (subpath "/home/u/.ssh"))');
  expect(at('(deny file-write* (subpath "/w/.vscode"))')).toBeLessThan(
    at('(allow file-read* file-write* (subpath "/w/.vscode/granted \\"x\\""))'),
  );
  const newNames = lines.findIndex((line) => line.includes('regex') && line.includes('husky'));
  expect(lines[newNames]).toMatch(
    /^\(deny file-write\* \(regex #"\^\/w\/\(.*\\\.husky\|.*\)\(\/\|\$\)"\)\)$/,
  );
  expect(newNames).toBe(workspace + 1);
  at('(deny network*)');
});

it('shows on macOS what may be read in a hidden home', () => {
  const places: SandboxPlan['places'] = [
    { path: '/Users/u', access: 'none', isDirectory: true, isEmptied: true },
    { path: '/Users/u/.rustup', access: 'read', isDirectory: true },
    { path: '/Users/u/w (1)', access: 'write', isDirectory: true },
    { path: '/Users/u/.gitconfig', access: 'read', isDirectory: false, shownAs: '[user]' },
  ];
  const text = seatbeltProfile({ ...plan, places }, { temporary: '/t', roots: ['/Users/u/w (1)'] });
  const order = [
    '(deny file-read* file-write* (subpath "/Users/u"))',
    '(allow file-read* (subpath "/Users/u/.rustup"))',
    '(allow file-read* file-write* (subpath "/Users/u/w (1)"))',
    '(deny file-write* (regex #"^/Users/u/w \\(1\\)/(',
    '(deny file-read* file-write* (subpath "/Users/u/.gitconfig"))',
  ].map((line) => text.indexOf(line));
  expect(order.every((place) => place >= 0)).toBe(true);
  expect([...order].sort((one, other) => one - other)).toEqual(order);
});

it('lets the profile for macOS reach the proxy only, or the whole network', () => {
  const options = { temporary: '/t', roots: [], proxyPort: 4711 };
  expect(seatbeltProfile({ ...plan, network: { allow: ['a'] } }, options)).toContain(
    '(allow network-outbound (remote ip "localhost:4711"))',
  );
  expect(seatbeltProfile({ ...plan, network: 'on' }, { temporary: '/t', roots: [] })).not.toContain(
    'network',
  );
});

it('asks the nearest place for the access to a path', () => {
  expect(accessTo('/w/src/x', plan)).toBe('write');
  expect(accessTo('/w/.git/index', plan)).toBe('write');
  expect(accessTo('/w/.git/hooks/x', plan)).toBe('read');
  expect(accessTo('/home/u/.ssh/id', plan)).toBe('none');
  expect(accessTo('/w2', plan)).toBe('read');
});
