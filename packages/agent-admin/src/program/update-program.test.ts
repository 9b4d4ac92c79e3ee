import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { acquireLock } from '@robota-sdk/agent-core';
import { type PackageRegistry, startPackageRegistry, temporaryDirectory } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedByNpm } from './fixtures/small-program.ts';
import { programPackage } from './installation.ts';
import { type UpdateRequest, type UpdateServices, updateProgram } from './update-program.ts';

let registry: PackageRegistry;
let prefix: string;
let command: string;
let asked: string[];

beforeEach(async () => {
  registry = await startPackageRegistry();
  prefix = await temporaryDirectory('robota-prefix');
  command = await installedByNpm(prefix, '0.1.0');
  asked = [];
});

afterEach(() => registry.close());

const latest: UpdateRequest = { kind: 'update' };

function publish(version: string, more: object = {}): void {
  registry.publish({ name: programPackage, version, tarball: Buffer.from(version), ...more });
}

/** Puts a package manager on the path: a script that records its words in `ran` and does as it is told. */
async function manager(name: string, does: string): Promise<void> {
  const ran = JSON.stringify(join(prefix, 'ran'));
  const manifest = JSON.stringify(join(prefix, 'lib/node_modules', programPackage, 'package.json'));
  const text = `#!/usr/bin/env node
const { writeFileSync } = require('node:fs');
const words = process.argv.slice(2);
writeFileSync(${ran}, JSON.stringify({ words, cwd: process.cwd(), env: process.env }));
if (words[0] === 'cache') process.exit(0);
const install = (version) => writeFileSync(${manifest}, JSON.stringify({ name: '${programPackage}', version }));
${does}
`;
  await mkdir(join(prefix, 'managers'), { recursive: true });
  await writeFile(join(prefix, 'managers', name), text, { mode: 0o755 });
}

const installs = "console.log('added 1 package'); install(words.at(-1).split('@').at(-1));";

async function ran(): Promise<{ words: string[]; cwd: string; env: Record<string, string> }> {
  return JSON.parse(await readFile(join(prefix, 'ran'), 'utf8'));
}

function update(request: UpdateRequest = latest, more: Partial<UpdateServices> = {}) {
  const PATH = [join(prefix, 'managers'), process.env.PATH].join(delimiter);
  return updateProgram(request, {
    program: { version: '0.1.0', file: command, isExecutable: false, command: [command] },
    host: { env: { PATH, npm_config_registry: registry.url, ANTHROPIC_API_KEY: 'secret' }, home: prefix },
    signal: new AbortController().signal,
    confirm: async (line) => {
      asked.push(line);
      return true;
    },
    ...more,
  });
}

