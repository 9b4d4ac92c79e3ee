// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines of bash.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RealWorkspace } from './fixtures/real-workspace.ts';

let place: RealWorkspace;

beforeEach(() => {
  place = new RealWorkspace();
  place.git('init', '-q', '-b', 'main');
  place.write('a.txt', 'x\n');
  place.write('v/lib/x.txt', 'x\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'one');
});

afterEach(() => place.remove());

const allow = ['git', 'curl', 'wget', 'tar', 'unzip', 'cp', 'npm', 'echo'].map((name) => `Bash(${name} *)`);

describe('lines with git', () => {
  it.each([
    'git checkout evil && git -C v/lib status',
    'git switch evil; git -C v/lib log',
    'git pull && git -C v/lib diff',
    'tar xf a.tar && git -C v/lib status',
    'unzip a.zip && git -C v/lib status',
    'cp -r x v/lib/ && git -C v/lib status',
    'npm i && git -C v/lib status',
    'echo x > v/lib/config && git -C v/lib status',
    'curl -o v/lib/config http://x/y && git -C v/lib status',
  ])('another command may complete the repository that git obeys: %s', async (command) => {
    proves('E-39', 'R-12');
    expect((await place.judge(command, { allow })).verdict).toBe('ask');
  });

  it('asks where a branch may hold the files of a repository in the directory below the top', async () => {
    proves('E-39');
    place.git('checkout', '-qb', 'evil');
    place.write('v/lib/HEAD', 'ref: refs/heads/main\n');
    place.write(
      'v/lib/config',
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "${place.bird}"\n`,
    );
    place.write('v/lib/objects/info/x', '');
    place.write('v/lib/refs/heads/x', '');
    place.git('add', '-A');
    place.git('commit', '-qm', 'evil');
    place.git('checkout', '-q', 'main');
    const line = 'git checkout -q evil && git status';
    expect(place.run(`cd v/lib && { ${line}; }`).hasCanary).toBe(true);
    place.git('checkout', '-q', 'main');
    const workspace = { cwd: join(place.cwd, 'v/lib'), additional: [place.cwd], home: place.home };
    const rules = { allow: ['Bash(git checkout *)', 'Bash(tar *)', 'Bash(cp *)', 'Bash(echo *)', 'Edit'] };
    for (const command of [
      line,
      'git status; git checkout -q evil; git log',
      'tar xf a.tar && git diff',
      'cp -r ../x/. . && git status',
      'echo x > config && git status',
      'echo "$(git checkout -q evil)" && git status',
    ])
      expect(await place.judge(command, rules, { workspace }), command).toMatchObject({ verdict: 'ask' });
    for (const command of ['git checkout -q main', 'git status && git log', 'echo x > out.txt && git status'])
      expect(await place.judge(command, rules, { workspace }), command).toMatchObject({ verdict: 'allow' });
  });

  it('asks at the top where something is unpacked or copied over the repository, not for a change of branch', async () => {
    proves('E-39');
    const rules = { allow: ['Bash(git checkout *)', 'Bash(tar *)', 'Bash(cp *)'] };
    for (const command of ['tar xf a.tar && git status', 'cp -r evil/. . && git log'])
      expect(await place.judge(command, rules), command).toMatchObject({ verdict: 'ask' });
    expect(await place.judge('git checkout main && git status', rules)).toMatchObject({ verdict: 'allow' });
  });

  it.each([
    'git -C v/lib status',
    'git -C v/lib add . && git -C v/lib commit -m x && git push origin main',
    'git add . && git -C v/lib log > /dev/null',
    'git checkout main && git status && git pull',
    'npm i && git status',
    'git push',
    'git push origin main',
    'git push -u origin HEAD',
    'git push "$REMOTE" x',
    'git push git@example.com:x/y main',
    'git push https://example.com/x main',
    'git clone https://example.com/x/lib.git',
    'git clone -b main https://example.com/x/lib.git lib',
    'git submodule add https://example.com/x/lib.git v/other',
    'curl -O http://x/file.tgz',
    'curl -fsSLO https://x/y/z.tar.gz?a=b',
    "curl -w '%{http_code}' -o /dev/null -s http://x",
    'curl http://x/.npmrc',
    'wget http://x/file.zip',
  ])('a wildcard still covers everyday work: %s', async (command) => {
    proves('R-12');
    const { verdict, reason } = await place.judge(command, { allow });
    expect(verdict, reason).toBe('allow');
  });

  it.each([
    'git push v main',
    'git push --force v',
    'X=v; git push $X main',
    'git push --repo=v',
    'git remote add o ./v && git push o',
    'git remote set-url origin ./v; git push origin',
    'git clone http://x/y o && git push o',
    'git send-pack v main',
    'git subtree push --prefix=v v main',
    'git submodule add ./x .git/hooks/y',
    'git submodule add ./x .git/hooks/y -b main',
    'git submodule add ./x/.husky',
    'git clone http://x/.husky',
    'git clone http://x/.claude.git/',
    'git clone http://x/y .vscode -b main',
    'git $X',
    'git "$X" x',
    'git lo*',
    'git --no-pager $X',
  ])('a wildcard does not cover what git would obey or write: %s', async (command) => {
    proves('E-39', 'R-12');
    expect((await place.judge(command, { allow })).verdict).toBe('ask');
  });

  it('a push to a remote that is a directory asks, unless the rule names it', async () => {
    proves('E-39', 'R-12');
    const config = join(place.cwd, '.git/config');
    writeFileSync(config, `${readFileSync(config, 'utf8')}[remote "near"]\n\turl = ./v\n`);
    for (const command of ['git push', 'git push near main'])
      expect((await place.judge(command, { allow })).verdict).toBe('ask');
    expect((await place.judge('git push near main', { allow: ['Bash(git push near *)'] })).verdict).toBe(
      'allow',
    );
  });

  it.each([
    'curl -O http://x/.npmrc',
    'curl -sO http://x/.envrc?a=b',
    'curl --remote-name-all http://x/y http://x/.npmrc',
    'curl -OJ http://x/y',
    'curl --remote-header-name -O http://x/y',
    'curl -O "http://x/$Y"',
    'curl -O http://x/{.npmrc,b}',
    "curl -o '#1' 'http://x/{.npmrc,b}'",
    "curl -w '%output{.npmrc}x' http://x",
    "curl --write-out '%output{>>.npmrc}x' http://x",
    "curl --variable '%TOKEN' --expand-url 'http://x/{{TOKEN}}'",
    'wget http://x/.npmrc',
    'wget --content-disposition http://x/y',
  ])('a download does not choose its name, nor take a variable: %s', async (command) => {
    proves('E-39', 'R-12');
    expect((await place.judge(command, { allow })).verdict).toBe('ask');
  });

  it('reading that continues in submodules of the history asks', async () => {
    proves('E-39', 'R-11');
    const config = join(place.cwd, '.git/config');
    const text = readFileSync(config, 'utf8');
    for (const [value, verdict] of [
      ['true', 'ask'],
      ['false', 'allow'],
    ]) {
      writeFileSync(config, `${text}[submodule]\n\trecurse = ${value}\n`);
      expect((await place.judge('git grep x HEAD')).verdict).toBe(verdict);
    }
  });

  it('an index is read entry by entry, whatever bits a mode carries and tables say', async () => {
    proves('E-39', 'R-11');
    const index = join(place.cwd, '.git/index');
    expect((await place.judge('git status')).verdict).toBe('allow');
    place.git(
      '-c',
      'index.threads=2',
      '-c',
      'index.recordOffsetTable=true',
      'update-index',
      '--force-write-index',
    );
    expect((await place.judge('git status')).verdict).toBe('allow');
    const whole = readFileSync(index);
    const table = Buffer.concat([
      Buffer.from('IEOT'),
      Buffer.from([0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0, 2]),
    ]);
    writeFileSync(index, Buffer.concat([whole.subarray(0, -20), table, whole.subarray(-20)]));
    expect((await place.judge('git status')).verdict).toBe('ask');
    // The entry of a.txt as another repository, with bits in its mode that git does not look at.
    const link = Buffer.from(whole);
    link.writeUInt32BE(0xe1ff, 12 + 24);
    writeFileSync(index, link);
    rmSync(join(place.cwd, 'a.txt'));
    place.write('a.txt/.git/HEAD', 'ref: refs/heads/main\n');
    place.write('a.txt/.git/config', `[core]\n\tfsmonitor = ${place.bird}\n`);
    expect((await place.judge('git status')).verdict).toBe('ask');
  });
});
