import { packageOf } from './project.mjs';

const entry = /^packages\/([^/]+)\/src\/([a-z-]+)\.ts$/;

/** The snapshot of the public names of every package. */
export const snapshotFile = 'scripts/check/public-exports.json';

/**
 * Public names are listed one by one, and change only on purpose.
 * @param {import('./project.mjs').Project} project
 */
export function checkExports(project) {
  const agreed = JSON.parse(project.files.get(snapshotFile) ?? '{}');
  const actual = publicExports(project);
  const names = [...new Set([...Object.keys(agreed), ...Object.keys(actual)])];
  return [
    ...entryFiles(project).flatMap((file) => formProblems(project, file)),
    ...names.flatMap((name) => differences({ name, agreed: agreed[name] ?? [], actual: actual[name] ?? [] })),
  ];
}

/**
 * The sorted public names of every package and sub-path; types are marked, since a value that becomes a type breaks its
 * users.
 * @param {import('./project.mjs').Project} project
 */
export function publicExports(project) {
  /** @type {Record<string, string[]>} */
  const result = {};
  for (const file of entryFiles(project)) {
    if (manifestOf(project, file).private === true) continue;
    const exported = project.parse(file).exported.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    result[nameOf(file)] = exported.map(({ name, type }) => (type ? `type ${name}` : name));
  }
  return result;
}

/** The files at the root of a package's source that its manifest exports; index.ts always counts. */
function entryFiles(/** @type {import('./project.mjs').Project} */ project) {
  return [...project.files.keys()].filter((file) => {
    const [, , stem] = entry.exec(file) ?? [];
    return (
      stem === 'index' || (stem !== undefined && `./${stem}` in (manifestOf(project, file).exports ?? {}))
    );
  });
}

function manifestOf(/** @type {import('./project.mjs').Project} */ project, /** @type {string} */ file) {
  return JSON.parse(project.files.get(`packages/${packageOf(file)}/package.json`) ?? '{}');
}

/** `agent-sdk` for its index, `agent-sdk/compat` for a sub-path. */
function nameOf(/** @type {string} */ file) {
  const [, name = '', stem] = entry.exec(file) ?? [];
  return stem === 'index' ? name : `${name}/${stem}`;
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
  const [folder, stem = 'index'] = name.split('/');
  return [{ file: `packages/${folder}/src/${stem}.ts`, line: 1, message }];
}
