import {
  ignoredFilesOf,
  knownSecrets,
  optionsAsSettings,
  recordApproval,
  ruleSubject,
  saveProjectRules,
  userPaths,
  valueAt,
} from '@robota-sdk/agent-config';
import type { RuleLists } from '@robota-sdk/agent-core';
import {
  AgentError,
  Authorizer,
  errorMessage,
  type HiddenFiles,
  type HookRegistry,
  hiddenFiles,
  hostFiles,
  type PermissionDecision,
  type PermissionMode,
  type PermissionPolicy,
  type PermissionRules,
  type Problem,
  parseRules,
  type Rule,
  type RuleOrigin,
  type RuleProblem,
  realPathOf,
  SessionMode,
  silentInterface,
  type ToolScope,
  type Workspace,
} from '@robota-sdk/agent-core';
import type { IgnoreFiles } from '@robota-sdk/agent-tools';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import { checkPermission, type PermissionSubject } from './check-permission.ts';
import { modeOriginOf, type PermissionReport, permissionReport } from './permission-report.ts';

/** The permissions of a session as commands see and change them. */
export interface SessionPermissions {
  mode: PermissionMode;
  /** The session was started in bypassPermissions, or with the flag that allows it. */
  readonly mayBypass: boolean;
  /** True if what needs approval is denied without a question, until a mode is chosen. */
  dontAsk: boolean;
  /** Switches to a mode that the user chose: bypassPermissions needs the flag. */
  choose(mode: PermissionMode): void;
  /** Calls a listener whenever the mode was set; the returned function ends that. */
  onModeChange(listener: () => void): () => void;
  readonly rules: PermissionRules;
  readonly authorizer: Authorizer;
  /** The files that ignore files hide from the agent. */
  readonly ignored: IgnoreFiles;
  /** The files that deny rules and ignore files hide from searches. */
  readonly hidden: HiddenFiles | undefined;
  /** Applies changed rules and a changed mode of the settings; during a run only stricter ones. */
  renew(state: { readonly isRunning: boolean }): void;
  /** Adds rules for this session; throws if one cannot be used. */
  addRules(more: RuleLists): void;
  /** Adds a directory to the workspace for this session. */
  addDirectory(directory: string): void;
  /** The added directories. */
  readonly directories: readonly string[];
  /** Those of them that were added during the session. */
  readonly added: readonly string[];
  /** Rules of the command line that may not do what they seem to. */
  readonly problems: readonly Problem[];
  /** The current mode and rules, each with its origin. */
  report(): Promise<PermissionReport>;
  /** The decision about a call. */
  check(subject: PermissionSubject): Promise<PermissionDecision>;
}

/** A workspace that can grow; all holders see it. */
export type OpenWorkspace = Workspace & { readonly additional: string[] };

/** The workspace of a session, and the shared state of its tools. */
export interface PermissionContext {
  /** Directories may be added during the session. */
  readonly workspace: OpenWorkspace;
  readonly outputDir: string;
  /** Run before the user is asked. */
  readonly hooks: HookRegistry;
  /** The scope of the session's tools; call it after the session exists. */
  scope(): ToolScope;
}

/** Reading our own configuration folders never needs a question. */
const defaultAllow = ['.agents', '.claude', '.robota'].flatMap((folder) => [
  `Read(${folder}/**)`,
  `Glob(${folder}/**)`,
]);

