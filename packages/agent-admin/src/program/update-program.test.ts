import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PackageRegistry, startPackageRegistry, temporaryDirectory } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MadeEntry, tarOf } from '../../../agent-resources/src/plugins/fixtures/make-archive.ts';
import { installedByNpm, packed, smallProgram } from './fixtures/small-program.ts';
import { programPackage } from './installation.ts';
import { type UpdateRequest, type UpdateServices, updateProgram } from './update-program.ts';

let registry: PackageRegistry;
let prefix: string;
let command: string;
let said: string[];

beforeEach(async () => {
  registry = await startPackageRegistry();
  prefix = await temporaryDirectory('robota-prefix');
  command = await installedByNpm(prefix, '0.1.0');
  said = [];
});

afterEach(() => registry.close());

const latest: UpdateRequest = { kind: 'update' };

function publish(version: string, tarball = packed(version), more: object = {}): void {
  registry.publish({ name: programPackage, version, tarball, ...more });
}

function update(request: UpdateRequest = latest, more: Partial<UpdateServices> = {}) {
  return updateProgram(request, {
    program: {
      version: '0.1.0',
      file: command,
      isExecutable: false,
      command: [process.execPath, command],
    },
    env: { PATH: process.env.PATH, npm_config_registry: registry.url },
    home: prefix,
    signal: new AbortController().signal,
    say: (text) => void said.push(text),
    ...more,
  });
}

/** The version that a user gets now. */
function version(): string {
  return execFileSync(process.execPath, [command, '--version'], { encoding: 'utf8' }).trim();
}

async function refused(request: UpdateRequest = latest, more: Partial<UpdateServices> = {}): Promise<string> {
  const thrown: unknown = await update(request, more).then(
    (answer) => answer.text,
    (error: unknown) => error,
  );
  expect(await readFile(command, 'utf8')).toBe(smallProgram('0.1.0'));
  if (!(thrown instanceof Error)) throw new Error(`not refused: ${String(thrown)}`);
  return thrown.message;
}

const versionsFolder = () => join(prefix, 'lib/node_modules', programPackage, 'versions');

