// Bundles the commands of agent-fleet and the program of an attempt: loaded as hundreds of files, what they need of our
// packages would take longer than their work. The engine, workers and all that runs beside them stay files of their own.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build as esbuild } from 'esbuild';
import { finishedChunk, writeWhole } from './finish-chunk.mjs';
import { joinChunks } from './join-chunks.mjs';
import { straightImports } from './straight-imports.mjs';
import { thirdPartyNotices } from './third-party-notices.mjs';

/** Programs, with the folders of the package that belong to their bundle, and what they load in any case. */
const programs = [
  {
    entry: 'command-line',
    bundled: ['client', 'commands', 'console', 'contract', 'database', 'hook', 'screen', 'task'],
    always: [],
  },
  {
    entry: 'attempt/attempt-main',
    bundled: ['attempt', 'contract', 'database', 'session-store', 'task'],
    always: [
      'packages/agent-fleet/src/attempt/attempt.ts',
      ...['createInteractiveSession', 'ownSessions'].map(
        (name) => `straight:@robota-sdk/agent-sdk/front-end:${name}`,
      ),
    ],
  },
];

export async function bundleFleet(/** @type {string} */ root) {
  const fleet = join(root, 'packages/agent-fleet');
  const outdir = join(fleet, 'dist/bundle');
  rmSync(outdir, { recursive: true, force: true });
  const metafiles = [];
  mkdirSync(outdir, { recursive: true });
  for (const { entry, bundled, always } of programs)
    metafiles.push(
      await bundleProgram(root, {
        entry: join(fleet, `src/${entry}.ts`),
        always: always.map((name) => join(root, name)),
        outdir,
        plugin: engineStaysOutside(fleet, { outdir, bundled }),
      }),
    );
  const notices = thirdPartyNotices('@robota-sdk/agent-fleet', metafiles, root);
  writeFileSync(join(fleet, 'dist/THIRD-PARTY-NOTICES.txt'), notices);
}

/**
 * @param {string} root
 * @param {{ entry: string, always: readonly string[], outdir: string, plugin: import('esbuild').Plugin }} program
 */
async function bundleProgram(root, { entry, always, outdir, plugin }) {
  const built = await esbuild({
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    conditions: ['@robota-sdk/source'],
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    absWorkingDir: root,
    entryPoints: [entry],
    entryNames: '[name]',
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
    mainFields: ['module', 'main'],
    alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
    external: ['@dbos-inc/dbos-sdk', '@electric-sql/pglite', 'pg', 'croner'],
    plugins: [plugin, straightImports(root)],
    write: false,
  });
  const main = basename(entry, '.ts');
  const { files } = await joinChunks(built, {
    root,
    folder: outdir,
    // The program itself keeps its name.
    groups: (reached) => {
      const chunks = new Set([entry, ...always].flatMap((source) => [...reached(source)]));
      chunks.delete(join(outdir, `${main}.mjs`));
      return { [`start-${main}`]: [...chunks] };
    },
  });
  for (const [path, text] of files) writeWhole(path, finishedChunk(text));
  return built.metafile;
}

/**
 * @param {string} fleet
 * @param {{ outdir: string, bundled: readonly string[] }} bundle
 * @returns {import('esbuild').Plugin}
 */
function engineStaysOutside(fleet, { outdir, bundled }) {
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
