import type { Workspace } from '@robota-sdk/agent-shell';
import type { Authorization, AuthorizationRequest } from '../loop/agent-run.ts';
import type { Display } from '../message/display.ts';
import type { CallPermission } from '../message/message.ts';
import { givenFields } from '../model/given.ts';
import { errorMessage } from '../problem/agent-error.ts';
import { endSentence } from '../problem/end-sentence.ts';
import type { AskedCall, Question, UserInterface } from '../tool/user-interface.ts';
import {
  type AskedPermission,
  detailOf,
  questionTitle,
  scriptProgram,
  whyAsked,
} from './asking/describe-question.ts';
import {
  type PermissionChoice,
  type PermissionChoicesOptions,
  permissionChoices,
} from './asking/permission-choices.ts';
import { offeredRules } from './combine.ts';
import { decide } from './decide.ts';
import { parseRule } from './parse-rule.ts';
import type { PermissionMode } from './policy/mode.ts';
import type {
  PermissionDecision,
  PermissionPolicy,
  PermissionRules,
  Rule,
  RuleOrigin,
} from './policy/permission.ts';
import { posixView } from './policy/posix-view.ts';

export interface AuthorizerOptions {
  /** The current policy; the mode may change between calls. */
  policy(): PermissionPolicy;
  readonly ui: UserInterface;
  /** Changes the mode of the session; absent where it cannot be changed. */
  setMode?(mode: PermissionMode): void;
  /** Saves rules for the project and returns their locations; absent if nothing can be saved. */
  saveRules?(rules: readonly string[]): Promise<ReadonlyMap<string, RuleOrigin> | undefined>;
  /** The effect of a call in a workspace, shown with the question. */
  preview?(request: AuthorizationRequest, workspace: Workspace): Promise<Display | undefined>;
  /** A program's decision about a call that the policy does not deny. */
  readonly judge?: CallJudge | undefined;
  /** Answers a question instead of the user; an allow is ignored if a rule requires asking. */
  beforeAsking?(
    request: AuthorizationRequest,
    rules: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly verdict?: 'allow' | 'deny'; readonly reason?: string } | undefined>;
  /** Called for every approval of an unchanged call. */
  onApproval?(approval: Approval): void;
}

/** `allow` answers the question for the user, `deny` is final; undefined leaves the decision to policy and user. */
export type Judgement = 'allow' | 'deny' | { readonly deny: string } | undefined;

/** Decides calls instead of the user. It cannot allow what the policy denies; if it throws, the call is denied. */
export type CallJudge = (
  request: AuthorizationRequest,
  signal: AbortSignal,
) => Judgement | Promise<Judgement>;

/** An approval by the user: its duration, and the rules that would have avoided the question. */
export interface Approval {
  readonly request: AuthorizationRequest;
  readonly kind: 'once' | 'session' | 'project';
  readonly rules: readonly string[];
}

/** How a subagent's calls are judged and asked about, in addition to the session's policy. */
export interface AuthorizationView {
  /** The requester. Default: the session itself. */
  readonly asker?: string;
  /** False if no user is available: calls that need approval are denied. */
  readonly mayAsk?: boolean;
  /** Called when the user must be asked, possibly after other questions; the returned function is called afterwards. */
  onQuestion?(request: AuthorizationRequest): () => void;
  /** Makes the policy stricter, or moves it to another directory. */
  narrow?(policy: PermissionPolicy): PermissionPolicy;
}

/** Decides calls by the policy and asks the user if required; one question at a time. */
export class Authorizer {
  readonly #options: AuthorizerOptions;
  readonly #sessionRules: Rule[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  /** Calls whose question waits for the answers before it. */
  #waiting = 0;
  /** How many calls of a message were asked about. */
  readonly #asked = new WeakMap<object, number>();

  constructor(options: AuthorizerOptions) {
    this.#options = options;
  }

  /** Rules the user added for this session only. */
  get sessionRules(): readonly Rule[] {
    return this.#sessionRules;
  }

  async authorize(
    request: AuthorizationRequest,
    signal: AbortSignal,
    view: AuthorizationView = {},
  ): Promise<Authorization> {
    if (request.hook?.verdict === 'deny') return { allowed: false, reason: request.hook.reason };
    const decision = await this.#decide(request, view);
    if (decision.verdict === 'deny') return denied(decision.reason, decision);
    const judged = await this.#judge(request, signal);
    if (judged) return judged;
    if (decision.verdict === 'allow') return { allowed: true, byPolicy: true };
    if (request.isApproved) return { allowed: true };
    const hooked = await this.#beforeAsking(request, decision, signal);
    if (hooked) return hooked;
    if (view.mayAsk === false)
      return denied(`${endSentence(decision.reason)} No user is asked in the background.`, decision);
    const answered = view.onQuestion?.(request);
    this.#waiting++;
    const asking = this.#turn
      .then(() => {
        this.#waiting--;
        return this.#ask(request, signal, view);
      })
      .finally(() => answered?.());
    this.#turn = asking.catch(() => {});
    return asking;
  }