describe('updating an installation of npm', () => {
  it('says what there is, installs it beside the old one, and returns to it', async () => {
    publish('0.2.0');
    const found = await update({ kind: 'check' });
    expect(found.text).toBe('Robota 0.2.0 is available; this is 0.1.0. Install it with: robota update');
    expect(found.data).toMatchObject({ current: '0.1.0', latest: '0.2.0', isNewer: true, changed: false });
    expect(version()).toBe('0.1.0');

    const updated = await update();
    expect(updated.text).toBe('Updated from 0.1.0 to 0.2.0. Return with: robota update --back');
    expect(version()).toBe('0.2.0');
    expect(execFileSync(join(prefix, 'bin/robota'), ['--version'], { encoding: 'utf8' })).toBe('0.2.0\n');
    expect(said).toEqual([
      `Downloading ${programPackage} 0.2.0`,
      'Unpacking it next to the current version',
      'Checking that Robota 0.2.0 works',
      'Switching to 0.2.0',
    ]);
    const manifest = join(prefix, 'lib/node_modules', programPackage, 'package.json');
    expect(JSON.parse(await readFile(manifest, 'utf8'))).toMatchObject({ version: '0.2.0' });
    expect((await update()).text).toBe('Robota 0.2.0 is up to date.');

    expect((await update({ kind: 'back' })).text).toContain('Went back from 0.2.0 to 0.1.0.');
    expect(version()).toBe('0.1.0');
    expect((await update({ kind: 'back' })).text).toContain('Updated from 0.1.0 to 0.2.0.');
    expect(version()).toBe('0.2.0');
  });

  it('shows the version and the manual page of the one in use, also after an update that was killed', async () => {
    const page = (text: string) => [{ name: 'package/dist/robota.1', text }];
    publish('0.2.0', packed('0.2.0', undefined, page('new')));
    const root = join(prefix, 'lib/node_modules', programPackage);
    const [manifest, manual] = [join(root, 'package.json'), join(root, 'dist/robota.1')];
    await writeFile(manual, 'old');
    const before = await readFile(manifest, 'utf8');
    await update();
    expect(await readFile(manual, 'utf8')).toBe('new');
    // As an update leaves them that ends right after its switch.
    await writeFile(manual, 'old');
    await writeFile(manifest, before);
    expect((await update()).text).toBe('Robota 0.2.0 is up to date.');
    expect(await readFile(manual, 'utf8')).toBe('new');
    expect(JSON.parse(await readFile(manifest, 'utf8'))).toMatchObject({ version: '0.2.0' });
    await update({ kind: 'back' });
    expect(await readFile(manual, 'utf8')).toBe('old');
  });

  it('keeps the current and the former version, and what it downloaded once', async () => {
    for (const one of ['0.2.0', '0.3.0', '0.4.0']) {
      publish(one);
      await update();
    }
    expect(version()).toBe('0.4.0');
    await update({ kind: 'update', to: '0.3.0' });
    expect(version()).toBe('0.3.0');
    expect(registry.requests.filter((one) => one.includes('0.3.0.tgz'))).toHaveLength(1);
    expect((await readdir(versionsFolder())).sort()).toEqual(['0.3.0', '0.4.0']);
    await update({ kind: 'update', to: '0.1.0' }).catch(() => {});
    expect(version()).toBe('0.3.0');
  });

  it('goes to an older version only if it is named', async () => {
    publish('0.0.9');
    const { text, data } = await update();
    expect(text).toBe(
      'Robota 0.1.0 is newer than the latest release, 0.0.9. Use --to 0.0.9 to go back to it.',
    );
    expect(data.changed).toBe(false);
    expect((await update({ kind: 'check' })).text).toBe(text);
    expect(version()).toBe('0.1.0');
    await update({ kind: 'update', to: 'v0.0.9' });
    expect(version()).toBe('0.0.9');
  });

  it('takes the version of a tag, and names the latest ones for an unknown one', async () => {
    publish('0.2.0');
    publish('0.3.0-beta.1', packed('0.3.0-beta.1'), { tag: 'next' });
    expect(await refused({ kind: 'update', to: '9.9.9' })).toBe(
      `The registry has no version 9.9.9 of ${programPackage}. The latest are: 0.2.0, 0.3.0-beta.1.`,
    );
    await update({ kind: 'update', to: 'next' });
    expect(version()).toBe('0.3.0-beta.1');
  });

  it('leads back to a version that is installed but gone from the registry', async () => {
    publish('0.2.0');
    await update();
    for (const to of ['0.1.0', 'v0.1.0'])
      await expect(update({ kind: 'update', to })).rejects.toThrow(
        'The registry has no version 0.1.0, but it is still installed. Switch to it with: robota update --back',
      );
    expect(version()).toBe('0.2.0');
  });

  it('has no way back before the first update', async () => {
    expect(await refused({ kind: 'back' })).toContain('No previous version to go back to.');
  });
});

