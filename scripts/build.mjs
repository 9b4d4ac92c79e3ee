// Builds every package with `tsc -b`, then bundles the command line into packages/agent-cli/dist/bin.js.
// `--clean` also drops the previous output first, as a release should.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as esbuild } from 'esbuild';
import { buildPage } from './build-page.mjs';
import { straightImports } from './straight-imports.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cli = join(root, 'packages/agent-cli');
const chunks = join(cli, 'dist/chunks');
const dayInMilliseconds = 24 * 60 * 60 * 1000;
/** What the launcher loads when it is needed. */
const lazyEntries = ['run-command'];
/** What runs in threads of its own, and is found by its name. */
const threads = ['plugin-worker', 'transpile-worker'].map((name) =>
  join(root, 'packages/agent-plugin-wasm/src/worker', `${name}.ts`),
);
/** What every prompt without a terminal loads after that. */
const firstLoaded = 'print-mode';
const chunksStayOutside = {
  name: 'chunks-stay-outside',
  setup(/** @type {import('esbuild').PluginBuild} */ build) {
    build.onResolve({ filter: /^\.\/run-command\.ts$/ }, ({ path }) => ({
      path: path.replace('./', './chunks/').replace('.ts', '.mjs'),
      external: true,
    }));
  },
};
const requireShim = 'const require=process.getBuiltinModule("node:module").createRequire(import.meta.url);';

if (process.argv.includes('--clean')) removeOutput();
await buildPage();
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
  const common = {
    bundle: true,
    platform: /** @type {const} */ ('node'),
    target: 'node20.19',
    conditions: ['@robota-sdk/source'],
    minify: true,
    legalComments: /** @type {const} */ ('none'),
    logLevel: /** @type {const} */ ('warning'),
    absWorkingDir: root,
  };
  const result = await esbuild({
    ...common,
    entryPoints: lazyEntries.map((name) => join(cli, 'src', `${name}.ts`)),
    outdir: chunks,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
    // UMD files, which some packages name as their main one, hide their parts from the bundler.
    mainFields: ['module', 'main'],
    // Loaded on demand, a CommonJS file would give nothing but its default export.
    alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
    external: ['@vscode/ripgrep'],
    plugins: [straightImports(root)],
    metafile: true,
    write: false,
  });
  const files = await joinStart(result);
  // Apart from the rest, of which a thread needs nothing.
  const threaded = await esbuild({
    ...common,
    entryPoints: threads,
    outdir: chunks,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    write: false,
  });
  for (const { path, text } of threaded.outputFiles) files.set(path, text);
  mkdirSync(chunks, { recursive: true });
  for (const [path, text] of files) writeWhole(path, withBuiltins(withRequire(text)));
  // CommonJS starts faster than an ES module; the folder says so of its `.js` files, `lib` the opposite.
  writeWhole(join(cli, 'dist/package.json'), '{ "type": "commonjs" }\n');
  writeWhole(join(cli, 'dist/lib/package.json'), '{ "type": "module" }\n');
  const launcher = await esbuild({
    ...common,
    entryPoints: [join(cli, 'src/bin.ts')],
    outfile: join(cli, 'dist/bin.js'),
    format: 'cjs',
    plugins: [chunksStayOutside],
    write: false,
  });
  for (const { path, text } of launcher.outputFiles) writeWhole(path, text);
  chmodSync(join(cli, 'dist/bin.js'), 0o755);
  removeOldChunks([...files.keys()]);
}

/**
 * Each file costs a fraction of a millisecond to find and to link, whatever is in it. So the chunks that every run loads
 * become one file, and what loads one of them later finds a file of that name that hands on the parts.
 * @param {import('esbuild').BuildResult<{ metafile: true, write: false }>} result
 */
async function joinStart({ metafile, outputFiles }) {
  const files = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [join(root, path), output]),
  );
  const start = [...startChunks(outputs)];
  const exported = start.flatMap((path, index) =>
    (outputs.get(path)?.exports ?? []).map((name) => ({ path, name, joined: `${name}_${index}` })),
  );
  const contents = start
    .map((path) =>
      handOn(
        exported.filter((each) => each.path === path),
        { from: path, as: 'joined' },
      ),
    )
    .join('\n');
  const joined = await esbuild({
    stdin: { contents, resolveDir: chunks },
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
    logLevel: 'warning',
    plugins: [readFrom(files)],
  });
  const text = withinStart(joined.outputFiles[0]?.text ?? '', exported);
  const name = `start-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.mjs`;
  files.set(join(chunks, name), text);
  const { size } = files;
  for (const [path, chunk] of [...files].slice(0, size - 1))
    files.set(path, fromStart(chunk, { name, start, exported }));
  for (const path of start)
    files.set(
      path,
      handOn(
        exported.filter((each) => each.path === path),
        { from: `./${name}`, as: 'name' },
      ),
    );
  return files;
}

