import { explainFailure } from '../engine/explain-failure.ts';
import { failed, makeCall, type Plan, type PlanAnswer } from '../engine/plan.ts';
import { shellQuote } from '../engine/shell-quote.ts';
import { type CommandOutput, parseCommand } from '../engine/tool-output.ts';
import { cleanPath } from '../language/paths.ts';
import type { Intent } from './intent.ts';
import { codeBlock } from './read-file.ts';

const tailLines = 20;
const mostFailures = 25;
const telling =
  /\b(fail(ed|ure|ures|ing)?|errors?|error:|panic(ked)?|exception|traceback|assert\w*|expected|received|undefined reference|cannot|not ok)\b|[✗✖×❌]/i;
const harmless = /\b0 (errors?|fail\w*)|\bno errors?\b/i;

/** "run npm run lint": the command as it stands. */
export const runCommandIntent: Intent = {
  name: 'run a command',
  examples: ['run npm run lint', 'run `git log --oneline -5`'],
  patterns: ['(run|execute) [command] {command:text}', '$ {command:text}', '! {command:text}'],
  plan: ({ command = '' }) => run(command),
};

/** "delete notes.txt", "commit my changes": done only by a command that the user gives. */
export const deleteFileIntent: Intent = {
  name: 'delete a file',
  examples: [],
  patterns: ['(delete|remove|rm|erase) [file] {path:file}'],
  plan: ({ path = '' }) => suggest(`rm ${shellQuote(cleanPath(path))}`),
};

export const commitChangesIntent: Intent = {
  name: 'commit',
  examples: [],
  patterns: ['[git] commit [(changes|everything|it|work|code)]'],
  plan: () => suggest('git commit -am "message"'),
};

// biome-ignore lint/correctness/useYield: an answer that needs no tool is a plan without steps
function* suggest(command: string): Plan {
  return failed(`I do not do this on my own. Give me the command, and you are asked first: run ${command}`);
}

/** Runs a command and reports how it ended. */
export function* run(command: string, timeout?: number): Plan {
  const result = yield* makeCall('Bash', { command, ...(timeout === undefined ? {} : { timeout }) });
  if (result.denied) return failed(explainFailure('Bash', result, command));
  return report(command, parseCommand(result));
}

function report(command: string, { text, exitCode, problem }: CommandOutput): PlanAnswer {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (exitCode === 0) {
    const shown = lines.length > tailLines ? `Its last ${tailLines} lines` : 'Its output';
    if (lines.length === 0) return { text: `\`${command}\` succeeded, with no output.` };
    return {
      text: `\`${command}\` succeeded (exit 0). ${shown}:\n\n${codeBlock(lines.slice(-tailLines).join('\n'))}`,
    };
  }
  const how = exitCode === undefined ? (problem ?? 'did not finish') : `failed (exit ${exitCode})`;
  const failures = lines.filter((line) => telling.test(line) && !harmless.test(line));
  const shown = failures.length > 0 ? failures.slice(0, mostFailures) : lines.slice(-tailLines);
  const caption = failures.length > 0 ? 'The lines that tell of failures' : 'The end of its output';
  if (shown.length === 0) return failed(`\`${command}\` ${how}, with no output.`);
  return failed(`\`${command}\` ${how}. ${caption}:\n\n${codeBlock(shown.join('\n'))}`);
}
