// A bundler plugin: what is imported from one of our packages is taken from the file that defines it, now or when it is
// loaded. Through the package's index every file that any part of the program needs would count as needed by all who
// import from there.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const imported = /^import\s+\{([^}]*)\}\s+from\s+'(@robota-sdk\/[a-z/-]+)';/gm;
const loaded = /\bconst\s+\{([^}]*)\}\s+=\s+await\s+import\('(@robota-sdk\/[a-z/-]+)'\)/g;
const handed = /^export\s+\{([^}]*)\}\s+from\s+'(@robota-sdk\/[a-z/-]+)';/gm;
const namespace = 'straight';
const reexported = /^export\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'([^']+)';/gm;

/** @typedef {{ readonly file: string, readonly name: string }} Definition */

/**
 * @param {string} root
 * @returns {import('esbuild').Plugin}
 */
export function straightImports(root) {
  /** @type {Map<string, ReadonlyMap<string, Definition>>} */
  const known = new Map();
  const definitionsOf = (/** @type {string} */ name) => {
    const found = known.get(name) ?? readIndex(name);
    known.set(name, found);
    return found;
  };
  /** The defining module of each name of a package or sub-path. */
  const readIndex = (/** @type {string} */ name) => {
    const [, folder = '', entry = 'index'] = name.split('/');
    const index = join(root, 'packages', folder, `src/${entry}.ts`);
    /** @type {Map<string, Definition>} */
    const definitions = new Map();
    for (const [, list = '', from = ''] of readFileSync(index, 'utf8').matchAll(reexported)) {
      for (const { name: own, as } of namesIn(list)) {
        const isHere = from.startsWith('.');
        const definition = isHere
          ? { file: resolve(dirname(index), from), name: own }
          : definitionsOf(from).get(own);
        if (definition) definitions.set(as, definition);
      }
    }
    return definitions;
  };
  return {
    name: 'straight-imports',
    setup: (build) => {
      build.onLoad({ filter: /packages\/[a-z-]+\/src\/.*\.tsx?$/ }, ({ path }) => {
        const contents = readFileSync(path, 'utf8')
          .replace(
            imported,
            (statement, list, from) => straightened(namesIn(list), definitionsOf(from)) ?? statement,
          )
          .replace(
            handed,
            (statement, list, from) =>
              straightened(namesIn(list), definitionsOf(from), 'export') ?? statement,
          )
          .replace(loaded, (statement, list, from) => {
            const names = namesIn(list.replaceAll(':', ' as ')).map(({ name }) => name);
            const places = names.map((name) => definitionsOf(from).get(name));
            if (places.includes(undefined)) return statement;
            return statement.replace(from, `${namespace}:${from}:${names.sort().join(',')}`);
          });
        return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
      });
      build.onResolve({ filter: new RegExp(`^${namespace}:`) }, ({ path }) => ({
        path: path.slice(namespace.length + 1),
        namespace,
      }));
      build.onLoad({ filter: /.*/, namespace }, ({ path }) => {
        const [from = '', list = ''] = path.split(':');
        return { contents: handedOn(list.split(','), definitionsOf(from)), resolveDir: root };
      });
    },
  };
}

/**
 * One statement for each file; nothing if a name is none of the package's own.
 * @param {readonly { name: string, as: string, isType: boolean }[]} names
 * @param {ReadonlyMap<string, Definition>} definitions
 * @param {'import' | 'export'} keyword
 */
function straightened(names, definitions, keyword = 'import') {
  /** @type {Map<string, string[]>} */
  const byFile = new Map();
  for (const { name, as, isType } of names) {
    if (isType) continue;
    const definition = definitions.get(name);
    if (!definition) return undefined;
    const { file, name: own } = definition;
    byFile.set(file, [...(byFile.get(file) ?? []), own === as ? own : `${own} as ${as}`]);
  }
  return [...byFile]
    .map(([file, list]) => `${keyword} { ${list.join(', ')} } from ${JSON.stringify(file)};`)
    .join(' ');
}

/**
 * A file that hands on some names, each from the file that defines it.
 * @param {readonly string[]} names
 * @param {ReadonlyMap<string, Definition>} definitions
 */
function handedOn(names, definitions) {
  return names
    .map((name) => {
      const { file, name: own } = /** @type {Definition} */ (definitions.get(name));
      return `export { ${own} as ${name} } from ${JSON.stringify(file)};`;
    })
    .join('\n');
}

function namesIn(/** @type {string} */ list) {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => {
      const isType = item.startsWith('type ');
      const [name = '', as = name] = item.replace(/^type\s+/, '').split(/\s+as\s+/);
      return { name, as, isType };
    });
}
