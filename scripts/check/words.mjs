import { findRiddles, findUnplainEnglish } from './plain-english.mjs';
import { isCode } from './project.mjs';

const placeholders = 'u|user|me|you|name|someone|alice|bob|ada|dev|runner';

/** @type {{ pattern: RegExp, message: string }[]} */
const rules = [
  {
    pattern: /(?<![\w.~*}-])\/work\/\w/,
    message: 'a path of one machine: use a temporary folder or a path relative to the file',
  },
  {
    pattern: new RegExp(`(?<![\\w.])/(?:home|Users)/(?!(?:${placeholders})\\b)[a-z]`, 'i'),
    message: 'a path of one user: use /home/user',
  },
  { pattern: /\bissues? #\d/i, message: 'say the reason itself, not the number of a ticket' },
  {
    pattern: /\b(?:fix(?:es|ed)?|closes?|resolves?|see) #\d/i,
    message: 'say the reason itself, not a ticket',
  },
  { pattern: /co-authored[-]by/i, message: 'the text says nothing about who wrote it' },
  {
    pattern: /\bgenerated (?:by|with) \W*(?:an? )?(?:AI|LLM|Claude|ChatGPT|Codex|Copilot)\b/i,
    message: 'the text says nothing about who wrote it',
  },
  {
    pattern: /\b(?:written|created|made) (?:by|with) (?:an? )?(?:AI|LLM)\b/i,
    message: 'the text says nothing about who wrote it',
  },
];
const inTitle = {
  // In a row of `it.each`, the first cell is part of the title.
  pattern:
    /\b(?:it|test|describe)(?:\.\w+)*\((?:\[[^\]]*\]\)\()?\s*['"`](?:[A-Z]-\d+|(?:stream|sess|path)-\d{3})\s|^\s*\[['"`][A-Z]-\d+\b/m,
  message: "a title is a sentence without ids: name checklist lines with proves('C-78')",
};
const unfinished = /\b(?:TODO|FIXME|XXX)\b/;

/**
 * The text is in plain English and about the project only: no machine paths, authors, tickets or unfinished work.
 * @param {import('./project.mjs').Project} project
 */
export function checkWords(project) {
  const problems = [...project.files].flatMap(([file, text]) => {
    if (file === 'package-lock.json') return [];
    return [...lineProblems(file, text), ...(isCode(file) ? commentProblems(project, file) : [])];
  });
  return [...problems, ...findUnplainEnglish(project), ...findRiddles(project)];
}

function lineProblems(/** @type {string} */ file, /** @type {string} */ text) {
  const suspects = [...rules, ...(file.endsWith('.test.ts') ? [inTitle] : [])].filter(({ pattern }) =>
    pattern.test(text),
  );
  if (suspects.length === 0) return [];
  return text
    .split('\n')
    .flatMap((content, index) =>
      suspects
        .filter(({ pattern }) => pattern.test(content))
        .map(({ message }) => ({ file, line: index + 1, message })),
    );
}

/** Only comments: the words themselves may well be the subject of a tool or of a test. */
function commentProblems(/** @type {import('./project.mjs').Project} */ project, /** @type {string} */ file) {
  return project
    .parse(file)
    .comments.filter(({ value }) => unfinished.test(value))
    .map(({ line }) => ({ file, line, message: 'finish it, or write it down in docs/' }));
}