  async #beforeAsking(
    request: AuthorizationRequest,
    decision: PermissionDecision,
    signal: AbortSignal,
  ): Promise<Authorization | undefined> {
    const answer = await this.#options.beforeAsking?.(request, offeredRules(decision), signal);
    if (answer?.verdict === 'deny') return { allowed: false, reason: answer.reason ?? 'a hook declined.' };
    const mayAllow = !decision.isFinal && request.hook?.verdict !== 'ask';
    return answer?.verdict === 'allow' && mayAllow ? { allowed: true } : undefined;
  }

  async #judge(request: AuthorizationRequest, signal: AbortSignal): Promise<Authorization | undefined> {
    const { judge } = this.#options;
    if (!judge) return undefined;
    try {
      const judgement = await judge(request, signal);
      if (judgement === undefined) return undefined;
      if (judgement === 'allow') return { allowed: true };
      const reason = judgement === 'deny' ? 'The program that runs this session declined.' : judgement.deny;
      return { allowed: false, reason };
    } catch (thrown) {
      return { allowed: false, reason: `The call could not be judged: ${errorMessage(thrown)}` };
    }
  }

  async #decide(
    { tool, access, hook }: AuthorizationRequest,
    view: AuthorizationView,
  ): Promise<PermissionDecision> {
    const decision = await decide(this.#policyFor(view), { tool: tool.name, access });
    // A hook's answer applies only if no rule does; it never overrides a rule or opens a protected file.
    if (decision.verdict === 'allow' && hook?.verdict === 'ask')
      return { verdict: 'ask', reason: hook.reason };
    if (decision.verdict === 'ask' && hook?.verdict === 'allow' && !decision.isFinal) {
      return { verdict: 'allow', reason: hook.reason };
    }
    return decision;
  }

  #policyFor(view: AuthorizationView): PermissionPolicy {
    const policy = this.#options.policy();
    const rules: PermissionRules = { ...policy.rules, allow: [...policy.rules.allow, ...this.#sessionRules] };
    const whole = { ...policy, rules };
    return view.narrow?.(whole) ?? whole;
  }

  async #ask(
    request: AuthorizationRequest,
    signal: AbortSignal,
    view: AuthorizationView,
  ): Promise<Authorization> {
    // An earlier answer or a mode change may have settled this question.
    const decision = await this.#decide(request, view);
    if (decision.verdict === 'allow') return { allowed: true };
    if (decision.verdict === 'deny') return denied(decision.reason, decision);
    if (signal.aborted)
      return {
        ...denied('Interrupted before it was allowed.', decision),
        permission: { kind: 'skipped' },
      };
    const { workspace, isElsewhere = false } = this.#policyFor(view);
    const display = await this.#options.preview?.(request, workspace).catch(() => undefined);
    const asked: AskedPermission = { request, decision, workspace, display, asker: view.asker };
    const rules = offeredRules(decision);
    const sessionMode = await this.#modeForSession(request, view);
    const canSave = this.#options.saveRules !== undefined && !isElsewhere;
    const choices = permissionChoices(asked, { rules, sessionMode, canSave });
    const place = {
      ...(await this.#placeOf(request, view)),
      ...(await this.#commandsOf(request, view, rules)),
    };
    const answer = await this.#options.ui.ask(
      this.#questionOf(asked, { choices, rules, sessionMode, place }),
      signal,
    );
    if (answer.kind === 'unavailable')
      return denied(
        `${endSentence(decision.reason)} ${answer.reason ?? 'No user is available to approve this.'}`,
        decision,
      );
    const choice = answer.kind === 'selected' ? choices[answer.indexes[0] ?? -1] : undefined;
    if (!choice || choice.kind === 'deny') {
      const said = answer.kind === 'selected' && answer.text ? ` They said: ${answer.text}` : '';
      const words = answer.kind === 'selected' && answer.text ? { said: answer.text } : {};
      return {
        ...denied(`The user declined.${said}`, decision),
        permission: { kind: 'declined', ...words },
      };
    }
    const { input } = answer.kind === 'selected' ? answer : {};
    if (input === undefined && choice.kind === 'session' && sessionMode !== undefined) {
      this.#options.setMode?.(sessionMode);
      return { allowed: true, permission: { kind: 'session' } };
    }
    if (input === undefined) return this.#approve({ request, kind: choice.kind, rules });
    if (request.mayChange) return { allowed: true, input, permission: { kind: 'once' } };
    return denied('It was allowed with other arguments only. Call it again with those.', decision);
  }

  #questionOf(
    asked: AskedPermission,
    {
      choices,
      rules,
      sessionMode,
      place,
    }: Omit<PermissionChoicesOptions, 'canSave'> & {
      readonly choices: readonly PermissionChoice[];
      readonly place: Pick<AskedCall, 'waiting' | 'asked' | 'commands'>;
    },
  ): Question {
    const { request, decision, display } = asked;
    const { dangers, cautions } = decision;
    const program = request.access[0]?.kind === 'run' ? scriptProgram(request.access[0].command) : undefined;
    const reason = whyAsked(asked);
    return {
      kind: 'select',
      title: questionTitle(asked),
      detail: detailOf(asked, reason),
      options: choices.map(({ kind: _, ...option }) => option),
      about: {
        call: request.call,
        access: request.access,
        reason,
        rules,
        ...givenFields({ display, program, dangers, cautions, sessionMode }),
        ...place,
        holds: choices.map(({ kind }) => kind),
      },
    };
  }

  /** The single commands of a line. A line that cannot be split is shown as a whole. */
  async #commandsOf(
    { tool, access }: AuthorizationRequest,
    view: AuthorizationView,
    rules: readonly string[],
  ): Promise<Pick<AskedCall, 'commands'>> {
    const { policy, request } = posixView(this.#policyFor(view), { tool: tool.name, access });
    const [first] = request.access;
    if (first?.kind !== 'run') return {};
    const { commandParts } = await import('./decide-command.ts');
    const commands = await commandParts(policy, first, rules).catch(() => []);
    return commands.length > 0 ? { commands } : {};
  }

  /** The position of a question among those of its message and of other agents. */
  async #placeOf(
    { batch }: AuthorizationRequest,
    view: AuthorizationView,
  ): Promise<Pick<AskedCall, 'waiting' | 'asked'>> {
    const before = batch ? (this.#asked.get(batch.of) ?? 0) : 0;
    if (batch) this.#asked.set(batch.of, before + 1);
    const later = (await batch?.later().catch(() => [])) ?? [];
    const policy = this.#policyFor(view);
    const verdicts = await Promise.all(
      later.map(({ tool, access }) => decide(policy, { tool: tool.name, access })),
    );
    const waiting = this.#waiting + verdicts.filter(({ verdict }) => verdict === 'ask').length;
    return { ...(waiting > 0 ? { waiting } : {}), ...(before > 0 ? { asked: before } : {}) };
  }

  /** The mode that accepts all edits in the workspace, if it would have avoided this question. */
  async #modeForSession(
    { tool, access, hook }: AuthorizationRequest,
    view: AuthorizationView,
  ): Promise<PermissionMode | undefined> {
    const policy = this.#policyFor(view);
    const isEdit = access.length > 0 && access.every(({ kind }) => kind === 'write' || kind === 'read');
    // A mode applies to the whole session: a subagent's question must not change it.
    if (view.narrow !== undefined || policy.isElsewhere) return undefined;
    if (!this.#options.setMode || policy.mode !== 'default' || !isEdit || hook?.verdict === 'ask')
      return undefined;
    const accepted = await decide({ ...policy, mode: 'acceptEdits' }, { tool: tool.name, access });
    return accepted.verdict === 'allow' ? 'acceptEdits' : undefined;
  }

  async #approve(approval: Approval): Promise<Authorization> {
    const { kind, rules } = approval;
    const saved = kind === 'project' ? await this.#options.saveRules?.(rules) : undefined;
    if (kind !== 'once') this.#remember(rules, saved);
    this.#options.onApproval?.(approval);
    return { allowed: true, permission: { kind } };
  }

  #remember(rules: readonly string[], saved?: ReadonlyMap<string, RuleOrigin>): void {
    for (const text of rules) {
      const parsed = parseRule(text, saved?.get(text) ?? { source: 'allowed for this session' });
      if (parsed.ok) this.#sessionRules.push(parsed.rule);
    }
  }
}

function denied(reason: string, decision: PermissionDecision): Authorization {
  const { wouldAllow, brief } = decision;
  const permission = decision.verdict === 'deny' ? refusal(decision) : undefined;
  return { allowed: false, reason, ...givenFields({ wouldAllow, permission, brief }) };
}

function refusal({ rule, mode }: PermissionDecision): CallPermission | undefined {
  if (rule) return { kind: 'rule', rule: rule.text };
  return mode === undefined ? undefined : { kind: 'mode', mode };
}
