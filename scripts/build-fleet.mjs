// Bundles the commands of agent-fleet: loaded as hundreds of files, what they need of our packages would take longer than
// their work. The engine, workers and all that runs beside them stay files of their own.
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build as esbuild } from 'esbuild';
import { straightImports } from './straight-imports.mjs';
import { thirdPartyNotices } from './third-party-notices.mjs';

/** Folders of the package that the commands share with the bundle. */
const bundled = ['client', 'commands', 'contract', 'database', 'hook', 'task'];

export async function bundleFleet(/** @type {string} */ root) {
  const fleet = join(root, 'packages/agent-fleet');
  const outdir = join(fleet, 'dist/bundle');
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await esbuild({
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    conditions: ['@robota-sdk/source'],
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    absWorkingDir: root,
    entryPoints: [join(fleet, 'src/command-line.ts')],
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
    mainFields: ['module', 'main'],
    alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
    external: ['@dbos-inc/dbos-sdk', '@electric-sql/pglite', 'pg', 'croner'],
    plugins: [engineStaysOutside(fleet, outdir), straightImports(root)],
  });
  writeFileSync(join(outdir, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices([metafile], root));
}

/**
 * @param {string} fleet
 * @param {string} outdir
 * @returns {import('esbuild').Plugin}
 */
function engineStaysOutside(fleet, outdir) {
  const source = join(fleet, 'src');
  return {
    name: 'engine-stays-outside',
    setup: (build) => {
      build.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, importer }) => {
        if (!importer.startsWith(source)) return undefined;
        const file = relative(source, resolve(dirname(importer), path));
        if (!file.includes('/') || bundled.includes(file.split('/')[0] ?? '')) return undefined;
        const target = join(fleet, 'dist', file.replace(/\.ts$/, '.js'));
        return { path: relative(outdir, target), external: true };
      });
    },
  };
}
