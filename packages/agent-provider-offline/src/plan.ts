import { endSentence, type JsonObject } from '@robota-sdk/agent-core';

export interface PlannedCall {
  readonly tool: string;
  readonly input: JsonObject;
}

/** One turn of a plan: text, and the calls whose results the next turn needs. */
export interface Step {
  readonly say?: string;
  readonly calls: readonly PlannedCall[];
}

export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
  /** The call was not permitted, rather than tried and failed. */
  readonly denied: boolean;
}

/** The last answer of a plan; a failed one stops the parts after it. */
export interface PlanAnswer {
  readonly text: string;
  readonly failed?: boolean;
}

/**
 * A job, written as a generator that yields steps and receives their results. It is run again from its start for
 * every turn, with the results the conversation holds, so it must depend on nothing else.
 */
export type Plan = Generator<Step, PlanAnswer, readonly CallResult[]>;

/** Stands for a call whose result the conversation lost. */
export const lostResult: CallResult = { text: 'The result is missing.', isError: true, denied: false };

export function* makeCall(
  tool: string,
  input: JsonObject,
): Generator<Step, CallResult, readonly CallResult[]> {
  const [result] = yield { calls: [{ tool, input }] };
  return result ?? lostResult;
}

export function failed(text: string): PlanAnswer {
  return { text, failed: true };
}

/** Reasons that an approval or a rule removes. A deny rule, plan mode, a hook and the user's own no are not among them. */
const onlyNeedsApproval = /^No rule allows|^`[^`]*` isn't read-only, and|: no rule allows it\./;

/** Says plainly why a call brought nothing, and what would permit it if permission was the reason. */
export function explainFailure(tool: string, result: CallResult, command?: string): string {
  const reason = result.text.replace(/^Permission denied:/, '').trim() || 'no reason given';
  if (!result.denied) return `${tool} failed: ${reason}`;
  const flag = onlyNeedsApproval.test(reason) ? flagFor(tool, command) : undefined;
  const remedy = flag ? ` Approve it when asked, or start with \`${flag}\`.` : '';
  return `${tool} was not permitted: ${endSentence(reason)}${remedy}`;
}

function flagFor(tool: string, command: string | undefined): string | undefined {
  if (tool === 'Edit' || tool === 'Write') return '--permission-mode acceptEdits';
  return command && `--allow 'Bash(${command.replaceAll("'", `'\\''`)})'`;
}
