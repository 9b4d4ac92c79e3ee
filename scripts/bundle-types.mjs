// Makes the declarations of a package complete without any other package: those it needs of ours are copied beside them,
// each file with nothing but the declarations that are reached.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

/** @typedef {{ readonly file: string, readonly name: string }} Definition */
/** @typedef {{ readonly specifier: string, readonly name: string }} Import */
/** @typedef {{ start: number, end: number, names: ReadonlySet<string>, uses: ReadonlySet<string>, inline: Inline[] }} Statement */
/** @typedef {{ start: number, end: number, specifier: string, name: string }} Inline A type written as `import('…').Name`. */
/**
 * @typedef {object} Module
 * @property {string} text
 * @property {readonly Statement[]} statements
 * @property {ReadonlyMap<string, Import>} imports By local name.
 * @property {ReadonlyMap<string, Import>} reexports By exported name.
 * @property {ReadonlyMap<string, string>} exported Local names by exported ones.
 */

const scope = '@robota-sdk/';

/**
 * Writes the declarations that an entry reaches below a folder, one folder for each package.
 * @param {object} options
 * @param {string} options.root
 * @param {string} options.entry The declarations of the package's root.
 * @param {string} options.outdir
 */
export function bundleTypes({ root, entry, outdir }) {
  const graph = new TypeGraph(root);
  const { reexports, exported } = graph.module(entry);
  const names = [...reexports.keys(), ...exported.keys()];
  const described = new Set(names.map((name) => graph.reach(entry, name).file));
  rmSync(outdir, { recursive: true, force: true });
  for (const file of [...new Set([entry, ...graph.reached.keys()])]) {
    const path = join(outdir, graph.placeOf(file));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file === entry ? graph.printEntry(entry) : graph.print(file, described.has(file)));
  }
}

class TypeGraph {
  /** Local names that are needed, by file. @type {Map<string, Set<string>>} */
  reached = new Map();
  /** @type {Map<string, Module>} */
  #modules = new Map();

  constructor(/** @type {string} */ root) {
    this.packages = join(root, 'packages');
  }

  module(/** @type {string} */ file) {
    const known = this.#modules.get(file) ?? readModule(readFileSync(file, 'utf8'));
    this.#modules.set(file, known);
    return known;
  }

  /** The path of a file below the output. */
  placeOf(/** @type {string} */ file) {
    return relative(this.packages, file).replace(/\/dist\/(?:lib\/)?/, '/');
  }

  /**
   * Marks what an exported name needs, and says where it is defined.
   * @returns {Definition}
   */
  reach(/** @type {string} */ file, /** @type {string} */ name) {
    const { reexports, exported, imports } = this.module(file);
    const elsewhere = reexports.get(name) ?? imports.get(exported.get(name) ?? '');
    if (elsewhere) {
      const target = this.#fileOf(elsewhere.specifier, file);
      if (target === undefined) throw new Error(`${file} exports ${name} of ${elsewhere.specifier}`);
      return this.reach(target, elsewhere.name);
    }
    this.#reachLocal(file, exported.get(name) ?? name);
    return { file, name };
  }

