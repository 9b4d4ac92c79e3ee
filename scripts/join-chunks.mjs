// Each file costs a fraction of a millisecond to find and to link, whatever is in it. So chunks that are loaded together
// become one file, and everything else takes their parts from there.
import { createHash } from 'node:crypto';
import { dirname, extname, isAbsolute, join } from 'node:path';
import { build as esbuild } from 'esbuild';

/** @typedef {import('esbuild').BuildResult<{ metafile: true, write: false }>} Built */
/** @typedef {import('esbuild').Metafile['outputs'][string]} Output */
/** @typedef {{ readonly file: string, readonly names: ReadonlyMap<string, string> }} Place Where a chunk is now, and what its exports are called there. */

/**
 * Joins chunks and gives back all files by their paths, and a function that makes any other file load them from there.
 * @param {Built} built
 * @param {object} options
 * @param {string} options.root What the paths of the build are relative to.
 * @param {string} options.folder Where the chunks are.
 * @param {(reached: (source: string) => ReadonlySet<string>) => Record<string, readonly string[]>} options.groups
 *   Which chunks become one, by the name of the file. None may need one of a later group.
 */
export async function joinChunks({ metafile, outputFiles }, { root, folder, groups }) {
  const chunks = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [join(root, path), output]),
  );
  const digest = createHash('sha256');
  for (const text of chunks.values()) digest.update(text);
  const build = digest.digest('hex').slice(0, 8);
  const [extension = ''] = [...chunks.keys()].map(extname);
  /** @type {Map<string, Place>} */
  const places = new Map();
  const files = new Map(chunks);
  for (const [name, members] of Object.entries(groups((source) => reachedFrom(source, outputs, root)))) {
    const file = `${name}-${build}${extension}`;
    let count = 0;
    for (const path of members) {
      const names = (outputs.get(path)?.exports ?? []).map(
        (each) => /** @type {const} */ ([each, shortName(count++)]),
      );
      places.set(path, { file, names: new Map(names) });
      files.delete(path);
    }
    files.set(join(folder, file), await joined(members, { chunks, places, folder }));
  }
  const relocate = (/** @type {string} */ text) => relocated(text, { chunks, places, folder });
  for (const [path, text] of files) files.set(path, relocate(text));
  return { files, relocate };
}

/**
 * The chunks that are there once one was loaded: those it needs, before itself.
 * @param {string} source
 * @param {ReadonlyMap<string, Output>} outputs
 * @param {string} root
 */
function reachedFrom(source, outputs, root) {
  const [entry] = [...outputs].find(([, { entryPoint = '' }]) => join(root, entryPoint) === source) ?? [];
  if (entry === undefined) throw new Error(`There is no chunk of its own for ${source}.`);
  /** @type {Set<string>} */
  const reached = new Set();
  const reach = (/** @type {string} */ path) => {
    if (reached.has(path)) return;
    for (const { path: imported, kind } of outputs.get(path)?.imports ?? [])
      if (kind === 'import-statement' && outputs.has(join(root, imported))) reach(join(root, imported));
    reached.add(path);
  };
  reach(entry);
  return reached;
}

/**
 * Some chunks in one text, which exports everything that any of them does.
 * @param {readonly string[]} members
 * @param {{ chunks: ReadonlyMap<string, string>, places: ReadonlyMap<string, Place>, folder: string }} parts
 */
async function joined(members, { chunks, places, folder }) {
  const contents = members
    .map((path) => {
      const list = [...(places.get(path)?.names ?? [])].map(([name, as]) => `${name} as ${as}`);
      const from = JSON.stringify(path);
      return list.length === 0 ? `import ${from};` : `export { ${list.join(', ')} } from ${from};`;
    })
    .join('\n');
  const { outputFiles } = await esbuild({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
    logLevel: 'warning',
    plugins: [readFrom(new Map(members.map((path) => [path, chunks.get(path) ?? ''])))],
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * Takes chunks from memory; all others, and what is loaded on demand, stay outside.
 * @param {ReadonlyMap<string, string>} chunks
 * @returns {import('esbuild').Plugin}
 */
function readFrom(chunks) {
  return {
    name: 'read-from-memory',
    setup: (build) => {
      build.onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
        const file = isAbsolute(path) ? path : join(resolveDir, path);
        return kind === 'dynamic-import' || !chunks.has(file) ? { path, external: true } : { path: file };
      });
      build.onLoad({ filter: /\.m?js$/ }, ({ path }) => ({
        contents: chunks.get(path) ?? '',
        resolveDir: dirname(path),
      }));
    },
  };
}

/**
 * Lets a file take the parts of joined chunks from where they are now, at once or on demand. All that comes from one
 * file is imported by one statement: a chunk names each chunk it needs, and most of them are one file now.
 * @param {string} text
 * @param {{ chunks: ReadonlyMap<string, string>, places: ReadonlyMap<string, Place>, folder: string }} known
 */
function relocated(text, { chunks, places, folder }) {
  /** Names by file. @type {Map<string, string[]>} */
  const imports = new Map();
  const rest = text
    .replace(/import(?:\{([^}]*)\}from)?"\.\/([^"]+)";/g, (statement, list, chunk) => {
      const path = join(folder, chunk);
      if (!chunks.has(path)) return statement;
      const { file = chunk, names } = places.get(path) ?? {};
      const bound = importedNames(list, names);
      imports.set(file, [...(imports.get(file) ?? []), ...bound]);
      return '';
    })
    .replace(/import\("\.\/((?:chunks\/)?)([^"]+)"\)/g, (call, below, chunk) => {
      const place = places.get(join(folder, chunk));
      if (!place) return call;
      const parts = [...place.names].map(([name, as]) => `${name}:m.${as}`);
      return `import("./${below}${place.file}").then(m=>({${parts.join(',')}}))`;
    });
  const statements = [...imports].map(([file, names]) =>
    names.length === 0 ? `import"./${file}";` : `import{${names.join(',')}}from"./${file}";`,
  );
  return statements.join('') + rest;
}

/**
 * The list of an import, with the names that a joined file gives them.
 * @param {string | undefined} list
 * @param {ReadonlyMap<string, string> | undefined} names
 */
function importedNames(list, names) {
  if (!list) return [];
  return list.split(',').map((item) => {
    const [own = '', as = own] = item.split(' as ');
    return `${names?.get(own) ?? own} as ${as}`;
  });
}

/** Letters only: a, b, …, Z, aa, … */
function shortName(/** @type {number} */ count) {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
  /** @type {string} */
  const before = count < letters.length ? '' : shortName(Math.floor(count / letters.length) - 1);
  return before + letters[count % letters.length];
}
