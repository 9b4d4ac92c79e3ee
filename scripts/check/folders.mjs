import { posix } from 'node:path';
import { isCode, isFixture, isTest, packageOf } from './project.mjs';

/** Limits that keep a package and a folder small enough to know by heart. */
const packageLines = 15_500;
const folderFiles = 25;
const tinyLines = 15;

/**
 * @typedef {import('./project.mjs').Project} Project
 * @typedef {import('./project.mjs').Problem} Problem
 * @typedef {{ from: string, to: string, line: number, isType: boolean, isLazy: boolean }} Edge
 */

/**
 * Folders of a package import each other in one direction, and stay small.
 * @param {Project} project
 * @returns {Problem[]}
 */
export function checkFolders(project) {
  const files = [...project.files.keys()].filter(isSource);
  const edges = files.flatMap((file) => edgesOf(project, file));
  return [
    ...cycles(edges.filter(({ from, isType }) => !isEntry(from) && !isType)),
    ...crowded(files),
    ...large(project, files),
    ...tiny(project, files, edges),
  ];
}

function isSource(/** @type {string} */ file) {
  return /^packages\/[^/]+\/src\//.test(file) && isCode(file) && !isTest(file) && !isFixture(file);
}

/** Collects what a package offers; only the outside imports it. */
function isEntry(/** @type {string} */ file) {
  return /^packages\/[^/]+\/src\/(index|front-end|compat|testing|proves)\.ts$/.test(file);
}

/** @returns {Edge[]} */
function edgesOf(/** @type {Project} */ project, /** @type {string} */ file) {
  return project.parse(file).imports.flatMap(({ specifier, line, type, lazy }) => {
    const to = posix.join(posix.dirname(file), specifier);
    return specifier.startsWith('.') && packageOf(to) === packageOf(file)
      ? [{ from: file, to, line, isType: type, isLazy: lazy }]
      : [];
  });
}

/**
 * Every import that is part of a cycle of folders.
 * @returns {Problem[]}
 */
function cycles(/** @type {Edge[]} */ edges) {
  /** @type {Map<string, Set<string>>} */
  const next = new Map();
  for (const { from, to } of edges) {
    const [a, b] = [posix.dirname(from), posix.dirname(to)];
    if (a !== b) next.set(a, (next.get(a) ?? new Set()).add(b));
  }
  return edges.flatMap(({ from, to, line }) => {
    const [a, b] = [posix.dirname(from), posix.dirname(to)];
    if (a === b || !reaches(next, b, a)) return [];
    return { file: from, line, message: `imports ${shortened(b)}, which imports ${shortened(a)} in turn` };
  });
}

function reaches(
  /** @type {Map<string, Set<string>>} */ next,
  /** @type {string} */ from,
  /** @type {string} */ goal,
) {
  const seen = new Set([from]);
  for (const folder of seen) {
    if (folder === goal) return true;
    for (const other of next.get(folder) ?? []) seen.add(other);
  }
  return false;
}

/** @returns {Problem[]} */
function crowded(/** @type {string[]} */ files) {
  const folders = groupBy(files, (file) => posix.dirname(file));
  return [...folders].flatMap(([folder, list]) =>
    list.length <= folderFiles
      ? []
      : {
          file: folder,
          line: 1,
          message: `${list.length} source files, at most ${folderFiles}: split the folder`,
        },
  );
}

/** @returns {Problem[]} */
function large(/** @type {Project} */ project, /** @type {string[]} */ files) {
  const packages = groupBy(files, (file) => String(packageOf(file)));
  return [...packages].flatMap(([name, list]) => {
    const lines = list.reduce((sum, file) => sum + linesOf(project, file).length, 0);
    if (lines <= packageLines) return [];
    return { file: `packages/${name}`, line: 1, message: `${lines} source lines, at most ${packageLines}` };
  });
}

/**
 * A few lines that one neighbour needs belong to that neighbour, unless they are loaded on demand.
 * @returns {Problem[]}
 */
function tiny(/** @type {Project} */ project, /** @type {string[]} */ files, /** @type {Edge[]} */ edges) {
  const users = groupBy(edges, ({ to }) => to);
  return files.flatMap((file) => {
    const code = linesOf(project, file).filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line));
    if (isEntry(file) || code.length >= tinyLines) return [];
    const uses = users.get(file) ?? [];
    const [first, ...others] = [...new Set(uses.map(({ from }) => from))];
    if (uses.some(({ isLazy }) => isLazy)) return [];
    if (!first || others.length > 0 || isEntry(first) || posix.dirname(first) !== posix.dirname(file))
      return [];
    return {
      file,
      line: 1,
      message: `${code.length} lines that only ${posix.basename(first)} uses: fold it in`,
    };
  });
}

/**
 * @template T
 * @returns {Map<string, T[]>}
 */
function groupBy(/** @type {readonly T[]} */ items, /** @type {(item: T) => string} */ keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function linesOf(/** @type {Project} */ project, /** @type {string} */ file) {
  return (project.files.get(file) ?? '').split('\n').slice(0, -1);
}

function shortened(/** @type {string} */ folder) {
  return folder.replace(/^packages\/[^/]+\/src\//, '');
}
