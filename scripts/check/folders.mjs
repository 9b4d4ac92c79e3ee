import { posix } from 'node:path';
import { isCode, isFixture, isTest, packageOf } from './project.mjs';

/**
 * @typedef {import('./project.mjs').Project} Project
 * @typedef {import('./project.mjs').Problem} Problem
 * @typedef {{ from: string, to: string, line: number, isType: boolean }} Edge
 */

/**
 * Folders of a package import each other in one direction.
 * @param {Project} project
 * @returns {Problem[]}
 */
export function checkFolders(project) {
  const files = [...project.files.keys()].filter(isSource);
  const edges = files.flatMap((file) => edgesOf(project, file));
  return cycles(edges.filter(({ from, isType }) => !isEntry(from) && !isType));
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
  return project.parse(file).imports.flatMap(({ specifier, line, type }) => {
    const to = posix.join(posix.dirname(file), specifier);
    return specifier.startsWith('.') && packageOf(to) === packageOf(file)
      ? [{ from: file, to, line, isType: type }]
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

function shortened(/** @type {string} */ folder) {
  return folder.replace(/^packages\/[^/]+\/src\//, '');
}
