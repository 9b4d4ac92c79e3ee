import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RealWorkspace } from './fixtures/real-workspace.ts';

let place: RealWorkspace;
beforeAll(() => {
  place = new RealWorkspace();
  place.write('package.json', '{}\n');
  place.write('link/x', 'x\n');
  place.write('src/a.txt', 'x\n');
  place.write('deep/er/a.txt', 'x\n');
  place.git('init', '-q', '-b', 'main');
  place.git('add', '.');
  place.git('commit', '-qm', 'start');
  place.git('checkout', '-qb', 'plain');
  place.git('checkout', '-qb', 'evil');
  place.git('rm', '-rq', 'link', 'package.json');
  symlinkSync('../home', join(place.cwd, 'link'));
  symlinkSync('../home/x', join(place.cwd, 'package.json'));
  place.git('add', '.');
  place.git('commit', '-qm', 'links');
  place.git('tag', 'both', 'main');
  place.git('branch', 'both');
  place.git('checkout', '-q', 'main');
  symlinkSync('../src', join(place.cwd, 'deep/up'));
});
afterAll(() => place.remove());

const planters = [
  'git pull',
  'git merge x',
  'git stash pop',
  'git reset --hard x',
  'git submodule update',
  'git checkout -',
  'git -C . checkout plain',
  'git checkout --recurse-submodules plain',
  'git checkout evil',
  'git switch both',
  'git checkout -q evil',
  'tar xf x.tgz',
  'tar -xzf x.tgz',
  'unzip -q x.zip',
  '7z x a.7z',
  'patch -p1',
  'gh pr checkout 5',
  'svn up',
  'rsync -a sub/ .',
  'cp -r deep link',
  'cp -a deep/. link',
  'mv deep link',
  'timeout 60 git pull',
  'true && git pull',
  'git fetch origin plain:plain; git checkout plain',
  'npm ci; git pull',
  'docker cp c:/x link',
];
const allow = [
  'git',
  'tar',
  'unzip',
  '7z',
  'patch',
  'gh',
  'svn',
  'rsync',
  'cp',
  'mv',
  'timeout',
  'npm',
  'docker',
  'tee',
  'touch',
  'rm',
  'true',
  'sort',
  'mkdir',
  'sed',
].map((name) => `Bash(${name} *)`);
const uses = [
  'cat link/x',
  'cd link && ls',
  'cd link; cat x',
  'ls link',
  'head < link/x',
  'echo x > link/x',
  'echo x | tee link/x',
  'touch link/x',
  'rm link/x',
  'cp src/a.txt link/x',
  'mkdir -p link/y',
  "sed -i 's/x/y/' link/x",
  'timeout 5 cat link/x',
  'diff -r link src',
  'sort -o link/x src/a.txt',
];

describe('a path after a command that may bring links', () => {
  const judged = async (command: string) =>
    (await place.judge(command, { allow }, { mode: 'acceptEdits' })).verdict;

  it.each(planters)('needs a rule for the whole line after %s', async (planter) => {
    proves('E-39');
    for (const use of uses) {
      const line = `${planter} && ${use}`;
      expect([line, await judged(line)]).toEqual([line, 'ask']);
    }
  });

  it.each([
    'cat link/x & git pull',
    '{ sleep 1; cat link/x; } | git pull',
    '(sleep 1; cat link/x) |& git pull',
    'npm i && cat node_modules/x/y',
    'npm i && cat new.txt',
    'git clone a/b && cat b/c',
    'git clone a/b && cd b/c',
    'git checkout evil && cat package.json',
    'ln -s src here && cat here/x',
  ])('needs a rule for the whole line: %s', async (line) => {
    proves('E-39');
    const rules = { allow: [...allow, 'Bash(ln *)', 'Bash(sleep *)'] };
    const decision = await place.judge(line, rules);
    expect(decision.verdict).toBe('ask');
    expect((await place.judge(line, { allow: [...allow, `Bash(${line})`] })).verdict).toBe('allow');
  });

  it.each([
    'npm ci && npm test',
    'npm ci && cat package.json',
    'git pull && npm run build',
    'git checkout plain && cat package.json',
    'npm ci && cd src && ls',
    'git checkout -b new && cat package.json',
    'git switch -q plain && ls src',
    'git pull && ls',
    'git pull && ls -la .',
    'git pull && rm -rf dist && mkdir dist',
    'git pull && git log -3',
    'git stash list && cat link/x',
    'git reset HEAD~1 && cat package.json',
    'cat package.json && git pull',
    'git clone a/b && ls b',
    'tar tf x.tgz && cat package.json',
    'tar czf x.tgz src && ls src',
    'cp src/a.txt b.txt && cat b.txt',
    'cp -r src copy && cat copy/a.txt',
    'mv src/a.txt b.txt && cat b.txt',
    'git pull 2>&1 | tail -5',
    'git add . && git commit -m x && git push',
    'git pull && cat /dev/null',
    'git pull && echo x > /dev/null',
  ])('is covered in %s', async (line) => {
    proves('E-39');
    expect(await judged(line)).toBe('allow');
  });
});
