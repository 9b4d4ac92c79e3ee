import { text, variants } from '@robota-sdk/agent-core';

/** The origin of a plugin or a marketplace. */
export type PluginSource =
  | { readonly kind: 'local'; readonly path: string }
  /** A folder of the marketplace that lists it. */
  | { readonly kind: 'inside'; readonly path: string }
  | {
      readonly kind: 'git';
      readonly url: string;
      /** A branch or tag. */
      readonly ref?: string;
      /** The commit it must be. */
      readonly sha?: string;
      /** The folder of the repository. */
      readonly path?: string;
    }
  | { readonly kind: 'archive'; readonly url: string; readonly sha256?: string; readonly path?: string }
  /** A marketplace that consists only of its manifest. */
  | { readonly kind: 'manifest'; readonly url: string }
  | {
      readonly kind: 'npm';
      readonly package: string;
      readonly version?: string;
      readonly registry: string;
    };

/** The shape of a source that a program gives. */
export const pluginSource = variants('kind', {
  local: [{ path: text }],
  inside: [{ path: text }],
  git: [{ url: text }, { ref: text, sha: text, path: text }],
  archive: [{ url: text }, { sha256: text, path: text }],
  manifest: [{ url: text }],
  npm: [{ package: text, registry: text }, { version: text }],
});

/** Describes a source, without a password in its URL. */
export function describeSource(source: PluginSource): string {
  switch (source.kind) {
    case 'local':
    case 'inside':
      return source.path;
    case 'npm':
      return `npm package ${source.package}${source.version === undefined ? '' : ` ${source.version}`}`;
    case 'git': {
      const at = source.sha?.slice(0, 12) ?? source.ref;
      const folder = source.path === undefined ? '' : `, folder ${source.path}`;
      return `${withoutPassword(source.url)}${at === undefined ? '' : ` (${at})`}${folder}`;
    }
    default:
      return withoutPassword(source.url);
  }
}

function withoutPassword(url: string): string {
  return url.replace(/^([a-z+]+:\/\/)[^/@:]*:[^/@]*@/i, '$1');
}
