import { AgentError } from '@robota-sdk/agent-sdk/front-end';
import type { Arguments } from './args.ts';
import { type FrontEnd, type OptionName, type OptionSpec, optionSpecs } from './options.ts';

/** Refuses options that would have no effect in a front end; the optional text says why. */
export function assertEffective(
  args: Arguments,
  frontEnd: FrontEnd,
  reason?: (name: string) => string,
): void {
  const spec = optionSpecs.find(
    ({ name, only }) => only?.includes(frontEnd) === false && args.has(name as OptionName),
  );
  if (!spec) return;
  const message = reason?.(spec.name) ?? `--${spec.name} ${requirementOf(spec, frontEnd)}.`;
  const advice = spec.instead === undefined ? '' : ` ${spec.instead}`;
  throw new AgentError('usage', `${message}${advice}`);
}

function requirementOf({ only = [] }: OptionSpec, frontEnd: FrontEnd): string {
  if (only.length === 0) return 'requires --reset';
  if (frontEnd === 'stream') return 'cannot be used with --input-format stream-json';
  if (!only.includes('print')) return 'requires --input-format stream-json: no program is connected';
  return only.includes('stream') ? 'requires -p' : 'requires -p and one prompt';
}
