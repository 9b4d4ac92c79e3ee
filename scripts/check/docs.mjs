import { posix } from 'node:path';
import { isFixture } from './project.mjs';

const link = /\[[^\]]*\]\(([^)\s]+)[^)]*\)/g;

/**
 * Links in the documentation lead to files that exist, and every fenced block says what is in it.
 * @param {import('./project.mjs').Project} project
 */
export function checkDocs(project) {
  const folders = new Set([...project.files.keys()].flatMap(foldersOf));
  return [...project.files].flatMap(([file, text]) => {
    if (!file.endsWith('.md') || isFixture(file)) return [];
    const unnamed = unnamedBlocks(text).map((line) => ({
      file,
      line,
      message:
        'the block has no label: write sh for commands (with a mark of test/docs-calls.test.ts), or text',
    }));
    const lost = linesOutsideCode(text).flatMap(({ content, line }) =>
      [...content.matchAll(link)].flatMap(([, target = '']) => {
        if (/^([a-z]+:|#)/i.test(target)) return [];
        const path = posix.join(posix.dirname(file), decodeURIComponent(target.replace(/#.*$/, '')));
        const exists = project.files.has(path) || folders.has(path.replace(/\/$/, ''));
        return exists ? [] : { file, line, message: `broken link: ${target}` };
      }),
    );
    return [...unnamed, ...lost];
  });
}

/** The lines of fences that open a block without a label. */
function unnamedBlocks(/** @type {string} */ text) {
  let fence = '';
  return text.split('\n').flatMap((content, index) => {
    const [, ticks = '', label = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(content) ?? [];
    if (ticks === '') return [];
    if (fence === '') {
      fence = ticks;
      return label.trim() === '' ? [index + 1] : [];
    }
    if (ticks === fence && label.trim() === '') fence = '';
    return [];
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
