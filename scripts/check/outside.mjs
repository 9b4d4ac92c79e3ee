import { parseSync } from 'oxc-parser';
import { isFixture, isTest, packageOf } from './project.mjs';

/** The functions that turn text into JSON; everything else calls these. */
const home = 'packages/agent-core/src/shape/json.ts';
/** Packages below agent-core, which cannot import it, and tests. */
const without = new Set(['agent-tui', 'agent-diff', 'agent-shell', 'agent-http', 'xnl', 'agent-testing']);
const readers = new Set(['parseJson', 'decodeJson']);
const freeTypes = new Set(['unknown', 'JsonValue', 'const']);

/**
 * Files that may do it otherwise, each with the reason.
 * @type {Readonly<Record<string, string>>}
 */
const exceptions = {
  'packages/agent-export/src/page/main.ts': 'the page reads data that was written into it',
  'packages/agent-web/src/page/base/stream.ts': 'the page and its server are built together',
  'packages/agent-web/src/server/read-body.ts': 'a reviver finds keys named __proto__',
};

/**
 * Values from outside go through a Shape: JSON is parsed by `parseJson` or `decodeJson`, the result is never asserted to be
 * of a type, and no fields are checked one by one with `typeof`.
 * @param {import('./project.mjs').Project} project
 */
export function checkOutside(project) {
  const used = new Set();
  const problems = [...project.files]
    .filter(([file]) => isProduct(file))
    .flatMap(([file, text]) => {
      const found = problemsIn(file, text);
      if (found.length > 0) used.add(file);
      return Object.hasOwn(exceptions, file) ? [] : found;
    });
  const unused = Object.keys(exceptions).filter((file) => project.files.has(file) && !used.has(file));
  return [
    ...problems,
    ...unused.map((file) => ({ file, line: 1, message: 'unused exception of outside.mjs' })),
  ];
}

function isProduct(/** @type {string} */ file) {
  const owner = packageOf(file);
  const isSource = /\/src\/.*\.tsx?$/.test(file) && !isTest(file) && !isFixture(file) && file !== home;
  return owner !== undefined && !without.has(owner) && isSource;
}

function problemsIn(/** @type {string} */ file, /** @type {string} */ text) {
  /** @type {{ file: string, line: number, message: string }[]} */
  const found = [];
  const add = (/** @type {any} */ node, /** @type {string} */ message) =>
    found.push({ file, line: text.slice(0, node.start).split('\n').length, message });
  const sourceOf = (/** @type {any} */ node) => text.slice(node.start, node.end);
  visit(parseSync(file, text).program, {}, (node, { parent, known }) => {
    if (isCall(node, 'JSON.parse') && !isCopy(node))
      add(node, 'parse JSON with parseJson or decodeJson, and its value with a Shape');
    if (node.type === 'TSAsExpression' && isRead(node.expression, known)) {
      const type = sourceOf(node.typeAnnotation);
      if (!freeTypes.has(type)) add(node, `"as ${type}" trusts a value from outside: parse it with a Shape`);
    }
    if (
      node.type === 'LogicalExpression' &&
      parent?.type !== 'LogicalExpression' &&
      typesIn(node, sourceOf).size > 2
    )
      add(node, 'three fields are checked with typeof: parse the object with a Shape');
    if (/Function/.test(node.type) && isGuard(node) && !isCall(parent, 'instance')) {
      const types = new Set(typeofs(node.body, sourceOf));
      if (types.size > 1)
        add(node, 'a type guard checks fields with typeof: make it with guard() and a Shape');
    }
  });
  return found;
}

/**
 * @typedef {{ parent: any, known: Set<string> }} Surrounding The node around a node, and the names that hold parsed JSON.
 */

/**
 * Walks a tree.
 * @param {any} node
 * @param {Partial<Surrounding>} around
 * @param {(node: any, around: Surrounding) => void} each
 */
function visit(node, { parent, known: outer = new Set() }, each) {
  if (node === null || typeof node !== 'object') return;
  const isNode = typeof node.type === 'string';
  const known = isNode && /Function/.test(node.type) ? new Set(outer) : outer;
  if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') {
    if (isRead(node.init, known)) known.add(node.id.name);
    else known.delete(node.id.name);
  }
  if (isNode) each(node, { parent, known });
  for (const value of Object.values(node)) visit(value, { parent: isNode ? node : parent, known }, each);
}

/**
 * True for the result of a reader, its value, and a name that holds one.
 * @param {any} node
 * @param {Set<string>} known
 * @returns {boolean}
 */
function isRead(node, known) {
  if (!node) return false;
  if (node.type === 'Identifier') return known.has(node.name);
  if (node.type === 'ParenthesizedExpression') return isRead(node.expression, known);
  if (node.type === 'MemberExpression') return node.property.name === 'value' && isRead(node.object, known);
  return (
    node.type === 'CallExpression' &&
    (readers.has(node.callee.name) || isCall(node, 'JSON.parse')) &&
    !isCopy(node)
  );
}

function isCall(/** @type {any} */ node, /** @type {string} */ name) {
  if (node?.type !== 'CallExpression') return false;
  const { callee } = node;
  return (
    name ===
    (callee.type === 'MemberExpression' ? `${callee.object.name}.${callee.property.name}` : callee.name)
  );
}

/** `JSON.parse(JSON.stringify(value))` reads nothing from outside. */
function isCopy(/** @type {any} */ node) {
  let isOwn = false;
  visit(node.arguments, {}, (inner) => {
    if (isCall(inner, 'JSON.stringify')) isOwn = true;
  });
  return isOwn;
}

function isGuard(/** @type {any} */ node) {
  return node.returnType?.typeAnnotation?.type === 'TSTypePredicate';
}

/**
 * The operands that a condition compares the types of.
 * @param {any} node
 * @param {(node: any) => string} sourceOf
 * @returns {Set<string>}
 */
function typesIn(node, sourceOf) {
  if (node.type === 'LogicalExpression')
    return new Set([...typesIn(node.left, sourceOf), ...typesIn(node.right, sourceOf)]);
  if (node.type === 'ParenthesizedExpression') return typesIn(node.expression, sourceOf);
  return new Set(node.type === 'BinaryExpression' ? typeofs(node.left, sourceOf) : []);
}

/**
 * @param {any} node
 * @param {(node: any) => string} sourceOf
 * @returns {string[]}
 */
function typeofs(node, sourceOf) {
  /** @type {string[]} */
  const operands = [];
  visit(node, {}, (inner) => {
    if (inner.type === 'UnaryExpression' && inner.operator === 'typeof')
      operands.push(sourceOf(inner.argument));
  });
  return operands;
}
