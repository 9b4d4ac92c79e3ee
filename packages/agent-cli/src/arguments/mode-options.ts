import {
  AgentError,
  type PermissionMode,
  type ThinkingLevel,
  thinkingOfEffort,
  thinkingOfTokens,
} from '@robota-sdk/agent-sdk/front-end';
import type { Arguments } from './args.ts';

/** Words of other agents for levels of thinking. */
const thinkingWords: Readonly<Record<string, ThinkingLevel>> = {
  adaptive: 'high',
  enabled: 'high',
  disabled: 'off',
};

/** How much the model thinks, however it was said. */
export function thinkingOption(args: Arguments): ThinkingLevel | undefined {
  const given = (['thinking', 'effort', 'max-thinking-tokens'] as const).filter((name) => args.has(name));
  const [thinking, effort, tokens] = [args.value('thinking'), args.value('effort'), tokensOption(args)];
  // Thinking that is left to the model goes with an effort.
  if (given.length > 1 && !(given.length === 2 && effort !== undefined && thinking === 'adaptive'))
    throw new AgentError('usage', `--${given[0]} and --${given[1]} cannot be used together.`);
  if (effort !== undefined) return thinkingOfEffort(effort);
  if (tokens !== undefined) return thinkingOfTokens(tokens);
  // The choices are checked where the command line is read.
  return thinking === undefined ? undefined : (thinkingWords[thinking] ?? (thinking as ThinkingLevel));
}

function tokensOption(args: Arguments): number | undefined {
  const text = args.value('max-thinking-tokens');
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new AgentError('usage', `--max-thinking-tokens ${text}: expected a whole number.`);
}

/** The permission mode, however it was said; `dontAsk` and `manual` are the default one, without questions and with. */
export function permissionModeOption(args: Arguments): PermissionMode | undefined {
  const mode = args.value('permission-mode');
  if (args.has('dangerously-skip-permissions')) {
    if (mode === undefined || mode === 'bypassPermissions') return 'bypassPermissions';
    throw new AgentError(
      'usage',
      `--dangerously-skip-permissions and --permission-mode ${mode} cannot be used together.`,
    );
  }
  return mode === 'dontAsk' || mode === 'manual' ? 'default' : (mode as PermissionMode | undefined);
}

/** True if what needs a yes is denied without a question. */
export function isQuiet(args: Arguments): boolean {
  return args.value('permission-mode') === 'dontAsk' || args.value('permission-prompts') === 'none';
}

/** True if a program may switch permission checks off later. */
export function mayBypass(args: Arguments): boolean {
  return args.has('allow-dangerously-skip-permissions') || permissionModeOption(args) === 'bypassPermissions';
}
