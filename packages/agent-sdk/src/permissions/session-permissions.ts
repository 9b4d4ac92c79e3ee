import {
  AgentError,
  Authorizer,
  errorMessage,
  type PermissionMode,
  type PermissionRules,
  parseRules,
  type Rule,
  silentInterface,
  type Workspace,
} from '@robota-sdk/agent-core';
import type { CreateSessionOptions, RuleLists } from '../create-session.ts';
import { saveProjectRules } from './save-rules.ts';

/** The permissions of a session as commands see and change them. */
export interface SessionPermissions {
  mode: PermissionMode;
  readonly rules: PermissionRules;
  readonly authorizer: Authorizer;
}

/** Reading our own configuration folders never needs a question. */
const defaultAllow = ['.agents', '.claude', '.robota'].flatMap((folder) => [
  `Read(${folder}/**)`,
  `Glob(${folder}/**)`,
]);

/** Joins the rules of settings, flags and the product, and the one who asks where they say so. */
export function createPermissions(
  options: CreateSessionOptions,
  { workspace, outputDir }: { workspace: Workspace; outputDir: string },
): SessionPermissions {
  const { settings } = options.config;
  // The model is told where the rest of a long result is, so it must be able to look there.
  const builtIn = parseAll('allow', [...defaultAllow, `Read(/${outputDir}/**)`], 'built-in');
  const rules = joinRules(settings.permissions, options.rules ?? {}, builtIn);
  const permissions: SessionPermissions = {
    mode: options.permissionMode ?? settings.permissionMode ?? 'default',
    rules,
    authorizer: new Authorizer({
      policy: () => ({ mode: permissions.mode, rules, workspace }),
      ui: options.terminal ?? silentInterface,
      saveRules: (saved) => saveOrTell(saved, options, workspace),
    }),
  };
  return permissions;
}

function joinRules(settings: PermissionRules, flags: RuleLists, builtIn: readonly Rule[]): PermissionRules {
  return {
    allow: [...settings.allow, ...parseAll('allow', flags.allow), ...builtIn],
    ask: [...settings.ask, ...parseAll('ask', flags.ask)],
    deny: [...settings.deny, ...parseAll('deny', flags.deny)],
  };
}

function parseAll(
  list: keyof RuleLists,
  texts: readonly string[] = [],
  source = 'command line',
): readonly Rule[] {
  const { rules, problems } = parseRules({ [list]: texts }, { source });
  const [problem] = problems;
  if (!problem) return rules[list];
  throw new AgentError('usage', `The rule "${problem.text}" can not be used: ${problem.message}`);
}

/** Somebody said yes: that the rule could not be kept is no reason not to act on it. */
async function saveOrTell(
  rules: readonly string[],
  { config, terminal = silentInterface }: CreateSessionOptions,
  { cwd }: Workspace,
): Promise<void> {
  await saveProjectRules(cwd, rules, config.host).catch((thrown: unknown) => {
    const text = `The rule holds for this session only: ${errorMessage(thrown)}`;
    terminal.notify({ level: 'warning', text });
  });
}
