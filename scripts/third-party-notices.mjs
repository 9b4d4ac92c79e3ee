// The licences of the packages that a bundle contains, in the form in which it is shipped with them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ name: string, version: string, license: string, texts: string[] }} Notice */

const title = 'Third-party notices';

/**
 * The notices of all packages that a bundler has read files of. Fails where a package does not say how it may be used.
 * @param {string} owner the package with the bundle
 * @param {readonly { inputs: Record<string, unknown> }[]} metafiles
 * @param {string} root the folder that the paths in them begin in
 */
export function thirdPartyNotices(owner, metafiles, root) {
  const heading = `${title}\n\n${owner} contains code of the following packages, each under its own licence.\n`;
  const folders = new Set(metafiles.flatMap(({ inputs }) => Object.keys(inputs).flatMap(packageFolder)));
  const standard = standardTexts(readFileSync(join(root, 'LICENSE'), 'utf8'));
  const notices = [...folders].map((folder) => noticeOf(join(root, folder), standard));
  const unique = new Map(notices.map((notice) => [`${notice.name}@${notice.version}`, notice]));
  const sorted = [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, notice]) => notice);
  /** @type {Map<string, string>} */
  const known = new Map();
  return [heading, ...sorted.map((notice) => described(notice, known))].join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * The notices of a package without a bundle: it contains nothing of others, and names what npm installs beside it.
 * @param {{ name: string, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} manifest
 * @param {string} root
 */
export function dependencyNotices({ name, dependencies, optionalDependencies }, root) {
  const others = Object.keys({ ...dependencies, ...optionalDependencies }).filter(
    (each) => !each.startsWith('@robota-sdk/'),
  );
  const lines = others.flatMap((each) => {
    const file = join(root, 'node_modules', each, 'package.json');
    if (!existsSync(file)) return [];
    const { version, license } = JSON.parse(readFileSync(file, 'utf8'));
    return [`- ${each} ${version}, ${license}: https://www.npmjs.com/package/${each}/v/${version}`];
  });
  const beside =
    lines.length === 0
      ? ''
      : `\nnpm installs these beside it, each under its own licence:\n\n${lines.join('\n')}\n`;
  return `${title}\n\n${name} contains no code of other projects.\n${beside}`;
}

/** `node_modules/@scope/name` of a path below it; the last one counts, since packages may be nested. */
function packageFolder(/** @type {string} */ path) {
  const [found] = /^.*(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replaceAll('\\', '/')) ?? [];
  return found === undefined ? [] : [found];
}

/**
 * The texts of licences that packages name without bringing them; that of MIT is our own, too.
 * @returns {Record<string, string>}
 */
function standardTexts(/** @type {string} */ own) {
  return {
    MIT: own.slice(own.indexOf('Permission is hereby granted')).trim(),
    ISC: `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.`,
  };
}

/**
 * @param {string} folder
 * @param {Record<string, string>} standard
 * @returns {Notice}
 */
function noticeOf(folder, standard) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) =>
    /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i.test(file),
  );
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length > 0) return { name, version, license: String(license ?? 'see below'), texts };
  const text = standard[license];
  if (text === undefined) throw new Error(`${name} ${version} is bundled and has no licence text.`);
  const owner = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
  return { name, version, license, texts: [`Copyright (c) ${owner}`, text] };
}

/**
 * @param {Notice} notice
 * @param {Map<string, string>} known the first package with each text, which is not repeated
 */
function described({ name, version, license, texts }, known) {
  const source = `https://www.npmjs.com/package/${name}/v/${version}`;
  const told = texts.flatMap(partsOf).map((text) => {
    // Packages break the lines of one licence in different places.
    const words = text.replace(/\s+/g, ' ');
    const owner = known.get(words);
    known.set(words, owner ?? name);
    return owner === undefined ? text : `The text is the same as that of ${owner} above.`;
  });
  return `${name} ${version}\nLicence: ${license}\n${source}\n\n${told.join('\n\n')}\n`;
}

/** The owners of a text, and the licence itself. */
function partsOf(/** @type {string} */ text) {
  return text.split(/^(?=Permission (?:is hereby granted|to use))/m).map((part) => part.trim());
}