/** Combines the rules of settings, flags and the product with the user who is asked. */
export function createPermissions(
  options: CreateSessionOptions,
  { workspace, outputDir, scope, hooks }: PermissionContext,
): SessionPermissions {
  const { config, terminal = silentInterface } = options;
  // With these files, the agent could approve its own calls.
  const { links, web } = userPaths(config.host);
  const settingsRules = () =>
    options.ignoreAllowRules ? { ...config.settings.permissions, allow: [] } : config.settings.permissions;
  let given: RuleLists = {};
  const rulesNow = () =>
    // The model is told where the rest of a long result is, so it must be able to read it.
    rulesInForce(settingsRules(), joinedRules(options.rules ?? {}, given), {
      allow: [`Read(/${outputDir}/**)`],
      deny: [links, web].flatMap((folder) => [`Read(/${folder}/**)`, `Edit(/${folder}/**)`]),
    });
  const isElsewhere = options.project !== undefined && realPathOf(options.project) !== workspace.cwd;
  const mode = new SessionMode({
    configured: () => config.settings.permissionMode,
    bypassForbiddenBy: () => config.settings.bypassForbiddenBy,
    mayBypass: options.mayBypass === true,
  });
  if (options.permissionMode !== undefined) mode.check(options.permissionMode);
  const ignored = ignoredFilesOf(config, workspace);
  let rules = rulesNow();
  const added: string[] = [];
  const current = (): PermissionPolicy => {
    const texts = new Set(rules.allow.map(({ text }) => text));
    // A rule that was saved for the project is in the settings, too, once they are read again.
    const given = permissions.authorizer.sessionRules.filter(({ text }) => !texts.has(text));
    const inForce = { ...rules, allow: [...rules.allow, ...given] };
    return { mode: permissions.mode, rules: inForce, ignored, workspace };
  };
  const permissions: SessionPermissions = {
    get mode() {
      return mode.current;
    },
    set mode(wanted) {
      mode.set(wanted);
    },
    get mayBypass() {
      return mode.mayBypass;
    },
    dontAsk: options.dontAsk === true,
    choose: (wanted) => {
      mode.choose(wanted);
      permissions.dontAsk = false;
    },
    onModeChange: (listener) => mode.subscribe(listener),
    get rules() {
      return rules;
    },
    renew: ({ isRunning }) => {
      rules = isRunning ? stricterOf(rules, rulesNow()) : rulesNow();
      if (!isRunning) mode.renew();
    },
    addRules: (more) => {
      const parsed = (list: keyof RuleLists) => parseAll(list, more[list], 'this session');
      const added = { allow: parsed('allow'), ask: parsed('ask'), deny: parsed('deny') };
      given = joinedRules(given, more);
      const { allow, ask, deny } = rules;
      rules = {
        allow: [...allow, ...added.allow],
        ask: [...ask, ...added.ask],
        deny: [...deny, ...added.deny],
      };
    },
    addDirectory: (directory) => {
      added.push(directory);
      workspace.additional.push(directory);
    },
    directories: workspace.additional,
    added,
    check: (subject) => checkPermission(current(), subject),
    report: async () => {
      const modeOrigin = mode.isConfigured ? await originOfMode(options, workspace) : 'this session';
      return permissionReport({ ...current(), modeOrigin, problems: options.config.problems });
    },
    ignored,
    get hidden() {
      return hiddenFiles(rules, workspace, ignored);
    },
    problems: doubtsAbout(options.rules ?? {}),
    authorizer: new Authorizer({
      policy: () => ({ mode: permissions.mode, rules, ignored, workspace, files: hostFiles, isElsewhere }),
      ui: {
        notify: (notice) => terminal.notify(notice),
        ask: async (question, signal) =>
          permissions.dontAsk ? { kind: 'unavailable' } : terminal.ask(question, signal),
      },
      setMode: (wanted) => mode.set(wanted),
      judge: options.authorize,
      beforeAsking: async ({ call, access }, rules, signal) =>
        hooks.has('permission-ask')
          ? hooks.run('permission-ask', { call, access, rules, cwd: workspace.cwd }, signal)
          : undefined,
      saveRules: (saved) => saveOrTell(saved, options, workspace),
      preview: async ({ tool, input }, place) => tool.preview?.(input, { ...scope(), workspace: place }),
      onApproval: (approval) => keepApproval(approval, options, workspace),
    }),
  };
  return permissions;
}

function joinedRules(first: RuleLists, second: RuleLists): RuleLists {
  const joined = (list: keyof RuleLists) => [...(first[list] ?? []), ...(second[list] ?? [])];
  return { allow: joined('allow'), ask: joined('ask'), deny: joined('deny') };
}

