import { explainFailure } from '../engine/explain-failure.ts';
import { failed, makeCall, type Plan } from '../engine/plan.ts';
import { escapePattern, parseMatches, parsePaths } from '../engine/tool-output.ts';
import { cleanPath, fileNameOf } from '../language/paths.ts';
import type { Intent } from './intent.ts';
import { grep, inPlace, matchList, search } from './search-text.ts';

const place = '[(in|under|inside|within) {path:path}]';
const thing = '[(function|class|method|type|interface|variable|constant|symbol|struct|component)]';
const keywords =
  'function\\*?|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|module|namespace|macro_rules!|protocol|object|val';

/** "where is createSession defined". */
export const findDefinitionIntent: Intent = {
  name: 'find a definition',
  examples: ['where is createSession defined'],
  patterns: [
    `(find|show|locate) (definition|declaration|implementation) (of|for) ${thing} {name:identifier} ${place}`,
    `where is ${thing} {name:identifier} (defined|declared|implemented) ${place}`,
    `where (do we|does it|are we) (define|declare|implement) ${thing} {name:identifier} ${place}`,
    `(explain|describe|what is|what does) (function|class|method|type|interface|variable|constant|symbol|struct) {name:identifier} [do]`,
    `where is ${thing} {name:identifier} ${place}`,
  ],
  plan: ({ name = '', path }) => find(name.replace(/\(\)$/, ''), path),
};

/** "find the file config.ts", "where is README.md". */
export const findFileIntent: Intent = {
  name: 'find a file',
  examples: ['find the file config.ts'],
  patterns: [
    '(find|locate|where is) {file:filename}',
    '(find|locate|where is) file {file:file}',
    '(find|list|locate) files (named|called|matching|like) {file:word}',
    '(find|locate) file [(named|called)] {file:word}',
  ],
  plan: ({ file = '' }) => findByName(file),
};

function* find(name: string, path: string | undefined): Plan {
  const word = escapePattern(name);
  const declared = yield* grep({ pattern: `\\b(${keywords})\\s+${word}\\b` }, path);
  if (declared.isError) return failed(explainFailure('Grep', declared));
  const definitions = parseMatches(declared);
  if (definitions.total > 0) {
    return { text: matchList(definitions, `a definition of \`${name}\``) };
  }
  const mentioned = yield* grep({ pattern: `\\b${word}\\b` }, path);
  if (mentioned.isError) return failed(explainFailure('Grep', mentioned));
  const mentions = parseMatches(mentioned);
  if (mentions.total === 0) return { text: `\`${name}\` does not occur${inPlace(path)}.` };
  return { text: `I recognise no definition of it, only mentions: ${matchList(mentions, `\`${name}\``)}` };
}

function* findByName(word: string): Plan {
  const path = cleanPath(word);
  const pattern = /[*?]/.test(path) ? path : `*${fileNameOf(path)}*`;
  const result = yield* makeCall('Glob', { pattern: `**/${pattern}` });
  const { paths, notes } = parsePaths(result);
  if (result.isError) return failed(explainFailure('Glob', result));
  if (paths.length === 0) {
    const inside = yield* search(word, undefined);
    return { ...inside, text: `No file's name contains \`${fileNameOf(path)}\`. As a text: ${inside.text}` };
  }
  const exact = paths.filter((found) => `/${found}`.endsWith(`/${path}`));
  const shown = exact.length > 0 ? exact : paths;
  return {
    text: [...shown.slice(0, 60).map((found) => `- ${found}`), ...notes].join('\n'),
  };
}
