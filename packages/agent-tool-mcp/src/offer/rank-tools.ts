import type { OfferedTool } from './tool-catalogue.ts';

/** The tools that have words of a query, the best first: rare words count more than common ones, names more than texts. */
export function rankTools(tools: readonly OfferedTool[], query: string): readonly OfferedTool[] {
  const words = [...new Set(wordsOf(query))];
  const indexed = tools.map((offered) => ({ offered, text: textOf(offered) }));
  const weights = words.map((word) => {
    const having = indexed.filter(({ text }) => matchOf(text, word) > 0).length;
    return { word, weight: Math.log(1 + tools.length / Math.max(1, having)) };
  });
  return indexed
    .map(({ offered, text }) => ({
      offered,
      score: weights.reduce((sum, { word, weight }) => sum + weight * matchOf(text, word), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ offered }) => offered);
}

interface SearchText {
  readonly name: string;
  readonly nameWords: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

function textOf({ name, tool }: OfferedTool): SearchText {
  return {
    name: name.toLowerCase(),
    nameWords: new Set(wordsOf(`${name} ${tool.title ?? ''}`)),
    words: new Set(wordsOf(tool.description)),
  };
}

/** Short words are everywhere inside of others, so that they have to stand by themselves. */
const shortest = 4;

function matchOf({ name, nameWords, words }: SearchText, word: string): number {
  if (nameWords.has(word)) return 4;
  if (word.length >= shortest && name.includes(word)) return 3;
  if (words.has(word)) return 1;
  return word.length >= shortest && [...words].some((other) => other.startsWith(word)) ? 0.5 : 0;
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