/**
 * What the start loads on demand of itself is there already, and needs no file that hands it on.
 * @param {string} text
 * @param {readonly { path: string, name: string, joined: string }[]} exported
 */
function withinStart(text, exported) {
  return text.replace(/import\("\.\/([^"]+)"\)/g, (call, file) => {
    const parts = exported.filter(({ path }) => path === join(chunks, file));
    const list = parts.map(({ name, joined }) => `${name}:m.${joined}`);
    return list.length === 0 ? call : `import(import.meta.url).then(m=>({${list.join(',')}}))`;
  });
}

/**
 * Lets a chunk take what it needs of the start from there, and not from files that only hand it on.
 * @param {string} chunk
 * @param {{ name: string, start: readonly string[], exported: readonly { path: string, name: string, joined: string }[] }} joined
 */
function fromStart(chunk, { name, start, exported }) {
  return chunk.replace(/import(?:\{([^}]*)\}from)?"\.\/([^"]+)";/g, (statement, list, file) => {
    const path = join(chunks, file);
    if (!start.includes(path)) return statement;
    if (list === undefined) return `import"./${name}";`;
    const names = String(list)
      .split(',')
      .map((item) => {
        const [own = '', as = own] = item.split(' as ');
        const found = exported.find((each) => each.path === path && each.name === own);
        return `${found?.joined ?? own} as ${as}`;
      });
    return `import{${names.join(',')}}from"./${name}";`;
  });
}

/**
 * The chunks that are there once a run without a terminal has begun.
 * @param {ReadonlyMap<string, import('esbuild').Metafile['outputs'][string]>} outputs
 */
function startChunks(outputs) {
  const sources = [...lazyEntries, firstLoaded].map((name) => join(cli, 'src', `${name}.ts`));
  const entries = [...outputs].flatMap(([path, { entryPoint }]) =>
    entryPoint !== undefined && sources.includes(join(root, entryPoint)) ? [path] : [],
  );
  if (entries.length !== sources.length) throw new Error(`There is no chunk of its own for ${firstLoaded}.`);
  /** @type {Set<string>} */
  const reached = new Set();
  const reach = (/** @type {string} */ path) => {
    if (reached.has(path)) return;
    for (const { path: imported, kind } of outputs.get(path)?.imports ?? [])
      if (kind === 'import-statement' && outputs.has(join(root, imported))) reach(join(root, imported));
    reached.add(path);
  };
  for (const entry of entries) reach(entry);
  return reached;
}

/**
 * @param {readonly { name: string, joined: string }[]} parts
 * @param {{ from: string, as: 'name' | 'joined' }} direction
 */
function handOn(parts, { from, as }) {
  if (parts.length === 0) return `import ${JSON.stringify(from)};`;
  const list = parts.map(({ name, joined }) =>
    as === 'joined' ? `${name} as ${joined}` : `${joined} as ${name}`,
  );
  return `export { ${list.join(', ')} } from ${JSON.stringify(from)};`;
}

/**
 * Takes chunks from memory; what they load on demand stays outside.
 * @param {ReadonlyMap<string, string>} files
 * @returns {import('esbuild').Plugin}
 */
function readFrom(files) {
  return {
    name: 'read-from-memory',
    setup: (build) => {
      build.onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
        const file = isAbsolute(path) ? path : join(resolveDir, path);
        return kind === 'dynamic-import' || !files.has(file) ? { path, external: true } : { path: file };
      });
      build.onLoad({ filter: /\.mjs$/ }, ({ path }) => ({
        contents: files.get(path) ?? '',
        resolveDir: dirname(path),
      }));
    },
  };
}

/** CommonJS dependencies inside an ES module still call `require` for Node's own modules. */
function withRequire(/** @type {string} */ text) {
  return /\btypeof require\b/.test(text) ? `${requireShim}${text}` : text;
}

/**
 * An import of a module of Node makes Node read everything the module offers, and with it load what that stands for:
 * `node:http` has WebSocket among its parts, which is all of `fetch`. Asked for directly it gives what is used.
 */
function withBuiltins(/** @type {string} */ text) {
  return text.replace(
    /(?<=^|[;}\n])import(?: |\*as )?([\w$]+|\{[^}]*\}) ?from"(node:[^"]+)";/g,
    (_, bound, name) => `const ${String(bound).replaceAll(' as ', ':')}=process.getBuiltinModule("${name}");`,
  );
}

/** Replaces a file in one step, so that a command started meanwhile never reads half of it. */
function writeWhole(/** @type {string} */ path, /** @type {string} */ text) {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
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
