import { isCode, isFixture, isTest } from './project.mjs';

/** @typedef {import('./project.mjs').Project} Project */
/** @typedef {{ text: string, line: number }} Text */

/** @type {{ pattern: RegExp, instead: string }[]} */
const avoided = [
  { pattern: /\bcan not\b/i, instead: 'cannot' },
  { pattern: /\bnobody\b/i, instead: 'name the user or thing that is missing' },
  { pattern: /\bsomebody\b/i, instead: 'the user, or the noun that is meant' },
  { pattern: /\bpersons?\b/i, instead: 'the user' },
  { pattern: /\bwhoever\b/i, instead: 'the noun that is meant' },
  { pattern: /\b(?:go|goes|going|went) on\b/i, instead: 'continue or resume' },
  { pattern: /\banew\b/i, instead: 'again, or restart' },
  { pattern: /\b(?:sum|sums|summed|summing) up\b/i, instead: 'summarize' },
  { pattern: /\bshall\b/i, instead: 'should or will' },
  { pattern: /\blook(?:s|ed|ing)? back\b/i, instead: 'history' },
  { pattern: /\btold before\b/i, instead: 'shown earlier' },
  { pattern: /\blet(?:s|ting)? go of\b/i, instead: 'release' },
  { pattern: /\bin the place of\b/i, instead: 'instead of' },
  { pattern: /\bin (?:its|their|the) stead\b/i, instead: 'instead' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix or repair' },
  { pattern: /\bwhom\b/i, instead: 'the noun that is meant' },
  { pattern: /\ball the same\b/i, instead: 'anyway or still' },
  { pattern: /\bin silence\b/i, instead: 'silently' },
  { pattern: /\bbrings? along\b/i, instead: 'contains or includes' },
  { pattern: /\blead(?:s|ing)? nowhere\b/i, instead: 'broken' },
  { pattern: /\bhouse rules\b/i, instead: 'project rules' },
  { pattern: /\b(?:your|his|a user's) yes\b/i, instead: 'approval' },
];
/** A quick look at a whole file, in which the end of a line may split a phrase. */
const anyAvoided = new RegExp(
  avoided.map(({ pattern }) => pattern.source.replaceAll(' ', String.raw`[\s*/]+`)).join('|'),
  'i',
);
const riddle = /^\*?\s*(?:What|Who|Whose|Whom|Where)\s[^?]*$/;
const title = /^\s*(?:it|test|describe)\b[^'"`]*(['"`].*['"`]),/;

/**
 * Avoided words that must stay, each with its reason. One that no longer occurs is reported.
 * @type {{ file: string, text: string, reason: string }[]}
 */
const exceptions = [
  {
    file: 'packages/agent-testing/src/without-privileges.ts',
    text: 'nobody',
    reason: 'the unprivileged user of the system',
  },
  {
    file: 'packages/agent-export/src/projection/history-record.ts',
    text: 'goes on from $',
    reason: 'stored in history.xnl',
  },
  { file: 'docs/sessions.md', text: '<!-- goes on from', reason: 'stored in history.xnl' },
  { file: 'scripts/third-party-notices.mjs', text: 'EVENT SHALL', reason: 'the text of a license' },
];
/** Lists the promises of other documents in their words. */
const quoting = new Set(['docs/project/checklist.md', 'scripts/check/plain-english.mjs']);

/**
 * Texts for readers use the words of the field, and comments state facts.
 * @param {Project} project
 * @param {typeof exceptions} allowed
 */
export function findUnplainEnglish(project, allowed = exceptions) {
  const unused = new Set(allowed.filter(({ file }) => project.files.has(file)));
  const problems = [...project.files.keys()].flatMap((file) =>
    textsOf(project, file).flatMap(({ text, line }) => {
      const known = allowed.filter((each) => each.file === file && text.includes(each.text));
      for (const each of known) unused.delete(each);
      const rest = known.reduce((shorter, each) => shorter.replaceAll(each.text, ''), text);
      return messagesAbout(rest).map((message) => ({ file, line, message }));
    }),
  );
  return [
    ...problems,
    ...[...unused].map(({ file, text }) => ({ file, line: 1, message: `an unused exception: "${text}"` })),
  ];
}

function messagesAbout(/** @type {string} */ text) {
  return avoided.flatMap(({ pattern, instead }) => {
    const [found] = pattern.exec(text) ?? [];
    return found === undefined ? [] : `"${found}" is not plain English: ${instead}`;
  });
}

/**
 * Comments, all other text of product code, titles of tests, and documentation.
 * @returns {Text[]}
 */
function textsOf(/** @type {Project} */ project, /** @type {string} */ file) {
  const text = project.files.get(file) ?? '';
  if (isFixture(file) || quoting.has(file) || !anyAvoided.test(text)) return [];
  if (file.endsWith('.md')) return linesOf(text);
  if (!isCode(file)) return [];
  const comments = project.parse(file).comments.map(({ value, line }) => ({ text: oneLine(value), line }));
  return [...comments, ...(isTest(file) ? titlesIn(text) : linesOf(text).filter(isNoComment))];
}

/** @returns {Text[]} */
function linesOf(/** @type {string} */ text) {
  return text.split('\n').map((content, index) => ({ text: content, line: index + 1 }));
}

function isNoComment(/** @type {Text} */ { text }) {
  return !/^\s*(?:\/?\*|\/\/)/.test(text);
}

/** A word may be split by the end of a line and the star of the next. */
function oneLine(/** @type {string} */ comment) {
  return comment.replace(/\n\s*\*?/g, ' ').replace(/ +/g, ' ');
}

/** @returns {Text[]} */
function titlesIn(/** @type {string} */ text) {
  return linesOf(text).flatMap(({ text: content, line }) => {
    const [, quoted] = title.exec(content) ?? [];
    return quoted === undefined ? [] : { text: quoted, line };
  });
}

/** Comments that begin with a question word describe their subject as a riddle. */
export function findRiddles(/** @type {Project} */ project) {
  return [...project.files.keys()].flatMap((file) => {
    if (isFixture(file) || !isCode(file)) return [];
    return project
      .parse(file)
      .comments.filter(({ value }, index, all) => riddle.test(oneLine(value)) && !continues(all, index))
      .map(({ line }) => ({
        file,
        line,
        message: 'begin a comment with a verb or the noun, not with a question word',
      }));
  });
}

/** A line comment right below another one is the same comment. */
function continues(/** @type {{ line: number }[]} */ comments, /** @type {number} */ index) {
  return comments[index - 1]?.line === Number(comments[index]?.line) - 1;
}
