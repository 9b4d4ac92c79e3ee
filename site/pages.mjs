import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiPage } from './reference/api.mjs';
import { keysPage } from './reference/keys.mjs';
import { commandsPage, eventsPage, optionsPage, settingsPage } from './reference/program.mjs';
import { sections } from './sections.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = 'https://github.com/robota-sdk/robota/blob/main';

/** Pages that the program writes. */
const generated = {
  'reference/options': optionsPage,
  'reference/commands': commandsPage,
  'reference/keys': keysPage,
  'reference/events': eventsPage,
  'reference/settings-schema': settingsPage,
  'reference/api': apiPage,
};

/** Files outside docs/ that are pages, too. */
const elsewhere = { security: 'SECURITY.md', changelog: 'CHANGELOG.md' };

/**
 * All pages of the site by their path. Links that lead out of docs/ lead to the repository there.
 * @returns {Promise<Map<string, string>>}
 */
export async function sitePages() {
  const names = Object.values(sections).flat();
  /** @type {[string, string][]} */
  const pages = [['index.md', readFileSync(join(root, 'site/index.md'), 'utf8')]];
  for (const name of names) pages.push([`${name}.md`, await textOf(name, new Set(names))]);
  return new Map(pages);
}

async function textOf(/** @type {string} */ name, /** @type {ReadonlySet<string>} */ names) {
  const write = generated[/** @type {keyof typeof generated} */ (name)];
  if (write) return write();
  const file = elsewhere[/** @type {keyof typeof elsewhere} */ (name)] ?? `docs/${name}.md`;
  const path = join(root, file);
  if (!existsSync(path)) throw new Error(`${file} is in the menu of the site, but is no file.`);
  return withLinks(readFileSync(path, 'utf8'), { file, name, names });
}

/**
 * @param {string} text
 * @param {{ file: string, name: string, names: ReadonlySet<string> }} page
 */
function withLinks(text, { file, name, names }) {
  const pieces = text.split(/(^```[\s\S]*?^```|`[^`\n]*`)/m);
  return pieces
    .map((piece) =>
      piece.startsWith('`')
        ? piece
        : piece
            .replaceAll(/\]\(([^)\s#]+)(#[^)\s]*)?\)/g, (whole, target, anchor = '') =>
              /^[a-z]+:/.test(target) ? whole : `](${place(target)}${anchor})`,
            )
            .replaceAll(/(?<= src(?:set)?=")[^":\s]+(?=")/g, (target) => place(target)),
    )
    .join('');

  function place(/** @type {string} */ target) {
    const path = posix.join(posix.dirname(file), target);
    const own = Object.entries(elsewhere).find(([, from]) => from === path)?.[0];
    const page = own ?? path.replace(/^docs\//, '').replace(/\.md$/, '');
    if (path.startsWith('docs/media/')) return `/media/${path.slice('docs/media/'.length)}`;
    if (!names.has(page) || !(own || path.startsWith('docs/'))) return `${source}/${path}`;
    return posix
      .relative(posix.dirname(`/${name}`), `/${page}`)
      .replace(/^(?!\.)/, './')
      .concat('.md');
  }
}
