import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { ResourceKind } from '@robota-sdk/agent-config';
import type { IBundlePlugin } from './bundle-plugin.ts';

const patterns: Readonly<Record<ResourceKind, RegExp>> = {
  skills: /(?:^|[\\/])SKILL\.md$/,
  commands: /\.md$/,
  agents: /\.md$/,
  extensions: /\.[cm]?[jt]s$/,
  themes: /\.json$/,
};

/** More files of a kind than anybody would read. */
const maximum = 2000;

/** The files of a plugin of one kind. */
export async function bundleTexts({ folders }: IBundlePlugin, kind: ResourceKind): Promise<string[]> {
  const found = await Promise.all(
    (folders[kind] ?? []).map(async ({ path, only }) => {
      const isListed = (name: string) =>
        only?.some((one) => name === one || name.startsWith(`${one}${sep}`)) ?? true;
      const names = await readdir(path, { recursive: true }).catch(() => []);
      return names
        .filter((name) => patterns[kind].test(name) && isListed(name))
        .sort()
        .map((name) => join(path, name));
    }),
  );
  return found.flat().slice(0, maximum);
}
