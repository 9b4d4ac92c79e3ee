// Builds every package with `tsc -b`, then bundles the command line into packages/agent-cli/dist/bin.js.
// `--clean` also drops the previous output first, as a release should.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build as esbuild, transform } from 'esbuild';
import { bundleFleet } from './build-fleet.mjs';
import { buildPage } from './build-page.mjs';
import { bundleTypes } from './bundle-types.mjs';
import { exportsOfFunction, functionFile } from './chunks/function-of-chunk.mjs';
import { compressedTexts } from './compressed-texts.mjs';
import { finishedChunk, finishedFunction, writeWhole } from './finish-chunk.mjs';
import { joinChunks } from './join-chunks.mjs';
import { straightImports } from './straight-imports.mjs';
import { dependencyNotices, thirdPartyNotices } from './third-party-notices.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cli = join(root, 'packages/agent-cli');
const chunks = join(cli, 'dist/chunks');
const dayInMilliseconds = 24 * 60 * 60 * 1000;
/** Modules that the launcher loads on demand, and the library. */
const lazyEntries = ['run-command-line', 'index'];
/** Entry points of processes and threads, found by name. */
const workers = [
  'agent-plugin-wasm/src/worker/plugin-worker.ts',
  'agent-plugin-wasm/src/worker/transpile-worker.ts',
  'agent-tools/src/web-fetch/html-worker.ts',
].map((file) => join(root, 'packages', file));
const chunksStayOutside = {
  name: 'chunks-stay-outside',
  setup(/** @type {import('esbuild').PluginBuild} */ build) {
    build.onResolve({ filter: /^\.\/run-command-line\.ts$/ }, ({ path }) => ({
      path: path.replace('./', './chunks/').replace('.ts', '.js'),
      external: true,
    }));
  },
};
/** Options of every bundle. */
const common = {
  bundle: true,
  platform: /** @type {const} */ ('node'),
  target: 'node20.19',
  conditions: ['@robota-sdk/source'],
  minify: true,
  // Notices are shipped in a file of their own.
  legalComments: /** @type {const} */ ('none'),
  metafile: /** @type {const} */ (true),
  logLevel: /** @type {const} */ ('warning'),
  absWorkingDir: root,
};
/** Puts the finished help into the launcher: it is asked for all day, and the option table takes a while to make. */
const finishedHelp = {
  name: 'finished-help',
  setup(/** @type {import('esbuild').PluginBuild} */ build) {
    build.onLoad({ filter: /\/arguments\/help\.ts$/ }, async ({ path }) => {
      const { helpPage } = await import(pathToFileURL(join(cli, 'dist/lib/arguments/help.js')).href);
      const contents = `import { programName } from './program-name.ts';
const parts = ${JSON.stringify(partsOf(helpPage('robota'), helpPage('npm start --')))};
export const helpText = () =>
  parts.map((part) => typeof part === 'string' ? part : part[programName() === 'robota' ? 0 : 1]).join('\\n');`;
      return { contents, loader: 'ts', resolveDir: dirname(path) };
    });
  },
};
/** Two texts by lines, with pairs where they differ. */
function partsOf(/** @type {string} */ one, /** @type {string} */ other) {
  const others = other.split('\n');
  /** @type {(string | [string, string])[]} */
  const parts = [];
  for (const [index, line] of one.split('\n').entries()) {
    const last = parts.at(-1);
    if (line !== others[index]) parts.push([line, others[index] ?? '']);
    else if (typeof last === 'string') parts[parts.length - 1] = `${last}\n${line}`;
    else parts.push(line);
  }
  return parts;
}
/**
 * Validators of schemas in the MCP library, larger than the rest of it: its client and server are both given one of
 * ours instead.
 */