  #reachLocal(/** @type {string} */ file, /** @type {string} */ name) {
    const names = this.reached.get(file) ?? new Set();
    if (names.has(name)) return;
    this.reached.set(file, names.add(name));
    const { statements, imports } = this.module(file);
    const imported = imports.get(name);
    const target = imported && this.#fileOf(imported.specifier, file);
    if (imported && target) this.reach(target, imported.name);
    for (const { uses, inline } of statements.filter((each) => each.names.has(name))) {
      for (const used of uses)
        if (imports.has(used) || statements.some((each) => each.names.has(used)))
          this.#reachLocal(file, used);
      for (const { specifier, name: inner } of inline) {
        const from = this.#fileOf(specifier, file);
        if (from) this.reach(from, inner);
      }
    }
  }

  /** The declarations a specifier stands for; nothing if they are not ours. */
  #fileOf(/** @type {string} */ specifier, /** @type {string} */ from) {
    if (specifier.startsWith('.')) return resolve(dirname(from), specifier.replace(/\.[jt]s$/, '.d.ts'));
    if (!specifier.startsWith(scope)) return undefined;
    const [name = '', entry = 'index'] = specifier.slice(scope.length).split('/');
    return join(this.packages, name, `dist/${entry}.d.ts`);
  }

  printEntry(/** @type {string} */ entry) {
    const { reexports, exported } = this.module(entry);
    const lines = [...reexports.keys(), ...exported.keys()].map((as) => {
      const { file, name } = this.reach(entry, as);
      return `export { ${name === as ? name : `${name} as ${as}`} } from '${this.#path(entry, file)}';`;
    });
    return `${lines.join('\n')}\n`;
  }

  /** The needed declarations of a file. Descriptions inside of those that no program names only take space. */
  print(/** @type {string} */ file, /** @type {boolean} */ isDescribed) {
    const { text, statements, imports } = this.module(file);
    const names = this.reached.get(file) ?? new Set();
    const lines = this.#importLines(
      file,
      [...imports].filter(([local]) => names.has(local)),
    );
    let end = 0;
    for (const statement of statements) {
      const isKept = [...statement.names].some((name) => names.has(name));
      if (isKept)
        lines.push(docBefore(text.slice(end, statement.start)) + this.#printStatement(file, statement));
      end = statement.end;
    }
    const printed = `${lines.join('\n')}\nexport {};\n`;
    return isDescribed ? printed : withoutDocs(printed);
  }

  /** One import of each file. */
  #importLines(/** @type {string} */ file, /** @type {readonly [string, Import][]} */ imports) {
    /** @type {Map<string, string[]>} */
    const byPath = new Map();
    const missing = imports.flatMap(([local, { specifier, name }]) => {
      const target = this.#fileOf(specifier, file);
      const definition = target === undefined ? undefined : this.reach(target, name);
      // A package that is not installed with this one: its types are none of this package's promises.
      if (!definition && !specifier.startsWith('node:')) return [`type ${local} = any;`];
      const path = definition ? this.#path(file, definition.file) : specifier;
      const own = definition?.name ?? name;
      byPath.set(path, [...(byPath.get(path) ?? []), own === local ? own : `${own} as ${local}`]);
      return [];
    });
    return [...byPath]
      .map(([path, names]) => `import { ${names.join(', ')} } from '${path}';`)
      .concat(missing);
  }

  #printStatement(/** @type {string} */ file, /** @type {Statement} */ { start, end, inline }) {
    let text = this.module(file).text.slice(start, end);
    for (const each of [...inline].reverse()) {
      const target = this.#fileOf(each.specifier, file);
      if (!target) continue;
      const { file: from, name } = this.reach(target, each.name);
      const type = `import('${this.#path(file, from)}').${name}`;
      text = text.slice(0, each.start - start) + type + text.slice(each.end - start);
    }
    return text;
  }

  #path(/** @type {string} */ from, /** @type {string} */ to) {
    const path = relative(dirname(this.placeOf(from)), this.placeOf(to)).replace(/\.d\.ts$/, '.js');
    return path.startsWith('.') ? path : `./${path}`;
  }
}

/** @returns {Module} */
function readModule(/** @type {string} */ text) {
  const { program, module } = parseSync('module.d.ts', text);
  const imports = module.staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ importName, localName }) => [
      localName.value,
      { specifier: moduleRequest.value, name: String(importName.name) },
    ]),
  );
  const entries = module.staticExports.flatMap((each) => each.entries);
  const reexports = entries.flatMap(({ moduleRequest, importName, exportName }) =>
    moduleRequest ? [[exportName.name, { specifier: moduleRequest.value, name: importName.name }]] : [],
  );
  const exported = entries.flatMap(({ moduleRequest, exportName, localName }) =>
    moduleRequest ? [] : [[exportName.name, localName.name]],
  );
  const statements = program.body.filter(({ type }) => !/^Import/.test(type)).map(statementOf);
  return /** @type {Module} */ ({
    text,
    statements: statements.filter(({ names }) => names.size > 0),
    imports: new Map(/** @type {[string, Import][]} */ (imports)),
    reexports: new Map(/** @type {[string, Import][]} */ (reexports)),
    exported: new Map(/** @type {[string, string][]} */ (exported)),
  });
}

/** @typedef {Record<string, any>} Node */

/** @returns {Statement} */
function statementOf(/** @type {Node} */ node) {
  const declaration = node.declaration ?? node;
  const declared = declaration.declarations ?? [declaration];
  const names = new Set(
    declared.flatMap((/** @type {Node} */ { id }) => (id?.name === undefined ? [] : [id.name])),
  );
  const uses = new Set();
  /** @type {Inline[]} */
  const inline = [];
  walk(declaration, (each) => {
    if (each.type === 'Identifier') uses.add(each.name);
    if (each.type === 'TSImportType' && each.qualifier)
      inline.push({
        start: each.start,
        end: each.qualifier.end,
        specifier: each.source.value,
        name: each.qualifier.name,
      });
  });
  return { start: node.start, end: node.end, names, uses, inline };
}

function walk(/** @type {unknown} */ value, /** @type {(node: Node) => void} */ visit) {
  if (Array.isArray(value)) for (const each of value) walk(each, visit);
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value) visit(value);
    for (const each of Object.values(value)) walk(each, visit);
  }
}

/** The description that stands right before a statement. */
function docBefore(/** @type {string} */ gap) {
  const start = gap.lastIndexOf('/**');
  return start < 0 ? '' : gap.slice(start);
}

function withoutDocs(/** @type {string} */ text) {
  return (
    text
      .replace(/\/\*\*(?:[^*]|\*(?!\/))*\*\/\s*/g, '')
      .replace(/\n +/g, '\n')
      // A long text as a type is one for readers, too.
      .replace(/: "[^"\n]{40,}";/g, ': string;')
  );
}
