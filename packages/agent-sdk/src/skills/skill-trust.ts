import type { TrustGate } from '../trust/trust-gate.ts';
import type { TrustSubject } from '../trust/trust-item.ts';
import type { Skill } from './skill.ts';

/** Tools that need no question where they may be used at all. */
const harmless = /^(?:Read|Glob|Grep|LS|TodoWrite|TodoRead|Skill|Agent|Task|AskUser|AskUserQuestion)$/i;

/** A shell command in the text of a skill, as something to agree to. */
export function snippetSubject({ name }: Pick<Skill, 'name'>, command: string): TrustSubject {
  return { kind: 'skill-shell', name, content: command };
}

/** What a skill would allow without a question; nothing if it names only tools that need none. */
export function grantSubject({
  name,
  allowedTools = [],
}: Pick<Skill, 'name' | 'allowedTools'>): TrustSubject | undefined {
  if (allowedTools.every((tool) => harmless.test(tool))) return undefined;
  return { kind: 'allow-rule', name: `tools of the skill ${name}`, content: allowedTools.join(', ') };
}

/** Whether a command of a skill may be run: what a repository supplies only as it was agreed to. */
export async function mayRunSnippet(
  skill: Pick<Skill, 'name' | 'scope'>,
  command: string,
  gate: TrustGate | undefined,
): Promise<boolean> {
  if (skill.scope !== 'project') return true;
  const subject = snippetSubject(skill, command);
  return gate?.allows(subject) === true && (await gate.isUnchanged(subject));
}

/** Whether the tools that a skill names need no question. */
export function mayGrant(
  skill: Pick<Skill, 'name' | 'scope' | 'allowedTools'>,
  gate: TrustGate | undefined,
): boolean {
  if (skill.scope !== 'project') return true;
  const subject = grantSubject(skill);
  return subject !== undefined && gate?.allows(subject) === true;
}