const ownValidator = {
  name: 'own-validator',
  setup(/** @type {import('esbuild').PluginBuild} */ build) {
    // Our servers are of the low level; the other kind would be bundled only to be told apart from them.
    build.onLoad({ filter: /@modelcontextprotocol\/server\/dist\/stdio\.mjs$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const kinds = 'product instanceof McpServer ? product.server : product';
      if (!text.includes(kinds)) throw new Error(`${path} no longer tells servers apart: see this plugin.`);
      return { contents: text.replace(kinds, 'product'), loader: 'js' };
    });
    const filter = /^@modelcontextprotocol\/(?:client|server)\/_shims$/;
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'own-validator' }));
    build.onLoad({ filter: /.*/, namespace: 'own-validator' }, () => ({
      contents: `export { default as process } from 'node:process';
export const CORS_IS_POSSIBLE = false;
export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error('Pass a jsonSchemaValidator.'); }
}`,
    }));
  },
};
/** Takes only what the file names that loads a large library on demand: of what is loaded so, a bundler keeps all. */
const namedParts = {
  name: 'named-parts',
  setup(/** @type {import('esbuild').PluginBuild} */ build) {
    build.onResolve({ filter: /^(?:jose|yaml)$/ }, async ({ path, kind, importer }) => {
      if (kind !== 'dynamic-import') return undefined;
      const words = new Set(readFileSync(importer, 'utf8').match(/\w+/g));
      const names = Object.keys(await import(path)).filter((name) => name !== 'default' && words.has(name));
      return { path: `${names.join(',')}/${path}`, namespace: 'named-parts' };
    });
    build.onLoad({ filter: /.*/, namespace: 'named-parts' }, ({ path }) => {
      const [names, library] = path.split('/');
      return { contents: `export { ${names} } from '${library}';`, resolveDir: root };
    });
  },
};
/** Pages become Markdown without selectors, which would be most of the worker. */
const noSelectors = {
  name: 'no-selectors',
  setup(/** @type {import('esbuild').PluginBuild} */ build) {
    build.onResolve({ filter: /^css-select$/ }, ({ path }) => ({ path, namespace: 'no-selectors' }));
    build.onLoad({ filter: /.*/, namespace: 'no-selectors' }, () => ({
      contents: "exports.selectAll = exports.selectOne = () => { throw new Error('No selectors here.'); };",
    }));
  },
};

if (process.argv.includes('--clean')) removeOutput();
await buildPage();
compile();
writeNotices();
await bundle();
await bundleFleet(root);

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

/** Packages without a bundle; the others write their own. */
function writeNotices() {
  for (const name of readdirSync(join(root, 'packages'))) {
    const file = join(root, 'packages', name, 'package.json');
    if (!existsSync(file) || name === 'agent-cli' || name === 'agent-fleet') continue;
    const notices = dependencyNotices(JSON.parse(readFileSync(file, 'utf8')), root);
    writeWhole(join(root, 'packages', name, 'dist/THIRD-PARTY-NOTICES.txt'), notices);
  }
}

async function bundle() {
  const result = await esbuild({
    ...common,
    entryPoints: lazyEntries.map((name) => join(cli, 'src', `${name}.ts`)),
    outdir: chunks,
    chunkNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
    // UMD files, which some packages name as their main one, hide their parts from the bundler.
    mainFields: ['module', 'main'],
    // Loaded on demand, a CommonJS file would give nothing but its default export.
    alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
    // An optional package with files of its own: it is found when it is used.
    external: ['@vscode/ripgrep', '@robota-sdk/agent-fleet/*'],
    plugins: [ownValidator, namedParts, compressedTexts, straightImports(root)],
    write: false,
  });
  const { files, relocate } = await joinChunks(result, { root, folder: chunks, groups });
  const fileLoader = await loaderOfFiles();
  for (const [path, text] of files) files.set(path, functionFile(finishedFunction(text), basename(path)));
  for (const [name, text] of libraryFiles(files.get(join(chunks, 'index.js')) ?? '', fileLoader))
    files.set(join(chunks, name), text);
  // Apart from the rest, of which a worker needs nothing.
  const apart = await esbuild({
    ...common,
    entryPoints: workers,
    entryNames: '[name]',
    outdir: chunks,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    plugins: [noSelectors, compressedTexts],
    write: false,
  });
  for (const { path, text } of apart.outputFiles) files.set(path, finishedChunk(text));
  mkdirSync(chunks, { recursive: true });
  for (const [path, text] of files) writeWhole(path, text);
  // CommonJS starts faster than an ES module; the folder says so of its `.js` files, `lib` the opposite.
  writeWhole(join(cli, 'dist/package.json'), '{ "type": "commonjs" }\n');
  writeWhole(join(cli, 'dist/lib/package.json'), '{ "type": "module" }\n');
  bundleTypes({ root, entry: join(cli, 'dist/lib/index.d.ts'), outdir: join(cli, 'dist/types') });
  writeWhole(join(cli, 'dist/types/package.json'), '{ "type": "module" }\n');
  const launcher = await esbuild({
    ...common,
    entryPoints: [join(cli, 'src/bin.ts')],
    outfile: join(cli, 'dist/bin.js'),
    format: 'cjs',
    plugins: [chunksStayOutside, finishedHelp, straightImports(root)],
    write: false,
  });
  for (const { path, text } of launcher.outputFiles)
    writeWhole(path, launcherFile(relocate(text), fileLoader));
  chmodSync(join(cli, 'dist/bin.js'), 0o755);
  const { manPage } = await import(pathToFileURL(join(cli, 'dist/lib/completion/man-page.js')).href);
  writeWhole(join(cli, 'dist/robota.1.gz'), gzipSync(manPage(), { level: 9 }));
  const metafiles = [result.metafile, apart.metafile, launcher.metafile];
  const notices = thirdPartyNotices('@robota-sdk/agent-cli', metafiles, root);
  writeWhole(join(cli, 'dist/THIRD-PARTY-NOTICES.txt'), notices);
  writeWhole(join(cli, 'dist/chunks.json'), JSON.stringify([...files.keys()].map((path) => basename(path))));
  removeOldChunks([...files.keys()]);
}

