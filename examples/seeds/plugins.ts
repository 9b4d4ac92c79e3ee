// A bundle plugin: read from a folder, installed after a yes, listed.
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  BundleInstaller,
  BundleLoader,
  type IBundlePlugin,
  MarketplaceClient,
} from '@robota-sdk/agent-sdk/compat';

const cwd = process.cwd();
const host = { home: homedir(), env: process.env };
const folder = join(cwd, 'greeter');
await mkdir(join(folder, '.claude-plugin'), { recursive: true });
const manifest = { name: 'greeter', version: '1.0.0', description: 'Greets', keywords: ['hello'] };
await writeFile(join(folder, '.claude-plugin/plugin.json'), JSON.stringify(manifest));

const plugin: IBundlePlugin = await new BundleLoader().load(folder);
console.log(plugin.manifest.name, plugin.manifest.version);

const installer = new BundleInstaller({ scope: 'user', cwd, host });
await installer.install({ source: { kind: 'local', path: folder }, confirm: async () => true });
console.log((await installer.list()).length);

const marketplaces = new MarketplaceClient({ cwd, host });
console.log((await marketplaces.list()).length);