describe('a registry that is broken or hostile', () => {
  it('is refused if the archive has another sum, is cut off, or has no sum', async () => {
    publish('0.2.0', packed('0.2.0'), { integrity: `sha512-${'A'.repeat(86)}==` });
    expect(await refused()).toContain('its SHA-512 differs. Nothing of it was used.');
    publish('0.3.0', packed('0.3.0').subarray(0, 300), { integrity: sumOfWhole('0.3.0') });
    expect(await refused()).toContain('its SHA-512 differs');
    publish('0.4.0', packed('0.4.0'), { integrity: 'sha1-abc=' });
    expect(await refused()).toContain('has no archive with a SHA-512 sum');
    expect(await readdir(versionsFolder())).toEqual([]);
  });

  it('is named if it answers with an error, not with JSON, or not at all', async () => {
    expect(await refused()).toBe(`The registry ${registry.url} has no package ${programPackage}.`);
    publish('0.2.0');
    registry.answer('.tgz', (_, response) => response.writeHead(500).end());
    expect(await refused()).toContain('answered with status 500');
    registry.answer('.tgz', (_, response) => void response.writeHead(200).write('x'));
    expect(await refused(latest, { idleMs: 50 })).toContain('no data arrived for 0.05 s');
    registry.answer('.tgz', (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('x');
      response.destroy();
    });
    expect(await refused()).toContain('could not be downloaded');
    registry.answer(programPackage, (_, response) => response.end('<html>'));
    expect(await refused()).toContain('did not answer with JSON');
    const env = { PATH: process.env.PATH, npm_config_registry: 'http://registry.example' };
    expect(await refused(latest, { env })).toContain('plain http can be tampered with');
  });

  it.each<[string, readonly MadeEntry[], string]>([
    ['a path out of the archive', [{ name: 'package/../../evil', text: 'x' }], 'leads out of the archive'],
    ['an absolute path', [{ name: '/tmp/evil', text: 'x' }], 'is an absolute path'],
    [
      'a link out of it',
      [{ name: 'package/l', type: '2', target: '../../../etc/passwd' }],
      'leads out of it',
    ],
    ['a hard link', [{ name: 'package/h', type: '1', target: 'package/dist/bin.js' }], 'is a hard link'],
    ['a second folder', [{ name: 'other/file', text: 'x' }], 'has more than one folder'],
  ])('cannot bring an archive with %s', async (_, more, why) => {
    publish('0.2.0', packed('0.2.0', smallProgram('0.2.0'), more));
    expect(await refused()).toContain(why);
    expect(await readdir(versionsFolder())).toEqual([]);
  });

  it('cannot bring another package, another version, a missing command, or dependencies', async () => {
    const other = (fields: object) => tarOf([{ name: 'package/package.json', text: JSON.stringify(fields) }]);
    publish('0.2.0', packed('0.2.1'));
    expect(await refused()).toContain(`its archive holds ${programPackage} 0.2.1`);
    publish('0.3.0', other({ name: 'evil', version: '0.3.0' }));
    expect(await refused()).toContain('its archive holds evil 0.3.0');
    publish('0.4.0', other({ name: programPackage, version: '0.4.0', bin: { robota: '../../x.js' } }));
    expect(await refused()).toContain('has no file for the command robota');
    publish('0.5.0', packed('0.5.0'), { manifest: { dependencies: { evil: '1.0.0' } } });
    expect(await refused()).toContain('needs other packages, which robota update does not install');
    publish('0.6.0', packed('0.6.0'), { manifest: { engines: { node: '>=99.1' } } });
    expect(await refused()).toContain('Robota 0.6.0 needs Node 99.1 or newer');
    publish('../0.7.0', packed('../0.7.0'));
    expect(await refused()).toContain('is not a version');
    // Nothing of it reaches the terminal.
    expect(await refused({ kind: 'check' })).toContain('names no latest version of Robota');
    publish('\u001b[2J0.8.0', packed('0.8.0'));
    const unknown = await refused({ kind: 'update', to: '0.9.0' });
    expect(unknown).toContain('The latest are: 0.2.0, 0.3.0, 0.4.0, 0.5.0, 0.6.0.');
  });

  it('runs no scripts of a package, and sends its key nowhere else', async () => {
    const other = await startPackageRegistry();
    other.publish({ name: programPackage, version: '0.2.0', tarball: packed('0.2.0') });
    publish(
      '0.2.0',
      packed('0.2.0', `require('fs').writeFileSync(${JSON.stringify(join(prefix, 'ran'))}, '')`),
    );
    registry.answer('.tgz', (_, response) =>
      response.writeHead(302, { location: `${other.url}/${programPackage}/-/agent-cli-0.2.0.tgz` }).end(),
    );
    const { host } = new URL(registry.url);
    await writeFile(join(prefix, '.npmrc'), `registry=${registry.url}\n//${host}/:_authToken=\${TOKEN}\n`);
    expect(await refused(latest, { env: { PATH: process.env.PATH, TOKEN: 'secret' } })).toContain(
      'SHA-512 differs',
    );
    expect(new Set(registry.authorizations)).toEqual(new Set(['Bearer secret']));
    expect(other.authorizations).toEqual([undefined]);
    await expect(readFile(join(prefix, 'ran'))).rejects.toThrow('ENOENT');
    await other.close();
  });
});

describe('a version that does not work', () => {
  it.each([
    ['does not start', 'process.exit(3)', '--version failed with exit code 3.'],
    ['is killed', 'process.kill(process.pid, 9)', '--version could not be started or was killed.'],
    ['says another version', smallProgram('0.1.9'), '--version printed "0.1.9".'],
    [
      'finds no sessions',
      smallProgram('0.2.0').replace('[{"id":"one"}]', '[]'),
      'opening a stored session printed "[]".',
    ],
    [
      'cannot run a turn',
      smallProgram('0.2.0').replace("'health check'", "''"),
      'a turn with the offline model printed nothing.',
    ],
  ])('is not used if it %s', async (_, program, why) => {
    publish('0.2.0', packed('0.2.0', program));
    const text = await refused();
    expect(text).toContain('Robota 0.2.0 does not work: ');
    expect(text).toContain(why);
    expect(text).toContain('The current version stays in use.');
    expect(await readdir(versionsFolder())).toEqual([]);
  });
});

