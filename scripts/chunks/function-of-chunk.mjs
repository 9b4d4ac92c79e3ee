// Makes a function of an ES module of the bundle. Calling functions takes less time than linking modules, and V8 keeps more
// of their compilation. In the single executable there are no files for Node's loader to find.
import { createHash } from 'node:crypto';
import { parseSync } from 'oxc-parser';

/** Escaped, so that a file is the same text in every encoding, and V8 keeps one byte for each character. */
const wide = /[\u0080-\uffff]/;

/** @typedef {Record<string, any>} Node */
/** @typedef {{ start: number, end: number, text: string }} Change */

/**
 * The text of a function that returns its exports. It takes `require` for other chunks, `load` for those and for modules of
 * Node on demand, `importFile` for all other modules, what `import.meta` is, and `builtin` for modules of Node at once.
 * @param {string} text
 * @param {{ name: string, isAsync?: boolean }} options A worker waits at its top.
 */
export function functionOfChunk(text, { name, isAsync = false }) {
  const { program, errors } = parseSync(name, text);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  /** @type {Change[]} */
  const changes = [];
  /** @type {Map<string, string>} */
  const exported = new Map();
  for (const node of program.body) changes.push(...changesOf(node, exported));
  const reassigned = new Set();
  walk(program, (node) => {
    if (node.type === 'ImportExpression') changes.push(calledFor(node));
    if (node.type === 'MetaProperty') changes.push({ start: node.start, end: node.end, text: '$meta' });
    if (node.regex || node.type === 'TemplateElement') changes.push(...escapes(text, node));
    if (node.type === 'AssignmentExpression') reassigned.add(node.left.name);
    if (node.type === 'UpdateExpression') reassigned.add(node.argument.name);
  });
  const list = [...exported].map(([as, local]) =>
    // Only what is assigned later needs to be asked for each time.
    reassigned.has(local) ? `get ${as}(){return ${local}}` : `${as}:${local}`,
  );
  const body = changed(text, changes);
  if (wide.test(body)) throw new Error(`${name} has characters that are not ASCII.`);
  return `(${isAsync ? 'async ' : ''}function($req,$load,$file,$meta,$builtin){"use strict";${body}\nreturn{${list.join(',')}}})`;
}

/** The same as a file, which ends with its own digest: it says whether a kept compilation is of this text. */
export function functionFile(/** @type {string} */ text, /** @type {string} */ name) {
  const body = functionOfChunk(text, { name });
  return `${body}//${createHash('sha256').update(body).digest('hex').slice(0, 16)}`;
}

/** Names of what such a function exports. */
export function exportsOfFunction(/** @type {string} */ text) {
  const list = text.slice(text.lastIndexOf('\nreturn{'));
  return [...list.matchAll(/[{,](?:get )?(\w+)[:(]/g)].map(([, name]) => String(name));
}

/**
 * The changes of a statement that imports or exports.
 * @param {Node} node
 * @param {Map<string, string>} exported
 * @returns {Change[]}
 */
function changesOf(node, exported) {
  const { type, start, end } = node;
  if (type === 'ImportDeclaration') return [{ start, end, text: required(node) }];
  if (type === 'ExportNamedDeclaration' && !node.source && !node.declaration) {
    for (const { local, exported: as } of node.specifiers) exported.set(as.name, local.name);
    return [{ start, end, text: '' }];
  }
  if (/^Export/.test(type)) throw new Error(`An export of the kind ${type} is not expected in a bundle.`);
  return [];
}

function required(/** @type {Node} */ { specifiers, source }) {
  const call = `$req(${JSON.stringify(source.value)})`;
  if (specifiers.length === 0) return `${call};`;
  const parts = specifiers.map((/** @type {Node} */ { type, imported, local }) => {
    if (type !== 'ImportSpecifier')
      throw new Error(`An import of the kind ${type} is not expected in a bundle.`);
    return `${imported.name}:${local.name}`;
  });
  return `const{${parts.join(',')}}=${call};`;
}

/**
 * Escapes what the bundler leaves as it is, so that V8 can keep the whole text in one byte for each character.
 * @param {string} text
 * @param {Node} node
 * @returns {Change[]}
 */
function escapes(text, { start, end }) {
  const raw = text.slice(start, end);
  if (!wide.test(raw)) return [];
  const escaped = raw.replace(
    new RegExp(wide.source, 'g'),
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return [{ start, end, text: escaped }];
}

/** @returns {Change} */
function calledFor(/** @type {Node} */ { start, source }) {
  const address = source.type === 'Literal' ? String(source.value) : '';
  const isInside = address.startsWith('./') || address.startsWith('node:');
  return { start, end: start + 'import'.length, text: isInside ? '$load' : '$file' };
}

function changed(/** @type {string} */ text, /** @type {Change[]} */ changes) {
  let result = '';
  let at = 0;
  for (const { start, end, text: replacement } of changes.sort((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

function walk(/** @type {unknown} */ value, /** @type {(node: Node) => void} */ visit) {
  if (Array.isArray(value)) for (const each of value) walk(each, visit);
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value) visit(value);
    for (const each of Object.values(value)) walk(each, visit);
  }
}
