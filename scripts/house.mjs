// `npm run house` prints how much there is to read and to know in the whole tree, and in each package. It is a report: it never fails.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { isFixture, isTest, packageOf, readProject } from './check/project.mjs';

const decisions = [
  'IfStatement',
  'ConditionalExpression',
  'LogicalExpression',
  'SwitchCase',
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'CatchClause',
];
const token = /[A-Za-z_$][\w$]*|\d[\w.]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\s\w]/g;
const project = readProject(dirname(dirname(fileURLToPath(import.meta.url))));
const files = [...project.files].filter(([file]) => /\.(?:tsx?|css)$/.test(file) && !isFixture(file));
const isTesting = (/** @type {string} */ file) => isTest(file) || file.startsWith('packages/agent-testing/');
const measured = files
  .filter(([file]) => /^packages\/[^/]+\/src\//.test(file) && !isTesting(file))
  .map(([file, text]) => ({ package: String(packageOf(file)), ...measure(file, text) }));
const tests = files.filter(([file]) => /^(?:packages|test)\//.test(file) && isTesting(file));

const names = [...new Set(measured.map((row) => row.package))];
const rows = names.map((name) => ({ name, ...total(measured.filter((row) => row.package === name)) }));
rows.sort((one, other) => other.lines - one.lines);
process.stdout.write(
  `${table([...rows, { name: `${rows.length} packages`, ...total(measured) }])}\n${tests.length.toLocaleString('en')} test files with ${tests
    .reduce((sum, [, text]) => sum + linesOf(text), 0)
    .toLocaleString('en')} lines\n`,
);

function measure(/** @type {string} */ file, /** @type {string} */ text) {
  const size = {
    files: 1,
    lines: linesOf(text),
    tokens: 0,
    decisions: 0,
    regexes: 0,
    exports: 0,
    types: 0,
    spreads: 0,
  };
  if (file.endsWith('.css')) return size;
  const { program, comments, module } = parseSync(file, text);
  let rest = text;
  for (const { start, end } of comments.toReversed()) rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  size.tokens = rest.match(token)?.length ?? 0;
  // Names of this file; those that it only hands on count where they are declared.
  size.exports = module.staticExports
    .flatMap(({ entries }) => entries)
    .filter((entry) => !entry.moduleRequest).length;
  /** @type {Record<string, (node: any) => void>} */
  const visit = {
    Literal: (node) => {
      if (node.regex) size.regexes += 1;
    },
    TSInterfaceDeclaration: () => {
      size.types += 1;
    },
    TSTypeAliasDeclaration: () => {
      size.types += 1;
    },
    ObjectExpression: ({ properties }) => {
      size.spreads += properties.filter(isConditionalSpread).length;
    },
  };
  for (const type of decisions)
    visit[type] = () => {
      size.decisions += 1;
    };
  new Visitor(visit).visit(program);
  return size;
}

/** `...(a && { b })`: an object is packed again, with a field that may be missing. */
function isConditionalSpread(/** @type {any} */ { type, argument }) {
  if (type !== 'SpreadElement') return false;
  let value = argument;
  while (value.type === 'ParenthesizedExpression') value = value.expression;
  return /^(?:Logical|Conditional)Expression$/.test(value.type) || /^given/.test(value.callee?.name ?? '');
}

function linesOf(/** @type {string} */ text) {
  return text.split('\n').length - 1;
}

function total(/** @type {typeof measured} */ list) {
  const sum = (/** @type {Exclude<keyof typeof measured[number], 'package'>} */ key) =>
    list.reduce((all, row) => all + row[key], 0);
  return {
    files: sum('files'),
    lines: sum('lines'),
    tokens: sum('tokens'),
    decisions: sum('decisions'),
    regexes: sum('regexes'),
    exports: sum('exports'),
    types: sum('types'),
    spreads: sum('spreads'),
  };
}

function table(/** @type {{ name: string }[]} */ list) {
  const [first] = list;
  if (!first) return '';
  const lines = [
    Object.keys(first),
    ...list.map((row) =>
      Object.values(row).map((value) =>
        Number.isInteger(value) ? Number(value).toLocaleString('en') : String(value),
      ),
    ),
  ];
  const widths = Object.keys(first).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}