/** The loader of chunks that are files, on one line. */
async function loaderOfFiles() {
  const parts = ['loader.cjs', 'files.cjs'].map((name) =>
    readFileSync(join(root, 'scripts/chunks', name), 'utf8'),
  );
  const { code } = await transform(parts.join('\n'), { minify: true, target: 'node20.19' });
  return code.trim().replaceAll('\n', ' ');
}

/** The launcher behind the loader of the chunks: a line each for the interpreter, the loader, and the rest. */
function launcherFile(/** @type {string} */ text, /** @type {string} */ fileLoader) {
  const [interpreter = '', ...rest] = text.split('\n');
  const program = rest.join('\n').replaceAll('import("./chunks/', '$load("./chunks/');
  return `${interpreter}\nconst $folder=__dirname+"/chunks";${fileLoader}\n${program}`;
}

/**
 * The library, an ES module: it exports what its chunk does.
 * @param {string} chunk
 * @param {string} fileLoader
 * @returns {[string, string][]}
 */
function libraryFiles(chunk, fileLoader) {
  const names = exportsOfFunction(chunk).join(',');
  const load = 'import{createRequire}from"node:module";const load=createRequire(import.meta.url);';
  return [
    ['library.js', `const $folder=__dirname;${fileLoader}module.exports=$require("index.js");\n`],
    ['index.mjs', `${load}const{${names}}=load("./library.js");export{${names}};\n`],
  ];
}

/**
 * Modules loaded together: the common start, then a prompt without a terminal or the screen, and the code a
 * session with MCP servers needs before any of them starts.
 * @param {(source: string) => ReadonlySet<string>} reached
 */
function groups(reached) {
  const chunksOf = (/** @type {string} */ name) => reached(join(cli, 'src', `${name}.ts`));
  const print = chunksOf('print/print-mode');
  const screen = chunksOf('screen/tui-mode');
  const commands = chunksOf('fleet/fleet-command');
  const shared = [...print].filter((chunk) => screen.has(chunk) || commands.has(chunk));
  const first = new Set([...chunksOf('run-command-line'), ...shared]);
  // Commands of a fleet need little of the screen, and nothing of a prompt.
  const fleet = [...commands].filter((chunk) => !first.has(chunk));
  const apart = new Set([...first, ...fleet]);
  const others = (/** @type {ReadonlySet<string>} */ chunks) =>
    [...chunks].filter((chunk) => !apart.has(chunk));
  const start = others(print);
  const painted = others(screen);
  const known = new Set([...apart, ...start, ...painted]);
  const mcp = [
    'agent-resources/src/mcp-definitions/find-servers',
    'agent-resources/src/mcp/open-servers',
    'agent-tool-mcp/src/index',
  ]
    .flatMap((name) => [...reached(join(root, 'packages', `${name}.ts`))])
    .filter((chunk) => !known.has(chunk));
  return { first: [...first], fleet, start, screen: painted, mcp: [...new Set(mcp)] };
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
