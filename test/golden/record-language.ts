import { sections } from './sections/index.ts';
import { type Language, openTools } from './tools.ts';

/**
 * Records sections in one language, which the environment of this process is set to; all sections unless named. The folder is
 * that of the corpus.
 */
export async function recordLanguage(
  language: Language,
  names: readonly string[],
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const unknown = names.filter((name) => sections.every((section) => section.name !== name));
  if (unknown.length > 0) throw new Error(`There is no section ${unknown.join(', ')}.`);
  const wanted = sections.filter(({ name }) => names.length === 0 || names.includes(name));
  const { tools, close } = await openTools(language, folder);
  try {
    const recorded = await Promise.all(
      wanted.map(async ({ name, record }) => {
        const started = performance.now();
        const files = await record(language, tools);
        const { GOLDEN_TIMES } = process.env;
        if (GOLDEN_TIMES) console.error(language, name, Math.round(performance.now() - started));
        return Object.entries(files).map(([file, text]) => [`${name}/${file}`, text] as const);
      }),
    );
    return Object.fromEntries(recorded.flat());
  } finally {
    await close();
  }
}
