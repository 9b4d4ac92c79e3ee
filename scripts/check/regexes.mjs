import { createHash } from 'node:crypto';
import { parseSync } from 'oxc-parser';
import { checkSync } from 'recheck';
import { isTest, packageOf } from './project.mjs';

/**
 * @typedef {{ file: string, line: number, pattern: string, flags: string }} Regex
 * @typedef {{ file: string, line: number, code: string }} BuiltRegex
 * @typedef {{ file: string, text: string, reason: string }} RegexException
 * @typedef {{ type: string, start: number, end: number }} Node
 */

/** Digests of expressions that were proven linear before, so that only new ones are analysed. */
export const provenFile = 'scripts/check/linear-regexes.json';
/** Expressions that cannot be proven linear, with the reason why they are no danger: a bound it names is enforced in code. */
const exceptionsFile = 'scripts/check/regex-exceptions.json';
const analysisMs = 90_000;

/**
 * No regular expression of the product may take more than linear time. Those built while the program runs, and those that
 * only see bounded input, are listed with a reason.
 * @param {import('./project.mjs').Project} project
 */
export function checkRegexes(project) {
  const { regexes, built } = regexesOf(project);
  /** @type {RegexException[]} */
  const exceptions = JSON.parse(project.files.get(exceptionsFile) ?? '[]');
  const proven = new Set(provenIn(project));
  const used = new Set();
  const isExcepted = (/** @type {string} */ file, /** @type {string} */ text) => {
    const found = exceptions.find((each) => each.file === file && each.text === text);
    if (found) used.add(found);
    return found !== undefined;
  };
  const problems = [
    ...built
      .filter(({ file, code }) => !isExcepted(file, code))
      .map(({ file, line, code }) => ({
        file,
        line,
        message: `${code} cannot be analysed: use a literal, or list it in ${exceptionsFile} with a reason`,
      })),
    ...regexes
      .filter(({ file, pattern, flags }) => !isExcepted(file, `/${pattern}/${flags}`))
      .flatMap((regex) => {
        if (proven.has(digestOf(regex))) return [];
        const message = slowness(regex);
        return message === undefined ? [] : [{ file: regex.file, line: regex.line, message }];
      }),
  ];
  const unused = exceptions.filter((each) => !used.has(each));
  return [
    ...problems,
    ...unused.map(({ file, text }) => ({ file, line: 1, message: `unused exception ${text}` })),
  ];
}

/** Digests of all expressions that are linear, for the file that remembers them. */
export function provenRegexes(/** @type {import('./project.mjs').Project} */ project) {
  const known = new Set(provenIn(project));
  const digests = regexesOf(project).regexes.flatMap((regex) => {
    const digest = digestOf(regex);
    return known.has(digest) || slowness(regex) === undefined ? [digest] : [];
  });
  return [...new Set(digests)].sort();
}

/** @returns {string[]} */
function provenIn(/** @type {import('./project.mjs').Project} */ project) {
  return JSON.parse(project.files.get(provenFile) ?? '[]');
}

function digestOf(/** @type {Regex} */ { pattern, flags }) {
  return createHash('sha256').update(`/${pattern}/${flags}`).digest('hex').slice(0, 16);
}

/** @returns {string | undefined} */
function slowness(/** @type {Regex} */ { pattern, flags }) {
  const verdict = checkSync(pattern, flags, { timeout: analysisMs });
  if (verdict.status === 'safe') return undefined;
  if (verdict.status === 'unknown') return `/${pattern}/${flags} cannot be proven linear`;
  const { complexity, attack } = verdict;
  return `/${pattern}/${flags} takes ${complexity.type} time, slow on ${attack.pattern.slice(0, 80)}`;
}

/** @returns {{ regexes: Regex[], built: BuiltRegex[] }} */
function regexesOf(/** @type {import('./project.mjs').Project} */ project) {
  /** @type {Regex[]} */
  const regexes = [];
  /** @type {BuiltRegex[]} */
  const built = [];
  for (const [file, text] of project.files) {
    if (!isProduct(file) || !/RegExp|\//.test(text)) continue;
    const { program } = parseSync(file, text);
    const lineOf = (/** @type {Node} */ node) => text.slice(0, node.start).split('\n').length;
    const constants = constantsOf(program);
    walk(program, (node) => {
      if (node.type === 'Literal' && node.regex)
        regexes.push({ file, line: lineOf(node), pattern: node.regex.pattern, flags: node.regex.flags });
      if (!/^(?:New|Call)Expression$/.test(node.type) || node.callee?.name !== 'RegExp') return;
      const [pattern, flags] = node.arguments.map((/** @type {any} */ part) => textOf(part, constants));
      const code = text.slice(node.start, node.end).replace(/\s+/g, ' ');
      const isKnown = pattern !== undefined && (node.arguments.length < 2 || flags !== undefined);
      if (isKnown) regexes.push({ file, line: lineOf(node), pattern, flags: flags ?? '' });
      else built.push({ file, line: lineOf(node), code });
    });
  }
  return { regexes, built };
}

function isProduct(/** @type {string} */ file) {
  const owner = packageOf(file);
  return owner !== undefined && owner !== 'agent-testing' && /\/src\/.*\.tsx?$/.test(file) && !isTest(file);
}

/** The texts of `const name = '…'` at any level; a name with two meanings has none here. */
function constantsOf(/** @type {unknown} */ program) {
  /** @type {Map<string, string | undefined>} */
  const constants = new Map();
  walk(program, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !node.init) return;
    const { name } = node.id;
    constants.set(name, constants.has(name) ? undefined : textOf(node.init, constants));
  });
  return constants;
}

/** @returns {string | undefined} */
function textOf(/** @type {any} */ node, /** @type {Map<string, string | undefined>} */ constants) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'Identifier') return constants.get(node.name);
  const isRaw = node.type === 'TaggedTemplateExpression';
  if (isRaw && !(node.tag.object?.name === 'String' && node.tag.property?.name === 'raw')) return undefined;
  const template = isRaw ? node.quasi : node;
  if (template.type !== 'TemplateLiteral') return undefined;
  const values = template.expressions.map((/** @type {any} */ part) => textOf(part, constants));
  if (values.includes(undefined)) return undefined;
  return template.quasis
    .map(
      (/** @type {any} */ part, /** @type {number} */ at) =>
        (isRaw ? part.value.raw : part.value.cooked) + (values[at] ?? ''),
    )
    .join('');
}

function walk(/** @type {any} */ node, /** @type {(node: any) => void} */ visit) {
  if (node === null || typeof node !== 'object') return;
  if (typeof node.type === 'string') visit(node);
  for (const value of Object.values(node)) walk(value, visit);
}
