import type { ReadingBudget } from '../word/reading-budget.ts';
import { roughWords } from '../word/rough-words.ts';
import type { SimpleCommand } from '../word/shell-script.ts';
import { wordOf } from '../word/shell-word.ts';
import { nestedRuns } from './nested-runs.ts';

/** The commands of a text that cannot be parsed; used only to deny. */
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
