import {
  isCommandName,
  type ModelChooser,
  mayChooseModel,
  type TrustGate,
  type TrustSubject,
} from '@robota-sdk/agent-config';
import type { Skill } from './skill.ts';

/** Tools that need no question where they may be used at all. */
const harmless = /^(?:Read|Glob|Grep|LS|TodoWrite|TodoRead|Skill|Agent|Task|AskUser|AskUserQuestion)$/i;

/** A shell command in the text of a skill, as something to agree to. */
export function snippetSubject({ name }: Pick<Skill, 'name'>, command: string): TrustSubject {
  return { kind: 'skill-shell', name, content: command };
}

/** The permissions a skill would grant; undefined if its tools need none. */
export function grantSubject({
  name,
  allowedTools = [],
}: Pick<Skill, 'name' | 'allowedTools'>): TrustSubject | undefined {
  if (allowedTools.every((tool) => harmless.test(tool))) return undefined;
  return { kind: 'allow-rule', name: `tools of the skill ${name}`, content: allowedTools.join(', ') };
}

/** True if a command of a skill may run: a repository's only as it was approved. */
export async function mayRunSnippet(
  skill: Pick<Skill, 'name' | 'scope'>,
  command: string,
  gate: TrustGate | undefined,
): Promise<boolean> {
  if (skill.scope !== 'project') return true;
  const subject = snippetSubject(skill, command);
  return gate?.allows(subject) === true && (await gate.isUnchanged(subject));
}

/** True if the tools that a skill names need no question. */
export function mayGrant(
  skill: Pick<Skill, 'name' | 'scope' | 'allowedTools'>,
  gate: TrustGate | undefined,
): boolean {
  if (skill.scope !== 'project') return true;
  const subject = grantSubject(skill);
  return subject !== undefined && gate?.allows(subject) === true;
}

/** A skill or command as a chooser of a model. */
export function skillChooser({ name, model, scope }: Pick<Skill, 'name' | 'model' | 'scope'>): ModelChooser {
  return { title: skillLabel(name), model, fromProject: scope === 'project' };
}

/** The label of a skill or command. */
export function skillLabel(name: string): string {
  return `${isCommandName(name) ? 'command' : 'skill'} ${name}`;
}

/** Drops the model of a skill unless it was approved, with a warning. */
export function withTrustedModel(
  skill: Skill,
  gate: TrustGate | undefined,
  notify: (text: string) => void,
): Skill {
  if (mayChooseModel(skillChooser(skill), gate)) return skill;
  const { model, ...rest } = skill;
  notify(
    `The ${skillLabel(skill.name)} asks for the model ${model}, which you have not approved; the session's model is used.`,
  );
  return rest;
}