function keepApproval(
  approval: Parameters<typeof recordApproval>[1],
  { handle, config, ...options }: CreateSessionOptions,
  { cwd }: Workspace,
): void {
  // A session without a file stores no approvals.
  if (handle === undefined) return;
  const secrets = knownSecrets(config, options);
  // Stored only for suggestions: a full disk must not stop the call.
  recordApproval(userPaths(config.host).approvals, approval, { cwd, secrets }).catch(() => {});
}

/** Allows only what both allow; asks and denies what either does. */
function stricterOf(before: PermissionRules, after: PermissionRules): PermissionRules {
  const texts = new Set(before.allow.map(({ text }) => text));
  const both = (list: 'ask' | 'deny') => {
    const known = new Set(after[list].map(({ text }) => text));
    return [...after[list], ...before[list].filter(({ text }) => !known.has(text))];
  };
  return { allow: after.allow.filter(({ text }) => texts.has(text)), ask: both('ask'), deny: both('deny') };
}

async function originOfMode({ permissionMode, config, live }: CreateSessionOptions, { cwd }: Workspace) {
  const overrides = live ? live.place.overrides : optionsAsSettings({ permissionMode });
  if (valueAt(overrides, ['permissions', 'defaultMode']) !== undefined) return 'command line';
  return modeOriginOf(config.settings.permissionMode, live?.place ?? { cwd, host: config.host });
}

/** The rules of settings and flags, and the product's own; `more` are built in too. */
export function rulesInForce(
  settings: PermissionRules,
  flags: RuleLists,
  more: RuleLists = {},
): PermissionRules {
  const builtIn = parseAll('allow', [...defaultAllow, ...(more.allow ?? [])], 'built-in');
  return {
    allow: [...settings.allow, ...parseAll('allow', flags.allow), ...builtIn],
    ask: [...settings.ask, ...parseAll('ask', flags.ask)],
    deny: [...settings.deny, ...parseAll('deny', flags.deny), ...parseAll('deny', more.deny, 'built-in')],
  };
}

/** Warnings about command line rules: tools that only an extension could add. */
function doubtsAbout(flags: RuleLists): readonly Problem[] {
  return ruleListNames.flatMap((list) => {
    const { problems } = parseRules({ [list]: flags[list] ?? [] }, { source: 'command line' });
    return problems.filter(({ code }) => isDoubt(code, list));
  });
}

const ruleListNames = ['allow', 'ask', 'deny'] as const;

/** A mistyped deny or ask rule would protect nothing; a mistyped allow rule only does not help. */
function isDoubt(code: RuleProblem['code'], list: keyof RuleLists): boolean {
  return (
    code === 'rule.unfamiliar-tool' ||
    code === 'rule.unmatchable' ||
    (code === 'rule.unknown-tool' && list === 'allow')
  );
}

function parseAll(
  list: keyof RuleLists,
  texts: readonly string[] = [],
  source = 'command line',
): readonly Rule[] {
  const { rules, problems } = parseRules({ [list]: texts }, { source });
  const problem = problems.find(({ code }) => !isDoubt(code, list));
  if (!problem) return rules[list];
  throw new AgentError('usage', `Invalid ${list} rule: ${problem.message}`, problem);
}

/** An approval applies even if the rule could not be saved. */
async function saveOrTell(
  rules: readonly string[],
  { config, live, terminal = silentInterface }: CreateSessionOptions,
  { cwd }: Workspace,
): Promise<ReadonlyMap<string, RuleOrigin>> {
  try {
    const saved = await saveProjectRules(cwd, rules, config.host);
    for (const rule of rules) config.trust?.agree(ruleSubject(rule));
    // Reloaded immediately, so that the change is not reported as external.
    await live?.reload();
    return saved;
  } catch (thrown) {
    terminal.notify({
      level: 'warning',
      text: `The rule holds for this session only: ${errorMessage(thrown)}`,
    });
    return new Map();
  }
}
