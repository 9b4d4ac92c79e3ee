// The files of the project as the checks see them. Checks are pure functions over this, so tests give them a few
// files as text and the command gives them the checkout.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * @typedef {{ file: string, line: number, message: string }} Problem
 * @typedef {{ specifier: string, line: number, lazy: boolean, type: boolean }} Import
 * @typedef {{ value: string, line: number }} Comment
 * @typedef {{ name: string, line: number, type: boolean }} ExportedName
 * @typedef {{ imports: Import[], comments: Comment[], exported: ExportedName[], others: number[] }} Parsed
 * @typedef {{ files: Map<string, string>, parse(file: string): Parsed }} Project
 */

const largestText = 1_000_000;

/** Everything that is or could be committed; ignored files are left out. */
export function readProject(/** @type {string} */ root) {
  const options = { cwd: root, encoding: /** @type {const} */ ('utf8'), maxBuffer: 1 << 26 };
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], options);
  /** @type {Record<string, string>} */
  const files = {};
  for (const file of listed.split('\0').filter(Boolean)) {
    const stat = statSync(join(root, file), { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > largestText) continue;
    const text = readFileSync(join(root, file), 'utf8');
    if (!text.includes('\0')) files[file] = text;
  }
  return createProject(files);
}

/** @returns {Project} */
export function createProject(/** @type {Record<string, string>} */ files) {
  const texts = new Map(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  /** @type {Map<string, Parsed>} */
  const parsed = new Map();
  return {
    files: texts,
    parse(file) {
      const known = parsed.get(file);
      if (known) return known;
      const fresh = parseModule(file, texts.get(file) ?? '');
      parsed.set(file, fresh);
      return fresh;
    },
  };
}

/** The name of the package a file belongs to, or undefined for files of the workspace itself. */
export function packageOf(/** @type {string} */ file) {
  return /^packages\/([^/]+)\//.exec(file)?.[1];
}

export function isCode(/** @type {string} */ file) {
  return /\.(tsx?|mjs)$/.test(file) && !isFixture(file);
}

export function isTest(/** @type {string} */ file) {
  return /\.test\.tsx?$/.test(file) || /^(test|bench)\//.test(file) || isSuite(file);
}

/** Tests that several packages run, each with its own connection. */
export function isSuite(/** @type {string} */ file) {
  return /(^|\/)suites\//.test(file);
}

export function isFixture(/** @type {string} */ file) {
  return /(^|\/)fixtures\/|^test\/golden\/recorded\//.test(file);
}

/** @returns {Parsed} */
function parseModule(/** @type {string} */ file, /** @type {string} */ text) {
  const parsed = parseSync(file, text);
  const { module, comments } = parsed;
  const lineAt = lineFinder(text);
  const entries = module.staticExports.flatMap((statement) => statement.entries);
  const statics = [
    ...module.staticImports.map(({ moduleRequest, entries: names }) => ({
      ...moduleRequest,
      type: names.length > 0 && names.every(({ isType }) => isType),
    })),
    ...entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? [{ ...moduleRequest, type: isType }] : [],
    ),
  ].map(({ value, start, type }) => ({ specifier: value, line: lineAt(start), lazy: false, type }));
  const lazies = module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
    specifier: text.slice(start, end).replace(/^['"`]|['"`]$/g, ''),
    line: lineAt(start),
    lazy: true,
    type: false,
  }));
  return {
    imports: [...statics, ...lazies],
    comments: comments.map(({ value, start }) => ({ value, line: lineAt(start) })),
    exported: entries.flatMap(({ exportName, isType, start }) =>
      exportName.name === null ? [] : { name: exportName.name, type: isType, line: lineAt(start) },
    ),
    // The parser makes its tree when it is asked for, which takes longer than all the rest.
    get others() {
      const { body } = parsed.program;
      return body.filter((node) => !isNamedReExport(node)).map((node) => lineAt(node.start));
    },
  };
}

/** `export { a } from './a.ts'`, `export type { A } from './a.ts'`, or the empty `export {}`. */
function isNamedReExport(/** @type {import('oxc-parser').Program['body'][number]} */ node) {
  if (node.type !== 'ExportNamedDeclaration' || node.declaration) return false;
  return node.source !== null || node.specifiers.length === 0;
}

function lineFinder(/** @type {string} */ text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (/** @type {number} */ offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (Number(starts[middle]) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
