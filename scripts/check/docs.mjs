import { posix } from 'node:path';
import { isFixture } from './project.mjs';

const link = /\[[^\]]*\]\(([^)\s]+)[^)]*\)/g;

/**
 * Links in the documentation lead to files that exist.
 * @param {import('./project.mjs').Project} project
 */
export function checkDocs(project) {
  const folders = new Set([...project.files.keys()].flatMap(foldersOf));
  return [...project.files].flatMap(([file, text]) => {
    if (!file.endsWith('.md') || isFixture(file)) return [];
    return linesOutsideCode(text).flatMap(({ content, line }) =>
      [...content.matchAll(link)].flatMap(([, target = '']) => {
        if (/^([a-z]+:|#)/i.test(target)) return [];
        const path = posix.join(posix.dirname(file), decodeURIComponent(target.replace(/#.*$/, '')));
        const exists = project.files.has(path) || folders.has(path.replace(/\/$/, ''));
        return exists ? [] : { file, line, message: `the link leads nowhere: ${target}` };
      }),
    );
  });
}

function linesOutsideCode(/** @type {string} */ text) {
  let inside = false;
  return text.split('\n').flatMap((content, index) => {
    const isFence = /^\s*(```|~~~)/.test(content);
    if (isFence) inside = !inside;
    return inside || isFence ? [] : { content: content.replace(/`[^`]*`/g, ''), line: index + 1 };
  });
}

function foldersOf(/** @type {string} */ file) {
  const parts = file.split('/').slice(0, -1);
  return ['.', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}
