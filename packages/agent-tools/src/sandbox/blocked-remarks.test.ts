import { expect, it } from 'vitest';
import { blockedRemarks, type CommandReport } from './blocked-remarks.ts';

const report: CommandReport = {
  plan: {
    cwd: '/w',
    network: 'off',
    places: [
      { path: '/w', access: 'write', isDirectory: true },
      { path: '/w/.git/config', access: 'read', isDirectory: false },
      { path: '/home/u/.ssh', access: 'none', isDirectory: true },
    ],
    absent: [],
    absentFromGit: [],
    repositories: { roots: [], grants: [], known: new Set(), links: new Set(), indexes: [] },
  },
  home: '/home/u',
  text: '',
  failed: true,
  blockedHosts: [],
  replaced: ['/tmp', '/proc'],
};
const remarks = (text: string, more: Partial<CommandReport> = {}) =>
  blockedRemarks({ ...report, text, ...more });

it.each([
  ['/bin/bash: line 1: /usr/x: Read-only file system', 'writing /usr/x', '--sandbox-write /usr '],
  ["touch: cannot touch '/usr/a b': Read-only file system", 'writing /usr/a b', '--sandbox-write /usr '],
  ["Error: EROFS: read-only file system, open '/usr/x'", 'writing /usr/x', '--sandbox-write /usr '],
  ["OSError: [Errno 30] Read-only file system: '/usr/x'", 'writing /usr/x', '--sandbox-write /usr '],
  [
    "npm error EROFS: read-only file system, mkdir '/home/u/.npm/_cacache/tmp'",
    'writing',
    '--sandbox-write /home/u/.npm ',
  ],
  [
    "npm error enoent ENOENT: no such file or directory, mkdir '/home/u/.npm/_cacache'",
    'writing',
    '--sandbox-write /home/u/.npm ',
  ],
  [
    'mkdir /home/u/.cache/go-build/0a: read-only file system',
    'writing',
    '--sandbox-write /home/u/.cache/go-build ',
  ],
  [
    'error: could not write config file .git/config: Device or resource busy',
    'writing /w/.git/config is not allowed, it is protected',
    '--sandbox-write /w/.git/config ',
  ],
  ['cat: /home/u/.ssh/id: Permission denied', 'reading /home/u/.ssh/id', '--sandbox-read /home/u/.ssh '],
  ['cat: ~/.ssh/id: Permission denied', 'reading /home/u/.ssh/id', '--sandbox-read /home/u/.ssh '],
  [
    'curl: (6) Could not resolve host: registry.npmjs.org',
    'registry.npmjs.org was not reached',
    '--sandbox-host registry.npmjs.org ',
  ],
  [
    'npm error request to https://registry.npmjs.org/x failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org',
    'the network is off',
    '--sandbox-host registry.npmjs.org ',
  ],
  [
    "fatal: unable to access 'https://github.com/a/b.git/': Could not resolve host: github.com",
    'the network is off',
    '--sandbox-host github.com ',
  ],
  [
    'ssh: Could not resolve hostname github.com: Temporary failure in name resolution',
    'the network is off',
    '--sandbox-host github.com ',
  ],
  [
    'dial tcp: lookup proxy.golang.org on 1.1.1.1:53: no such host',
    'the network is off',
    '--sandbox-host proxy.golang.org ',
  ],
  ['connect: Network is unreachable', 'the network is off', '--sandbox-host '],
])('understands %s', (text, blocked, grant) => {
  const [remark, ...others] = remarks(`before\n${text}\nafter`);
  expect(remark).toMatch(/^sandbox: /);
  expect(remark).toContain(blocked);
  expect(remark).toContain(grant);
  expect(others).toEqual([]);
});

it.each([
  'cat: /etc/shadow: Permission denied',
  'bash: ./script.sh: Permission denied',
  "touch: cannot touch '/w/x': Read-only file system",
  'bash: /tmp/x: Read-only file system',
  'bash: /proc/sys/x: Read-only file system',
  'the words Read-only file system alone',
  'compiled ok',
])('says nothing about %s', (text) => {
  expect(remarks(text)).toEqual([]);
});

it('speaks of the network only where it is the sandbox, and of a command that failed', () => {
  const text = 'curl: (6) Could not resolve host: a.org';
  expect(remarks(text, { failed: false })).toEqual([]);
  expect(remarks(text, { plan: { ...report.plan, network: 'on' } })).toEqual([]);
  const allowing = { ...report.plan, network: { allow: ['b.org'] } };
  expect(remarks(text, { plan: allowing })[0]).toContain('only HTTP and HTTPS through the proxy');
  expect(remarks('', { plan: allowing, failed: false, blockedHosts: ['c.org'] })[0]).toContain(
    'c.org was blocked',
  );
});

it('offers each grant once', () => {
  const text = ['a', 'b'].map((name) => `cat: /home/u/.ssh/${name}: Permission denied`).join('\n');
  expect(remarks(text)).toEqual([expect.stringContaining('reading /home/u/.ssh/a is not allowed')]);
});

it('tells a sandbox that did not come about from a command that failed', () => {
  expect(remarks("bwrap: Can't mount proc: Operation not permitted\n")).toEqual([
    'sandbox: it could not be set up for this command, which did not run',
  ]);
});

it('stays short', () => {
  const text = Array.from(
    { length: 50 },
    (_, index) => `bash: /usr/${'x'.repeat(500)}${index}: Read-only file system`,
  ).join('\n');
  expect(remarks(text).join('').length).toBeLessThan(1500);
});