describe('an update while Robota runs', () => {
  it('is refused before anything is downloaded, with the processes and what to do', async () => {
    publish('0.2.0');
    const child = spawn(process.execPath, [command, 'wait'], { stdio: 'ignore' });
    const fleet = spawn(process.execPath, [command, 'wait', 'fleet', 'start'], { stdio: 'ignore' });
    await Promise.all([once(child, 'spawn'), once(fleet, 'spawn')]);
    expect((await update({ kind: 'check' })).text).toContain('0.2.0 is available');
    const text = await refused();
    expect(text).toContain(`process ${child.pid} (wait)`);
    expect(text).toContain('Let the fleet finish with: robota fleet drain.');
    expect(registry.requests).toHaveLength(1);
    const ended = [once(child, 'exit'), once(fleet, 'exit')];
    child.kill('SIGKILL');
    fleet.kill('SIGKILL');
    await Promise.all(ended);
    await update();
    expect(version()).toBe('0.2.0');
  });

  it('is refused if processes cannot be listed, or one starts before the switch', async () => {
    publish('0.2.0');
    expect(await refused(latest, { list: async () => undefined })).toContain('cannot be listed');
    let asked = 0;
    const late = { pid: 1, words: ['node', command], line: `node ${command}`, cwd: '/' };
    const list = async () => (asked++ === 0 ? [] : [late]);
    expect(await refused(latest, { list })).toContain('Robota is running: process 1.');
  });
});

describe('updating the single executable', () => {
  it('replaces the file, keeps the former one, and returns to it', async () => {
    const folder = join(prefix, 'own');
    await mkdir(folder);
    const file = join(folder, 'robota');
    await writeFile(file, smallProgram('0.1.0'), { mode: 0o755 });
    const name = `${programPackage}-${process.platform}-${process.arch}`;
    const bin: MadeEntry = { name: 'package/bin/robota', text: smallProgram('0.2.0'), mode: 0o755 };
    registry.publish({ name, version: '0.2.0', tarball: tarOf([bin]) });
    const own = (running: string) => ({
      program: { version: running, file, isExecutable: true, command: [file] },
    });
    await update(latest, own('0.1.0'));
    expect(execFileSync(file, ['--version'], { encoding: 'utf8' })).toBe('0.2.0\n');
    expect((await readdir(folder)).sort()).toEqual(['.robota-0.1.0.former', 'robota']);
    await update({ kind: 'back' }, own('0.2.0'));
    expect(execFileSync(file, ['--version'], { encoding: 'utf8' })).toBe('0.1.0\n');
    expect((await readdir(folder)).sort()).toEqual(['.robota-0.2.0.former', 'robota']);

    const broken = tarOf([{ ...bin, text: '#!/bin/sh\nexit 1\n' }]);
    registry.publish({ name, version: '0.3.0', tarball: broken });
    await expect(update(latest, own('0.1.0'))).rejects.toThrow('--version failed');
    expect((await readdir(folder)).sort()).toEqual(['.robota-0.2.0.former', 'robota']);
    registry.publish({ name, version: '0.4.0', tarball: tarOf([{ ...bin, name: 'package/robota' }]) });
    await expect(update(latest, own('0.1.0'))).rejects.toThrow('0.4.0 has no file bin/robota.');
    expect((await readdir(folder)).sort()).toEqual(['.robota-0.2.0.former', 'robota']);
    expect(execFileSync(file, ['--version'], { encoding: 'utf8' })).toBe('0.1.0\n');
  });

  it('returns to the version before the last update, however many there were', async () => {
    const folder = join(prefix, 'own');
    await mkdir(folder);
    const file = join(folder, 'robota');
    await writeFile(file, smallProgram('0.1.0'), { mode: 0o755 });
    const name = `${programPackage}-${process.platform}-${process.arch}`;
    const own = (running: string) => ({
      program: { version: running, file, isExecutable: true, command: [file] },
    });
    for (const [before, after] of [
      ['0.1.0', '0.2.0'],
      ['0.2.0', '0.3.0'],
      ['0.3.0', '0.4.0'],
    ] as const) {
      const bin: MadeEntry = { name: 'package/bin/robota', text: smallProgram(after), mode: 0o755 };
      registry.publish({ name, version: after, tarball: tarOf([bin]) });
      await update(latest, own(before));
      expect((await readdir(folder)).sort()).toEqual([`.robota-${before}.former`, 'robota']);
    }
    expect((await update({ kind: 'back' }, own('0.4.0'))).text).toContain('Went back from 0.4.0 to 0.3.0.');
    expect(execFileSync(file, ['--version'], { encoding: 'utf8' })).toBe('0.3.0\n');
    expect((await readdir(folder)).sort()).toEqual(['.robota-0.4.0.former', 'robota']);
  });

  it('leaves files of another executable alone, and takes no half-made copy for the former version', async () => {
    const folder = join(prefix, 'own');
    await mkdir(folder);
    const file = join(folder, 'robota');
    const others = ['.robota-dev-0.0.8.former', '.robota-dev-update.lock', '.robota-notes'];
    for (const name of ['robota', 'robota-dev', ...others])
      await writeFile(join(folder, name), smallProgram('0.1.0'), { mode: 0o755 });
    const halves = ['.robota-0.0.9.former.123', '.robota-0.2.0.next', '.robota-partial-123'];
    for (const name of halves) await writeFile(join(folder, name), '');
    const own = { program: { version: '0.1.0', file, isExecutable: true, command: [file] } };
    await expect(update({ kind: 'back' }, own)).rejects.toThrow('No previous version');
    expect((await readdir(folder)).sort()).toEqual([...others, 'robota', 'robota-dev']);
  });
});

