import {
  type Access,
  AgentError,
  type AgentEvent,
  endSentence,
  type HookResult,
} from '@robota-sdk/agent-core';
import { subagentHost } from '@robota-sdk/agent-resources';
import type { Conversation } from '@robota-sdk/agent-sessions';
import type { CheckRun, GoalReport } from '../contract/goal-report.ts';
import type { SessionPermissions } from '../permissions/session-permissions.ts';

/** A goal, and the command that proves it. */
export interface Goal {
  readonly text: string;
  readonly check?: string | undefined;
}

interface GoalServices {
  readonly conversation: Conversation;
  readonly permissions: SessionPermissions;
  readonly replay?: unknown;
}

/** Stands before the check in the pinned text. */
const checkLead = '\nCheck: ';

/** A check that takes longer is announced, because nothing else moves meanwhile. */
const quietMs = 1000;

/** Accesses that do not invalidate a passed check. */
const harmless: ReadonlySet<Access['kind']> = new Set(['read', 'search', 'fetch']);

/**
 * The goal of a session. It is pinned, and a run ends well only if its check has passed after the last change. The
 * check belongs to this process: a resumed session shows the goal, but runs no command that a file names.
 */
export class SessionGoal {
  readonly #session: Conversation;
  readonly #permissions: SessionPermissions;
  /** A replay runs no commands: its recording has the answers of the checks. */
  readonly #isReplay: boolean;
  #goal: Goal | undefined;
  #stop: (() => void) | undefined;
  #isProven = false;
  /** The model was sent back once in this run. */
  #isSentBack = false;
  #checks: CheckRun[] = [];

  constructor({ conversation, permissions, replay }: GoalServices) {
    this.#session = conversation;
    this.#permissions = permissions;
    this.#isReplay = replay !== undefined;
  }

  /** The goal in force; a branch that does not have its pin is free of it. */
  get current(): Goal | undefined {
    const goal = this.#goal;
    return goal && this.#session.context.goal === pinnedText(goal) ? goal : undefined;
  }

  /** The goal that the session's file has, with or without a check that runs. */
  get pinned(): string | undefined {
    return this.#session.context.goal;
  }

  /** The session's file names a check, which runs only in the process in which the user set it. */
  get hasIdleCheck(): boolean {
    return this.current === undefined && (this.pinned?.includes(checkLead) ?? false);
  }

  /** Sets the goal, replacing an earlier one; returns the text for the model. */
  async set(goal: Goal): Promise<string> {
    if (goal.text.trim() === '') throw new AgentError('usage', 'The goal is empty. Describe what to reach.');
    if (goal.check?.trim() === '')
      throw new AgentError('usage', 'The check is empty. Name a command to run.');
    this.#forget();
    await this.#session.context.keepGoal(pinnedText(goal));
    this.#goal = goal;
    if (goal.check !== undefined && !this.#isReplay) this.#watch();
    return reminderOf(goal);
  }

  /** Removes the goal; false if there was none. */
  async clear(): Promise<boolean> {
    this.#forget();
    return this.#session.context.dropGoal();
  }

  /** Starts the report of a prompt. */
  begin(): void {
    this.#checks = [];
  }

  /** The evidence of the prompt; undefined without a goal. */
  report(): GoalReport | undefined {
    const { current } = this;
    if (!current) return undefined;
    const { text, check } = current;
    const checks = [...this.#checks];
    return { goal: text, proven: this.#isProven, checks, ...(check === undefined ? {} : { check }) };
  }

  /** The problem of a successful run without a check, such as one that only presented a plan. */
  get missingProof(): string | undefined {
    const { check } = this.current ?? {};
    if (check === undefined || this.#isProven || this.#isReplay) return undefined;
    return `Goal unproven: the check "${check}" did not run.`;
  }

  #forget(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#goal = undefined;
    this.#isProven = false;
  }

  #watch(): void {
    const { hooks, state } = this.#session;
    const observe = (event: AgentEvent) => this.#observe(event);
    const { agentListeners } = state.get(subagentHost);
    agentListeners.add(observe);
    const stops = [
      () => agentListeners.delete(observe),
      this.#session.subscribe(observe),
      hooks.add('run-stop', (_input, signal) => this.#judge(signal), 'goal'),
    ];
    this.#stop = () => {
      for (const stop of stops) stop();
    };
  }

  #observe(event: AgentEvent): void {
    if (event.type === 'run-start') this.#isSentBack = false;
    if (event.type === 'tool-start' && !isHarmless(event.access)) this.#isProven = false;
  }

  /** Checks the goal before the run ends; the first unproven claim is returned to the model. */
  async #judge(signal: AbortSignal): Promise<HookResult<'run-stop'>> {
    const { current } = this;
    if (current?.check === undefined || this.#isProven) return {};
    const { runCheck } = await import('./run-check.ts');
    const command = current.check;
    const text = `Goal check is running: ${command}`;
    const slow = setTimeout(() => this.#session.notify({ level: 'info', text, about: 'check' }), quietMs);
    const permissions = this.#permissions;
    const checked = runCheck(this.#session, { command, permissions, signal });
    const run = await checked.finally(() => clearTimeout(slow));
    if (signal.aborted) return {};
    this.#checks.push(run);
    this.#isProven = run.passed;
    // The error of the run reports the last failure.
    if (!run.passed && this.#isSentBack)
      return { unproven: `Goal unproven: the check "${run.command}" ${endingOf(run)}.` };
    this.#tell(run);
    if (run.passed) return {};
    this.#isSentBack = true;
    return { continueWith: sentBack(current, run) };
  }

  #tell(run: CheckRun): void {
    const seconds = `${(run.durationMs / 1000).toFixed(1)}s`;
    const level = run.passed ? 'info' : 'warning';
    const text = `Goal check ${run.passed ? 'passed' : endingOf(run)}: ${run.command} · ${seconds}`;
    this.#session.notify({ level, text });
  }
}

function isHarmless(access: readonly Access[]): boolean {
  return access.length > 0 && access.every(({ kind }) => harmless.has(kind));
}

function endingOf({ exitCode, output }: CheckRun): string {
  if (exitCode !== null) return `failed with exit code ${exitCode}`;
  return `did not run to its end (${output.split('\n').at(-1)?.slice(0, 200) ?? ''})`;
}

function pinnedText({ text, check }: Goal): string {
  return check === undefined ? text : `${text}${checkLead}${check}`;
}

function reminderOf({ text, check }: Goal): string {
  const proof =
    check === undefined
      ? 'Say at the end what shows that it is reached.'
      : `It is reached when this command succeeds after your last change: ${check}`;
  // Recordings look for this tag.
  return `<goal>\nThe goal of this session: ${endSentence(text)} ${proof}\n</goal>`;
}

function sentBack({ text }: Goal, run: CheckRun): string {
  const advice = 'Fix the cause, then finish. If you cannot reach the goal, say what is missing.';
  return `<system-reminder>\nThe goal is not reached: ${endSentence(text)} Its check ${endingOf(run)}.\n\n$ ${run.command}\n${run.output}\n\n${advice}\n</system-reminder>`;
}
