import { isCode, isFixture, isTest } from './project.mjs';

/** @typedef {import('./project.mjs').Project} Project */
/** @typedef {{ text: string, line: number }} Text */

/** @type {{ pattern: RegExp, instead: string }[]} */
const avoided = [
  { pattern: /\bcan not\b/i, instead: 'cannot' },
  { pattern: /\bnobody\b/i, instead: 'name the user or thing that is missing' },
  { pattern: /\bsomebody\b/i, instead: 'the user, or the noun that is meant' },
  { pattern: /\bwhoever\b/i, instead: 'the noun that is meant' },
  { pattern: /\b(?:go|goes|going|went) on\b/i, instead: 'continue or resume' },
  { pattern: /\banew\b/i, instead: 'again, or restart' },
  { pattern: /\b(?:sum|sums|summed|summing) up\b/i, instead: 'summarize' },
  { pattern: /\bshall\b/i, instead: 'should or will' },
  { pattern: /\blook(?:s|ed|ing)? back\b/i, instead: 'history' },
  { pattern: /\btold before\b/i, instead: 'shown earlier' },
];
const riddle = /^\*?\s*(?:What|Who|Whose|Whom|Where)\s[^?]*$/;
const title = /^\s*(?:it|test|describe)\b[^'"`]*(['"`].*['"`]),/;

/**
 * Avoided words that must stay, each with its reason. One that no longer occurs is reported.
 * @type {{ file: string, text: string, reason: string }[]}
 */
const exceptions = [];

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

/** @returns {Text[]} */
function textsOf(/** @type {Project} */ project, /** @type {string} */ file) {
  if (isFixture(file) || !isCode(file)) return [];
  const comments = project.parse(file).comments.map(({ value, line }) => ({ text: oneLine(value), line }));
  return [...comments, ...(isTest(file) ? titlesIn(project.files.get(file) ?? '') : [])];
}

/** A word may be split by the end of a line and the star of the next. */
function oneLine(/** @type {string} */ comment) {
  return comment.replace(/\n\s*\*?/g, ' ').replace(/ +/g, ' ');
}

/** @returns {Text[]} */
function titlesIn(/** @type {string} */ text) {
  return text.split('\n').flatMap((content, index) => {
    const [, quoted] = title.exec(content) ?? [];
    return quoted === undefined ? [] : { text: quoted, line: index + 1 };
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