describe('other installations', () => {
  it.each([
    ['_npx/1/node_modules/@robota-sdk/agent-cli', 'npx @robota-sdk/agent-cli@latest'],
    ['pnpm/global/5/node_modules/@robota-sdk/agent-cli', 'pnpm add -g @robota-sdk/agent-cli@latest'],
    ['.bun/install/global/node_modules/@robota-sdk/agent-cli', 'bun add -g @robota-sdk/agent-cli@latest'],
  ])('in %s are told what to type', async (folder, line) => {
    const root = join(prefix, folder);
    await mkdir(root, { recursive: true });
    await copyFile(
      join(prefix, 'lib/node_modules', programPackage, 'package.json'),
      join(root, 'package.json'),
    );
    await writeFile(join(root, 'bin.js'), '');
    const program = { version: '0.1.0', file: join(root, 'bin.js'), isExecutable: false, command: [] };
    const answer = await update(latest, { program });
    expect(answer.isOk).toBe(false);
    expect(answer.text).toContain(`Update it with: ${line}`);
    expect(registry.requests).toEqual([]);
  });

  it('of another user are not touched', async () => {
    if (process.getuid?.() === 0) return;
    const root = join(prefix, 'lib/node_modules', programPackage);
    await chmod(root, 0o555);
    expect(await refused()).toContain('cannot be written by this user');
    await chmod(root, 0o755);
  });

  it('that are a link into a clone are a clone, whose path can be pasted', async () => {
    const clone = join(prefix, "it's a clone");
    await mkdir(join(clone, 'packages/agent-cli/dist'), { recursive: true });
    await writeFile(join(clone, 'package.json'), '{"name":"robota-workspace"}');
    await writeFile(join(clone, 'packages/agent-cli/package.json'), `{"name":"${programPackage}"}`);
    await writeFile(join(clone, 'packages/agent-cli/dist/bin.js'), '');
    await symlink(join(clone, 'packages/agent-cli/dist/bin.js'), join(prefix, 'linked'));
    const program = { version: '0.1.0', file: join(prefix, 'linked'), isExecutable: false, command: [] };
    expect((await update(latest, { program })).text).toBe(
      `This Robota is run from the clone ${clone}. Update it with: cd '${clone.replace("'", "'\\''")}' && git pull && npm install && npm run build`,
    );
  });
});

function sumOfWhole(version: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `sha512-${createHash('sha512').update(packed(version)).digest('base64')}`;
}
