import { nestedRuns } from './nested-runs.ts';
import type { ReadingBudget } from './reading-budget.ts';
import { roughWords } from './rough-words.ts';
import type { SimpleCommand } from './shell-script.ts';
import { wordOf } from './shell-word.ts';

/** The commands of a text that can't be parsed: only good for refusing. */
export function splitRoughly(source: string, budget: ReadingBudget): SimpleCommand[] {
  return roughWords(source).map((words) => {
    const command = {
      words: words.map(wordOf),
      assignments: [],
      redirections: [],
      expandsInput: false,
      runs: [],
    };
    const { commands: runs, reaches } = nestedRuns(command, [], budget);
    return { ...command, runs, ...(reaches === undefined ? {} : { reaches }) };
  });
}
