import { isCommandName, type TrustGate } from '@robota-sdk/agent-config';
import {
  type Access,
  type Hook,
  isWithin,
  type PermissionRequest,
  realPathOf,
  type ToolCallContent,
  type Workspace,
} from '@robota-sdk/agent-core';
import type { Skill } from './skill.ts';
import { disallowedRules, type Standing, standingOf, toolRules } from './skill-rules.ts';
import { mayGrant, skillLabel } from './skill-trust.ts';

/** Tools that touch neither files nor commands; a skill need not name them. */
const alwaysInside: ReadonlySet<string> = new Set(['Skill', 'TodoWrite', 'AskUser', 'ExitPlanMode']);

export interface ActiveSkillsOptions {
  readonly workspace: Workspace;
  readonly trust: TrustGate | undefined;
}

/** A skill that a model uses in a run, and the turns since. */
interface RunUse {
  readonly skill: Skill;
  turns: number;
}

/** The skills in use, and the effect of their tool lists on calls. */
export class ActiveSkills {
  readonly #options: ActiveSkillsOptions;
  readonly #ofCommands = new Set<Skill>();
  /** A run is identified by its signal, which it shares with its calls. */
  readonly #ofRuns = new WeakMap<AbortSignal, RunUse[]>();

  constructor(options: ActiveSkillsOptions) {
    this.#options = options;
  }

  /** A skill is in use until the returned function is called. */
  begin(skill: Skill): () => void {
    // The same skill may be started twice; each use ends separately.
    const use = { ...skill };
    this.#ofCommands.add(use);
    return () => this.#ofCommands.delete(use);
  }

  /** A skill is in use until a run ends. */
  join(skill: Skill, run: AbortSignal): void {
    this.#ofRuns.set(run, [...(this.#ofRuns.get(run) ?? []), { skill, turns: 0 }]);
  }

  /** Judges calls by the skills in use: one that a trusted one lists is allowed; one outside a restricting list is refused. */
  readonly toolBefore: Hook<'tool-before'> = async ({ call, access }, signal) => {
    const uses = this.#ofRuns.get(signal) ?? [];
    const spent = uses.find(({ skill, turns }) => turns > (skill.maxTurns ?? Number.POSITIVE_INFINITY));
    if (spent)
      return { stop: `${spokenOf(spent.skill.name)} may take at most ${spent.skill.maxTurns} turns.` };
    const active = [...this.#ofCommands, ...uses.map(({ skill }) => skill)];
    return active.length === 0 ? undefined : this.judge(active, call, access);
  };

  /** Counts the turns of skills that a model uses. */
  readonly requestBefore: Hook<'request-before'> = (_input, signal) => {
    for (const use of this.#ofRuns.get(signal) ?? []) use.turns++;
    return undefined;
  };

  /** The decision of some skills about a call. */
  async judge(
    skills: readonly Skill[],
    { name }: Pick<ToolCallContent, 'name'>,
    access: readonly Access[],
  ): Promise<{ block: string } | { verdict: 'allow'; reason: string } | undefined> {
    const { workspace } = this.#options;
    const request: PermissionRequest = { tool: name, access };
    for (const skill of skills) {
      const rules = disallowedRules(skill, skill.disallowedTools);
      if ((await standingOf(request, { rules, workspace })) !== 'outside')
        return { block: `${spokenOf(skill.name)} does not allow ${name} while it is in use.` };
    }
    const listing = skills.filter(({ allowedTools }) => allowedTools !== undefined);
    const standings = await Promise.all(listing.map((skill) => this.#standing(skill, request)));
    const restricting = listing.filter(({ restrictsTools }) => restrictsTools);
    const isOutside = (skill: Skill) => standings[listing.indexOf(skill)] === 'outside';
    if (restricting.length > 0 && restricting.every(isOutside))
      return { block: outsideOf(restricting[0], name) };
    const granting = listing.find(
      (skill, index) => standings[index] === 'granted' && mayGrant(skill, this.#options.trust),
    );
    if (granting) return { verdict: 'allow', reason: `${spokenOf(granting.name)} allows it.` };
    const owner = skills.find((skill) => readsOwnFiles(skill, request));
    return owner && { verdict: 'allow', reason: `The files belong to ${skillLabel(owner.name)}.` };
  }

  async #standing(skill: Skill, request: PermissionRequest): Promise<Standing> {
    const rules = toolRules(skill, skill.allowedTools);
    const standing = await standingOf(request, { rules, workspace: this.#options.workspace });
    return standing === 'outside' && alwaysInside.has(request.tool) ? 'inside' : standing;
  }
}

/** True if a call only reads files in the folder of a user's skill. */
function readsOwnFiles({ scope, directory, isPlain }: Skill, { access }: PermissionRequest): boolean {
  if (scope === 'project' || isPlain || access.length === 0) return false;
  const folder = realPathOf(directory);
  return access.every(
    (each) => (each.kind === 'read' || each.kind === 'search') && isWithin(folder, each.real),
  );
}

function outsideOf({ name: skill, allowedTools = [] }: Skill = { name: '' } as Skill, tool: string): string {
  const list = allowedTools.length > 0 ? `only ${allowedTools.join(', ')}` : 'no tools';
  return `${spokenOf(skill)} allows ${list} while it is in use; this call of ${tool} is outside.`;
}

function spokenOf(name: string): string {
  return `The ${isCommandName(name) ? 'command' : 'skill'} "${name}"`;
}
