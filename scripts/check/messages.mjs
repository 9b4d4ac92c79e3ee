import { parseSync } from 'oxc-parser';
import { isTest, packageOf } from './project.mjs';

/** Reads of messages that have a reason: mostly words of other programs, which say no more than a text. */
const exceptionsFile = 'scripts/check/message-exceptions.json';

/** Methods of a text that look for something in it. */
const searches = new Set(
  'startsWith endsWith includes indexOf lastIndexOf match matchAll search split replace replaceAll'.split(
    ' ',
  ),
);
/** Methods of a text that give it back, more or less. */
const copies = new Set('trim trimStart trimEnd toLowerCase toUpperCase slice substring normalize'.split(' '));
/** Functions that make a message. */
const makers = new Set([
  'errorMessage',
  'errorReport',
  'describeProblem',
  'describeHint',
  'summarizeProblem',
]);
/** Names that only messages have. */
const names = new Set('message warning notice problem complaint reason advice hint why'.split(' '));

/**
 * @typedef {{ file: string, text: string, reason: string }} MessageException
 */

/**
 * Code decides by codes and fields, never by the words of a message: nothing is searched for in `error.message`, in
 * `errorMessage(x)`, in a description of a problem, or in a variable that holds one of these.
 * @param {import('./project.mjs').Project} project
 */
export function checkMessages(project) {
  /** @type {MessageException[]} */
  const exceptions = JSON.parse(project.files.get(exceptionsFile) ?? '[]');
  const used = new Set();
  const problems = [...project.files]
    .filter(([file]) => isProduct(file))
    .flatMap(([file, text]) =>
      searchesIn(file, text).filter(({ code }) => {
        const found = exceptions.find((each) => each.file === file && each.text === code);
        if (found) used.add(found);
        return !found;
      }),
    )
    .map(({ file, line, code }) => ({
      file,
      line,
      message: `${code} reads a message: decide by a code or a field, or list it in ${exceptionsFile} with a reason`,
    }));
  const unused = exceptions.filter((each) => !used.has(each));
  return [
    ...problems,
    ...unused.map(({ file, text }) => ({ file, line: 1, message: `unused exception ${text}` })),
  ];
}

function isProduct(/** @type {string} */ file) {
  const owner = packageOf(file);
  return owner !== undefined && owner !== 'agent-testing' && /\/src\/.*\.tsx?$/.test(file) && !isTest(file);
}

function searchesIn(/** @type {string} */ file, /** @type {string} */ text) {
  /** @type {{ file: string, line: number, code: string }[]} */
  const found = [];
  visit(parseSync(file, text).program, new Set(), (node, known) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return;
    const { object, property } = node.callee;
    // Lines are split for layout.
    const isLayout = node.arguments[0]?.value === '\n';
    const isSearch = searches.has(property.name) && !isLayout && isMessage(object, known);
    const isPattern = ['test', 'exec'].includes(property.name) && isMessage(node.arguments[0], known);
    if (!isSearch && !isPattern) return;
    const line = text.slice(0, node.start).split('\n').length;
    found.push({ file, line, code: text.slice(node.start, node.end).replace(/\s+/g, ' ') });
  });
  return found;
}

/**
 * Walks a tree with the names that hold a message where a node stands; a function's own end with it.
 * @param {any} node
 * @param {Set<string>} outer
 * @param {(node: any, known: Set<string>) => void} each
 */
function visit(node, outer, each) {
  if (node === null || typeof node !== 'object') return;
  const isFunction = /Function/.test(node.type ?? '');
  const known = isFunction ? new Set(outer) : outer;
  if (isFunction) for (const parameter of node.params ?? []) learn(parameter, undefined, known);
  if (node.type === 'VariableDeclarator') learn(node.id, node.init, known);
  if (typeof node.type === 'string') each(node, known);
  for (const value of Object.values(node)) visit(value, known, each);
}

/**
 * Notes the names that a parameter or a declaration gives to a message, and forgets those it gives to something else.
 * @param {any} pattern
 * @param {any} value
 * @param {Set<string>} known
 */
function learn(pattern, value, known) {
  if (pattern.type === 'Identifier') {
    if (value && isMessage(value, known)) known.add(pattern.name);
    else known.delete(pattern.name);
  }
  if (pattern.type === 'AssignmentPattern') learn(pattern.left, value, known);
  if (pattern.type === 'ObjectPattern')
    for (const property of pattern.properties) {
      const target = property.value?.type === 'AssignmentPattern' ? property.value.left : property.value;
      if (target?.type !== 'Identifier') continue;
      if (names.has(property.key?.name)) known.add(target.name);
      else known.delete(target.name);
    }
}

/** @returns {boolean} */
function isMessage(/** @type {any} */ node, /** @type {Set<string>} */ known) {
  switch (node?.type) {
    case 'Identifier':
      return names.has(node.name) || known.has(node.name);
    case 'MemberExpression':
      return names.has(node.property.name);
    case 'CallExpression': {
      const { callee } = node;
      if (callee.type === 'Identifier') return makers.has(callee.name);
      const method = callee.property?.name;
      return (copies.has(method) || searches.has(method)) && isMessage(callee.object, known);
    }
    case 'LogicalExpression':
      return isMessage(node.left, known) || isMessage(node.right, known);
    case 'ConditionalExpression':
      return isMessage(node.consequent, known) || isMessage(node.alternate, known);
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return isMessage(node.expression, known);
    default:
      return false;
  }
}
