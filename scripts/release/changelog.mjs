/**
 * @typedef {object} Status What `changeset status` writes.
 * @property {{ summary: string, releases: { type: string }[] }[]} changesets
 * @property {{ name: string, type: string, newVersion: string }[]} releases
 */

const headings = { major: 'Breaking changes', minor: 'Added', patch: 'Fixed' };

/** The version that the changes make; all packages share it. */
export function nextVersion(/** @type {Status} */ { releases }) {
  const versions = new Set(releases.map((release) => release.newVersion));
  const [version] = versions;
  if (version === undefined) {
    throw new Error('There is nothing to release. Describe a change with `npm run changeset` first.');
  }
  if (versions.size > 1)
    throw new Error(`The packages would get different versions: ${[...versions].join(', ')}.`);
  return version;
}

/**
 * Puts the changes of a version above those of the versions before it.
 * @param {string} changelog
 * @param {Status} status
 */
export function withVersion(changelog, status) {
  const sections = Object.entries(headings).flatMap(([type, heading]) => {
    const lines = status.changesets.filter((change) => strongest(change.releases) === type).map(lineOf);
    return lines.length === 0 ? [] : [`### ${heading}\n\n${lines.join('\n')}\n`];
  });
  const section = `## ${nextVersion(status)}\n\n${sections.join('\n')}\n`;
  const first = changelog.search(/^## /m);
  return first < 0
    ? `${changelog.trimEnd()}\n\n${section}`
    : changelog.slice(0, first) + section + changelog.slice(first);
}

function strongest(/** @type {readonly { type: string }[]} */ releases) {
  return Object.keys(headings).find((type) => releases.some((release) => release.type === type));
}

/** The paragraphs and list items of a change, each as one item. */
function lineOf(/** @type {{ summary: string }} */ { summary }) {
  const parts = summary.trim().split(/\n\n+|\n(?=- )/);
  return parts.map((part) => `- ${part.replace(/^- /, '').trim().split('\n').join('\n  ')}`).join('\n');
}
