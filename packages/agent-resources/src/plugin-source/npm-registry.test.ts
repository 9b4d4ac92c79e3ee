import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PackageRegistry, startPackageRegistry, temporaryDirectory } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askRegistry, configuredRegistry, fetchRelease } from './npm-registry.ts';

const name = '@scope/tool';
const maxBytes = 1000;
let registry: PackageRegistry;

beforeEach(async () => {
  registry = await startPackageRegistry();
});

afterEach(() => registry.close());

function publish(version: string, more: object = {}): void {
  registry.publish({ name, version, tarball: Buffer.from(version), ...more });
}

async function fetched(wanted: string): Promise<string> {
  const offer = await askRegistry(name, { url: registry.url });
  return (await fetchRelease(offer.find(wanted), { url: registry.url }, { maxBytes })).toString();
}

describe('a registry of npm', () => {
  it('finds a version by its number or tag, and names the latest ones for an unknown one', async () => {
    publish('0.2.0', { manifest: { engines: { node: '>=20.19' } } });
    publish('0.3.0-beta.1', { tag: 'next' });
    const offer = await askRegistry(name, { url: registry.url });
    expect(offer.latest).toBe('0.2.0');
    expect(offer.find('v0.2.0')).toMatchObject({ version: '0.2.0', oldestNode: '20.19' });
    expect(await fetched('next')).toBe('0.3.0-beta.1');
    await expect(fetched('9.9.9')).rejects.toThrow(
      `The registry has no version 9.9.9 of ${name}. The latest are: 0.2.0, 0.3.0-beta.1.`,
    );
  });

  it('is refused if the archive has another sum, or no sum', async () => {
    publish('0.2.0', { integrity: `sha512-${'A'.repeat(86)}==` });
    await expect(fetched('0.2.0')).rejects.toThrow('its SHA-512 differs. Nothing of it was used.');
    publish('0.4.0', { integrity: 'sha1-abc=' });
    await expect(fetched('0.4.0')).rejects.toThrow('has no archive with a SHA-512 sum');
  });

  it('is named if it answers with an error, or not with JSON', async () => {
    await expect(fetched('latest')).rejects.toThrow(`The registry ${registry.url} has no package ${name}.`);
    publish('0.2.0');
    registry.answer('.tgz', (_, response) => response.writeHead(500).end());
    await expect(fetched('latest')).rejects.toThrow('answered with status 500');
    registry.answer(name, (_, response) => response.end('<html>'));
    await expect(fetched('latest')).rejects.toThrow('did not answer with JSON');
  });

  it('offers nothing under a name that is no version, and none of it reaches the terminal', async () => {
    publish('0.2.0');
    publish('../0.7.0');
    publish('\u001b[2J0.8.0');
    const offer = await askRegistry(name, { url: registry.url });
    expect(offer).toMatchObject({ latest: undefined, versions: ['0.2.0'] });
    await expect(fetched('latest')).rejects.toThrow('The latest are: 0.2.0.');
    await expect(fetched('../0.7.0')).rejects.toThrow('The registry has no version');
  });

  it('is taken from the configuration of npm, and its key is sent nowhere else', async () => {
    const home = await temporaryDirectory('robota-home');
    const other = await startPackageRegistry();
    other.publish({ name, version: '0.2.0', tarball: Buffer.from('0.2.0') });
    publish('0.2.0');
    registry.answer('.tgz', (_, response) =>
      response.writeHead(302, { location: `${other.url}/${name}/-/tool-0.2.0.tgz` }).end(),
    );
    const { host } = new URL(registry.url);
    await writeFile(join(home, '.npmrc'), `registry=${registry.url}\n//${host}/:_authToken=\${TOKEN}\n`);
    const configured = configuredRegistry(name, { env: { TOKEN: 'secret' }, home });
    const offer = await askRegistry(name, configured);
    expect((await fetchRelease(offer.find('latest'), configured, { maxBytes })).toString()).toBe('0.2.0');
    expect(new Set(registry.authorizations)).toEqual(new Set(['Bearer secret']));
    expect(other.authorizations).toEqual([undefined]);
    await other.close();
    const env = { npm_config_registry: 'http://registry.example' };
    expect(() => configuredRegistry(name, { env, home })).toThrow('plain http can be tampered with');
  });
});
