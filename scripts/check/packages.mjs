import { withVersionEverywhere } from '../release/version-places.mjs';

const home = 'https://github.com/robota-sdk/robota';

/**
 * Packages that are published say where they come from, and bring a README and the licence. All name one version.
 * @param {import('./project.mjs').Project} project
 */
export function checkPackages(project) {
  return [...incompletePackages(project), ...otherVersions(project)];
}

/** Files that name another version than the command does. */
function otherVersions(/** @type {import('./project.mjs').Project} */ { files }) {
  const command = files.get('packages/agent-cli/package.json');
  if (command === undefined) return [];
  const { version } = JSON.parse(command);
  const others = withVersionEverywhere((file) => files.get(file) ?? '', version);
  const manifests = [...files].filter(
    ([file, text]) => /^packages\/[^/]+\/package\.json$/.test(file) && JSON.parse(text).version !== version,
  );
  return [...manifests, ...others.filter(([file, text]) => files.get(file) !== text)].map(([file]) => ({
    file,
    line: 1,
    message: `names another version than ${version}, which packages/agent-cli has`,
  }));
}

function incompletePackages(/** @type {import('./project.mjs').Project} */ project) {
  const manifests = [...project.files].filter(([file]) => /^packages\/[^/]+\/package\.json$/.test(file));
  return manifests.flatMap(([file, text]) => {
    const manifest = JSON.parse(text);
    if (manifest.private === true) return [];
    const folder = file.slice(0, -'/package.json'.length);
    const missing = ['README.md', 'LICENSE'].filter((name) => !project.files.has(`${folder}/${name}`));
    return [
      ...missing.map((name) => ({ file, line: 1, message: `${folder}/${name} is missing` })),
      ...Object.entries(expected(folder)).flatMap(([field, holds]) =>
        holds(manifest) ? [] : [{ file, line: 1, message: `"${field}" is missing or wrong` }],
      ),
    ];
  });
}

/** @typedef {Record<string, any>} Manifest */

/** @returns {Record<string, (manifest: Manifest) => boolean>} */
function expected(/** @type {string} */ folder) {
  return {
    description: ({ description }) => typeof description === 'string' && description !== '',
    license: ({ license }) => license === 'MIT',
    author: ({ author }) => typeof author === 'string' && author !== '',
    homepage: ({ homepage }) => String(homepage).startsWith(home),
    repository: ({ repository }) => repository?.url === `git+${home}.git` && repository.directory === folder,
    bugs: ({ bugs }) => bugs?.url === `${home}/issues`,
    keywords: ({ keywords }) => Array.isArray(keywords) && keywords.length > 0,
    // Scoped packages are private unless they say so.
    publishConfig: ({ publishConfig }) => publishConfig?.access === 'public',
  };
}
