import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));

/** @typedef {{ doc: string, text: string, isType: boolean }} Declaration */
/** @typedef {{ file: string, source: string, program: import('oxc-parser').Program, comments: readonly { type: string, value: string, end: number }[] }} Module */

/** @type {Map<string, Module>} */
const modules = new Map();

/** The public names of the SDK with their declarations, from the types that are published. */
export function apiPage() {
  const names = exportsOf(join(packages, 'agent-sdk/dist/index.d.ts'));
  const parts = names.map(({ name, local, file }) => {
    const { doc, text } = declarationOf(file, local);
    return `## ${name}\n\n${doc}\n\n\`\`\`ts\n${text}\n\`\`\`\n`;
  });
  return `# SDK API\n\nEvery export of \`@robota-sdk/agent-sdk\`, generated from its types. [The guide](../sdk.md) shows how to use them.\n\n${parts.join('\n')}`;
}

function exportsOf(/** @type {string} */ file) {
  const { program } = read(file);
  return program.body
    .flatMap((node) => {
      if (node.type !== 'ExportNamedDeclaration' || !node.source) return [];
      const from = resolve(file, node.source.value);
      return node.specifiers.map((each) => ({
        name: nameOf(each.exported),
        local: nameOf(each.local),
        file: from,
      }));
    })
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** @returns {Declaration} */
function declarationOf(/** @type {string} */ file, /** @type {string} */ name) {
  const module = read(file);
  const pieces = [];
  for (const node of module.program.body) {
    if (node.type !== 'ExportNamedDeclaration') continue;
    for (const each of node.specifiers) {
      if (node.source && nameOf(each.exported) === name)
        return declarationOf(resolve(file, node.source.value), nameOf(each.local));
    }
    if (declares(node.declaration, name)) pieces.push(node);
  }
  const [first] = pieces;
  if (!first) throw new Error(`${file} does not declare ${name}.`);
  return {
    doc: docBefore(module, first.start),
    text: pieces
      .map((node) => module.source.slice(node.start, node.end).replace(/^export (declare )?/, ''))
      .join('\n'),
    isType: first.exportKind === 'type',
  };
}

function declares(/** @type {any} */ declaration, /** @type {string} */ name) {
  if (!declaration) return false;
  if (declaration.declarations)
    return declaration.declarations.some((/** @type {any} */ each) => each.id.name === name);
  return declaration.id?.name === name;
}

/** The comment right before a place, without its stars. */
function docBefore(/** @type {Module} */ { comments, source }, /** @type {number} */ start) {
  const comment = comments.findLast(({ end }) => end <= start && source.slice(end, start).trim() === '');
  if (comment?.type !== 'Block' || !comment.value.startsWith('*')) return '';
  const text = comment.value
    .split('\n')
    .map((line) => line.replace(/^\s*\*+ ?/, ''))
    .join('\n')
    .trim();
  return text.replaceAll(/\{@link (\w+)\}/g, '`$1`').replaceAll('<', '&lt;');
}

/** @returns {Module} */
function read(/** @type {string} */ file) {
  const known = modules.get(file);
  if (known) return known;
  const source = readFileSync(file, 'utf8');
  const { program, comments } = parseSync(file, source);
  const module = { file, source, program, comments };
  modules.set(file, module);
  return module;
}

function resolve(/** @type {string} */ file, /** @type {string} */ target) {
  const [, name, rest = 'index'] = /^@robota-sdk\/([^/]+)(?:\/(.*))?$/.exec(target) ?? [];
  const path = name
    ? join(packages, name, 'dist', `${rest}.d.ts`)
    : join(dirname(file), target.replace(/\.(ts|js)$/, '.d.ts'));
  if (!existsSync(path)) throw new Error(`${file} exports from ${target}, which is not built.`);
  return path;
}

function nameOf(/** @type {any} */ node) {
  return String(node.name ?? node.value);
}
