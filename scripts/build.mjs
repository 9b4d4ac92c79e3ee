// Builds every package with `tsc -b`, then bundles the command line into packages/agent-cli/dist/bin.js.
// `--clean` also drops the previous output first, as a release should.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as esbuild } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cli = join(root, 'packages/agent-cli');
const chunks = join(cli, 'dist/chunks');
const dayInMilliseconds = 24 * 60 * 60 * 1000;
const requireShim =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

if (process.argv.includes('--clean')) removeOutput();
compile();
await bundle();

function removeOutput() {
  for (const name of readdirSync(join(root, 'packages'))) {
    rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true });
  }
}

function compile() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-b'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

async function bundle() {
  const entry = join(cli, 'src/bin.ts');
  if (!existsSync(entry)) return;
  const result = await esbuild({
    entryPoints: { bin: entry },
    outdir: join(cli, 'dist'),
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['@robota-sdk/source'],
    // UMD files, which some packages name as their main one, hide their parts from the bundler.
    mainFields: ['module', 'main'],
    external: ['@vscode/ripgrep'],
    // CommonJS dependencies inside an ES module bundle still call `require` for Node's own modules.
    banner: { js: requireShim },
    minifySyntax: true,
    minifyWhitespace: true,
    keepNames: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    absWorkingDir: root,
  });
  chmodSync(join(cli, 'dist/bin.js'), 0o755);
  removeOldChunks(Object.keys(result.metafile.outputs).map((path) => join(root, path)));
}

/** A running agent may still load chunks of the build it was started from, so only those of past days go. */
function removeOldChunks(/** @type {string[]} */ current) {
  if (!existsSync(chunks)) return;
  const oldest = Date.now() - dayInMilliseconds;
  for (const name of readdirSync(chunks)) {
    const path = join(chunks, name);
    if (!current.includes(path) && statSync(path).mtimeMs < oldest) rmSync(path);
  }
}
