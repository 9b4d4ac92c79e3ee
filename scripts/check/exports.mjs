import { packageOf } from './project.mjs';

/** Where the agreed public names of every package are kept. */
export const snapshotFile = 'scripts/check/public-exports.json';

/**
 * What a package offers is written out name by name, and changes only on purpose.
 * @param {import('./project.mjs').Project} project
 */
export function checkExports(project) {
  const agreed = JSON.parse(project.files.get(snapshotFile) ?? '{}');
  const actual = publicExports(project);
  const names = [...new Set([...Object.keys(agreed), ...Object.keys(actual)])];
  return [
    ...indexFiles(project).flatMap((file) => formProblems(project, file)),
    ...names.flatMap((name) => differences({ name, agreed: agreed[name] ?? [], actual: actual[name] ?? [] })),
  ];
}

/**
 * The sorted public names of every package; types are marked, since a value that becomes a type breaks its users.
 * @param {import('./project.mjs').Project} project
 */
export function publicExports(project) {
  /** @type {Record<string, string[]>} */
  const result = {};
  for (const file of indexFiles(project)) {
    if (isPrivate(project, file)) continue;
    const exported = project.parse(file).exported.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    result[String(packageOf(file))] = exported.map(({ name, type }) => (type ? `type ${name}` : name));
  }
  return result;
}

function indexFiles(/** @type {import('./project.mjs').Project} */ project) {
  return [...project.files.keys()].filter((file) => /^packages\/[^/]+\/src\/index\.ts$/.test(file));
}

function isPrivate(/** @type {import('./project.mjs').Project} */ project, /** @type {string} */ file) {
  return JSON.parse(project.files.get(`packages/${packageOf(file)}/package.json`) ?? '{}').private === true;
}

function formProblems(/** @type {import('./project.mjs').Project} */ project, /** @type {string} */ file) {
  const message = "only named re-exports stand here: export { name } from './name.ts'";
  const { others, exported } = project.parse(file);
  const defaults = exported.filter(({ name }) => name === 'default').map(({ line }) => line);
  return [...others, ...defaults].map((line) => ({ file, line, message }));
}

/** @param {{ name: string, agreed: string[], actual: string[] }} names */
function differences({ name, agreed, actual }) {
  const added = actual.filter((entry) => !agreed.includes(entry)).map((entry) => `+ ${entry}`);
  const removed = agreed.filter((entry) => !actual.includes(entry)).map((entry) => `- ${entry}`);
  if (added.length + removed.length === 0) return [];
  const message = `public names changed: ${[...removed, ...added].join(', ')}. If meant: npm run check -- --update`;
  return [{ file: `packages/${name}/src/index.ts`, line: 1, message }];
}
