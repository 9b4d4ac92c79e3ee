import { explainFailure } from '../engine/explain-failure.ts';
import { callTool, failed, type Plan, type PlanAnswer } from '../engine/plan.ts';
import { type CommandOutput, parseCommand } from '../engine/tool-output.ts';
import type { Intent } from './intent.ts';
import { fenced } from './read-file.ts';

const tailLines = 20;
const mostFailures = 25;
const telling =
  /\b(fail(ed|ure|ures|ing)?|errors?|error:|panic(ked)?|exception|traceback|assert\w*|expected|received|undefined reference|cannot|not ok)\b|[✗✖×❌]/i;
const harmless = /\b0 (errors?|fail\w*)|\bno errors?\b/i;

/** "run npm run lint": the command as it stands. */
export const runCommand: Intent = {
  name: 'run a command',
  examples: ['run npm run lint', 'run `git log --oneline -5`'],
  patterns: ['(run|execute) [command] {command:text}', '$ {command:text}', '! {command:text}'],
  plan: ({ command = '' }) => run(command),
};

/** Runs a command and reports how it ended. */
export function* run(command: string, timeout?: number): Plan {
  const result = yield* callTool('Bash', { command, ...(timeout === undefined ? {} : { timeout }) });
  if (result.denied) return failed(explainFailure('Bash', result, command));
  return report(command, parseCommand(result));
}

function report(command: string, { text, exitCode, problem }: CommandOutput): PlanAnswer {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (exitCode === 0) {
    const shown = lines.length > tailLines ? `Its last ${tailLines} lines` : 'Its output';
    if (lines.length === 0) return { text: `\`${command}\` succeeded, with no output.` };
    return {
      text: `\`${command}\` succeeded (exit 0). ${shown}:\n\n${fenced(lines.slice(-tailLines).join('\n'))}`,
    };
  }
  const how = exitCode === undefined ? (problem ?? 'did not finish') : `failed (exit ${exitCode})`;
  const failures = lines.filter((line) => telling.test(line) && !harmless.test(line));
  const shown = failures.length > 0 ? failures.slice(0, mostFailures) : lines.slice(-tailLines);
  const caption = failures.length > 0 ? 'The lines that tell of failures' : 'The end of its output';
  if (shown.length === 0) return failed(`\`${command}\` ${how}, with no output.`);
  return failed(`\`${command}\` ${how}. ${caption}:\n\n${fenced(shown.join('\n'))}`);
}