describe('an update', () => {
  it('says what there is, asks, runs npm for the same prefix, and says how to go back', async () => {
    publish('0.2.0');
    await manager('npm', installs);
    const found = await update({ kind: 'check' });
    expect(found.text).toBe('Robota 0.2.0 is available; this is 0.1.0. Install it with: robota update');
    expect(found.data).toMatchObject({ current: '0.1.0', latest: '0.2.0', isNewer: true, changed: false });

    const updated = await update();
    expect(updated.text).toBe('Updated from 0.1.0 to 0.2.0. Return with: robota update --to 0.1.0');
    expect(updated.data).toMatchObject({ current: '0.2.0', former: '0.1.0', changed: true });
    const { words, cwd, env } = await ran();
    expect(words).toEqual(['install', '-g', '--prefix', prefix, `${programPackage}@0.2.0`]);
    expect(asked).toEqual([`npm ${words.join(' ')}`]);
    // A project's .npmrc must not choose where programs come from, and no key leaves.
    expect(cwd).toBe(prefix);
    expect(env).toMatchObject({ npm_config_registry: registry.url });
    expect(env).not.toHaveProperty('ANTHROPIC_API_KEY');
  });

  it('runs nothing without a yes, or if there is nothing newer', async () => {
    publish('0.2.0');
    expect(await update(latest, { confirm: async () => false })).toMatchObject({
      isOk: false,
      text: 'Nothing was changed.',
    });
    publish('0.0.9');
    expect((await update()).text).toBe(
      'Robota 0.1.0 is newer than the latest release, 0.0.9. Use --to 0.0.9 to go back to it.',
    );
    publish('0.1.0');
    expect((await update()).text).toBe('Robota 0.1.0 is up to date.');
    expect((await update({ kind: 'check' })).text).toBe('Robota 0.1.0 is up to date.');
    expect(existsSync(join(prefix, 'ran'))).toBe(false);
  });

  it('goes to an older version or a tag if it is named', async () => {
    publish('0.0.9');
    publish('0.3.0-beta.1', { tag: 'next' });
    await manager('npm', installs);
    expect((await update({ kind: 'update', to: 'v0.0.9' })).text).toBe(
      'Went back from 0.1.0 to 0.0.9. Return with: robota update --to 0.1.0',
    );
    expect((await update({ kind: 'update', to: 'next' })).text).toContain('to 0.3.0-beta.1.');
    await expect(update({ kind: 'update', to: '9.9.9' })).rejects.toThrow(
      `has no version 9.9.9 of ${programPackage}. The latest are: 0.0.9, 0.3.0-beta.1.`,
    );
  });

  it.each([
    ['process.exit(3)', 'failed with exit code 3. Robota 0.1.0 is still in use.'],
    ['', 'succeeded, but robota --version still prints 0.1.0. Robota 0.1.0 is still in use.'],
    [
      "install('0.1.5')",
      'still prints 0.1.5. Install the former version with: npm install -g --prefix $prefix @robota-sdk/agent-cli@0.1.0',
    ],
    [
      "require('node:fs').writeFileSync(process.env.npm_config_prefix + '/bin/robota', '#!/bin/sh\\nexit 4\\n'); process.exit(1)",
      'failed with exit code 1. Install the former version with: npm install -g',
    ],
  ])('that ends badly (%s) says what is in use now, and what to do', async (does, told) => {
    publish('0.2.0');
    await manager('npm', does);
    const PATH = [join(prefix, 'managers'), process.env.PATH].join(delimiter);
    const env = { PATH, npm_config_registry: registry.url, npm_config_prefix: prefix };
    await expect(update(latest, { host: { env, home: prefix } })).rejects.toThrow(
      told.replace('$prefix', prefix),
    );
  });

  it('says so if the package manager is missing', async () => {
    publish('0.2.0');
    const env = { PATH: join(prefix, 'managers'), npm_config_registry: registry.url };
    await expect(update(latest, { host: { env, home: prefix } })).rejects.toThrow(
      'failed with spawn npm ENOENT',
    );
  });

  it('is refused while a session is in use, and if Node is too old', async () => {
    publish('0.2.0');
    await manager('npm', installs);
    const session = join(prefix, '.robota/sessions/p/s');
    await mkdir(session, { recursive: true });
    const release = acquireLock(join(session, 'session.jsonl'));
    await expect(update()).rejects.toThrow('A session is in use by this process');
    expect((await update({ kind: 'check' })).text).toContain('0.2.0 is available');
    release();
    publish('0.6.0', { manifest: { engines: { node: '>=99.1' } } });
    await expect(update()).rejects.toThrow('Robota 0.6.0 needs Node 99.1 or newer');
    expect(existsSync(join(prefix, 'ran'))).toBe(false);
    expect((await update({ kind: 'update', to: '0.2.0' })).isOk).toBe(true);
  });
});

describe('other installations', () => {
  /** The package below another folder, as its package manager installs it. */
  async function installedIn(folder: string) {
    const root = join(prefix, folder);
    await mkdir(root, { recursive: true });
    await writeFile(join(root, 'package.json'), JSON.stringify({ name: programPackage, version: '0.1.0' }));
    await writeFile(join(root, 'bin.js'), '');
    return { version: '0.1.0', file: join(root, 'bin.js'), isExecutable: false, command: [command] };
  }

  it.each([
    ['pnpm/global/5/node_modules/@robota-sdk/agent-cli', 'pnpm add -g'],
    ['yarn/global/node_modules/@robota-sdk/agent-cli', 'yarn global add'],
    ['.bun/install/global/node_modules/@robota-sdk/agent-cli', 'bun add -g'],
    ['.volta/tools/image/packages/@robota-sdk/agent-cli', 'volta install'],
  ])('in %s are updated by their package manager', async (folder, line) => {
    publish('0.2.0');
    const [name = '', ...words] = line.split(' ');
    await manager(name, installs);
    expect(await update(latest, { program: await installedIn(folder) })).toMatchObject({ isOk: true });
    expect((await ran()).words).toEqual([...words, `${programPackage}@0.2.0`]);
  });

  it('run by npx or as one file are told what to type', async () => {
    const program = await installedIn('_npx/1/node_modules/@robota-sdk/agent-cli');
    const answer = await update(latest, { program });
    expect(answer).toMatchObject({ isOk: false });
    expect(answer.text).toContain('Update it with: npx @robota-sdk/agent-cli@latest');
    const single = await update(latest, { program: { ...program, isExecutable: true } });
    expect(single.text).toContain(`npm pack ${programPackage}-${process.platform}-${process.arch}@latest`);
    expect(registry.requests).toEqual([]);
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
