import path from 'node:path';
import type { Redirection, ShellScript, SimpleCommand } from '@robota-sdk/agent-shell';
import {
  baseName,
  builtinAssignments,
  type CheckedOutLinks,
  changedTo,
  directoryChange,
  earlierThan,
  elsewhereOfGit,
  executingOptionsOf,
  type GlobTarget,
  hasMoved,
  hazardOfGit,
  interpretsInput,
  isFixedPath,
  isHarmlessVariable,
  isInWorkspace,
  linksInside,
  literalOf,
  movesInside,
  type NotReadOnly,
  otherProgram,
  type PlacedCommand,
  placeInside,
  placesOf,
  plantedLink,
  pushedPlace,
  readOnly,
  runsGit,
  type ShellWord,
  settingsOfNpm,
  unknownText,
  valuesOf,
  wrappers,
  writtenThrough,
} from '@robota-sdk/agent-shell';
import { quoteCommand } from './combine.ts';
import { type CommandRule, commandRulesOf } from './command-rules.ts';
import { decidePath, type PathAccess } from './decide-path.ts';
import { guardedPath, harmlessDevices } from './guard-paths.ts';
import { type CommandPattern, coversCommand, sourceText, spellsOut } from './match-command.ts';
import { printedFile, ruleInTree, type TrackedAt } from './match-tree.ts';
import type { PermissionPolicy, Rule } from './policy/permission.ts';
import { protectedByGlob, protectedPart } from './protected-paths.ts';
import { ruleForCommand } from './suggest-rule.ts';

/** A part of a script that nothing allows. */
export interface Gap {
  readonly reason: string;
  /** True if it only reads, but outside the workspace. */
  readonly isRead?: true;
  readonly wouldAllow?: readonly string[];
  /** True if only a rule for the whole script can allow it. */
  readonly needsWhole?: true;
}

/** The rules that allow a script, and its uncovered commands; the script may run if there are none. */
export interface Coverage {
  readonly gaps: readonly Gap[];
  /** The first rule that was needed. */
  readonly rule?: Rule;
}

/** The placed commands of a line, and what git knows about their files. */
interface Line {
  readonly placed: readonly PlacedCommand[];
  readonly tracked: TrackedAt;
  readonly links: CheckedOutLinks;
}

/** Commands that change the meaning of later ones. */
const meaningChangers: ReadonlySet<string> = new Set(['alias', 'enable', 'hash', 'shopt', 'unalias']);

/** Finds what allows each part of a script: an allow rule, or the table of read-only commands. */
export function coverScript(policy: PermissionPolicy, script: ShellScript, line: Line): Coverage {
  const { placed } = line;
  if (script.doubts.length > 0)
    return { gaps: script.doubts.map((reason) => ({ reason: `The command is not certain: ${reason}.` })) };
  const rules = commandRulesOf(policy.rules.allow);
  const whole = rules.find(({ pattern }) => !pattern.any && spellsOut(pattern, script.source));
  if (whole !== undefined) return { gaps: [], rule: whole.rule };
  const any = rules.find(({ pattern }) => pattern.any);
  if (any !== undefined) return { gaps: placed.flatMap((one) => farWrites(policy, one)), rule: any.rule };
  return new Cover(policy, { script, rules, line }).all(placed);
}

/** Judges each command of a script separately, in order. */
export function coverParts(policy: PermissionPolicy, script: ShellScript, line: Line): readonly Coverage[] {
  const rules = commandRulesOf(policy.rules.allow);
  return line.placed.map((one) => new Cover(policy, { script, rules, line }).one(one));
}

class Cover {
  readonly #policy: PermissionPolicy;
  readonly #script: ShellScript;
  readonly #rules: readonly CommandRule[];
  readonly #line: Line;
  #earlier: readonly PlacedCommand[] = [];
  #rule: Rule | undefined;

  constructor(
    policy: PermissionPolicy,
    { script, rules, line }: { script: ShellScript; rules: readonly CommandRule[]; line: Line },
  ) {
    this.#policy = policy;
    this.#script = script;
    this.#rules = rules;
    this.#line = line;
  }

  all(placed: readonly PlacedCommand[]): Coverage {
    return this.#coverage([...this.#scriptGaps(placed), ...placed.flatMap((one) => this.#placedGaps(one))]);
  }

  one(placed: PlacedCommand): Coverage {
    return this.#coverage(this.#placedGaps(placed));
  }

  #coverage(gaps: readonly Gap[]): Coverage {
    return this.#rule === undefined ? { gaps } : { gaps, rule: this.#rule };
  }

  #scriptGaps(placed: readonly PlacedCommand[]): Gap[] {
    const reasons = this.#script.constructs.map(
      (construct) => `It contains ${construct}; only a rule for the exact command can allow it.`,
    );
    const names = placed.map((one) => baseName(one.command.words[0]) ?? '');
    const changer = placed.length > 1 ? names.find((name) => meaningChangers.has(name)) : undefined;
    if (changer !== undefined) reasons.push(`${changer} changes what later commands mean.`);
    const moves = placed.some(
      (one) => directoryChange(one.command, one.variables) !== undefined || movesInside(one),
    );
    if (moves && placed.some((one) => runsGit(one.command)))
      reasons.push('git after cd obeys the configuration of that directory.');
    return reasons.map(wholeGap);
  }

  #placedGaps(placed: PlacedCommand): Gap[] {
    this.#earlier = earlierThan(placed, this.#line.placed, this.#script.source);
    const gaps = placed.command.redirections.flatMap((one) => this.#redirectionGap(one, placed));
    const { command } = placed;
    const assignment = command.assignments.find((one) => !isHarmless(one));
    if (assignment !== undefined) return [...gaps, wholeGap(assignmentReason(assignment.name))];
    if (command.words.length === 0)
      return command.expandsInput ? [...gaps, wholeGap('Its input is expanded by the shell.')] : gaps;
    if (command.fedBy !== undefined && interpretsInput(command, command.fedBy))
      return [...gaps, wholeGap(inputReason(command))];
    return [...gaps, ...this.#commandGaps(command, placed)];
  }

  #commandGaps(command: SimpleCommand, placed: PlacedCommand): Gap[] {
    const covering = this.#rules.filter(({ pattern }) => coversCommand(pattern, command));
    const spelling = covering.find(({ pattern }) => spellsOut(pattern, sourceText(command)));
    if (spelling !== undefined) return this.#allowed(spelling.rule);
    const changed = builtinAssignments(command).assigned.find((one) => !isHarmless(one));
    if (changed !== undefined) return [wholeGap(assignmentReason(changed.name))];
    const guard = covering.length === 0 ? undefined : this.#guardOf(command, placed);
    const wide = covering.find(({ pattern }) => guard === undefined || guard.isNamedBy(pattern));
    if (wide !== undefined) {
      const inside = placeInside({ ...placed, command });
      const inner = command.runs.flatMap((one) => this.#commandGaps(one, inside));
      if (inner.length === 0) return this.#allowed(wide.rule);
      return inner;
    }
    if (command.stripped !== undefined) return this.#commandGaps(command.stripped, placed);
    if (covering.length > 0 && guard !== undefined) {
      return [withRules({ reason: guard.reason }, ruleForCommand(command))];
    }
    return this.#readGaps(command, placed);
  }

  #readGaps(command: SimpleCommand, placed: PlacedCommand): Gap[] {
    const change =
      command.words[0]?.plain && literalOf(command.words[0]) === 'cd'
        ? directoryChange(command, placed.variables)
        : undefined;
    if (change !== undefined) return this.#changeGaps(command, placed);
    const judged = readOnly({ ...command, assignments: [] });
    if (!judged.ok) {
      return [withRules({ reason: unallowedReason(command, judged) }, ruleForCommand(command))];
    }
    const here = { ...placed, command };
    const hazard =
      otherProgram(this.#policy, here) ??
      hazardOfGit(this.#policy, here, this.#othersOf(placed)) ??
      settingsOfNpm(this.#policy, here);
    if (hazard !== undefined) {
      const reason = `${quoteCommand(sourceText(command))} may do more than read: ${hazard}.`;
      return [withRules({ reason }, ruleForCommand(command))];
    }
    const { files } = judged;
    return [
      ...files.flatMap((file) => this.#fileGap(file, placed)),
      ...this.#linkGaps(files, here),
      ...this.#treeGap(files, here),
    ];
  }

  #treeGap(files: readonly ShellWord[], placed: PlacedCommand): Gap[] {
    const inTree = ruleInTree(this.#policy, placed, files);
    const printed =
      inTree === undefined
        ? printedFile(this.#policy, placed, this.#line.tracked)
        : { rule: inTree, file: undefined };
    if (printed === undefined) return [];
    const { rule, file } = printed;
    const what = quoteCommand(sourceText(placed.command));
    const reason =
      file === undefined
        ? `${what} may come across files that ${rule.text} is about.`
        : `${what} may print ${file}, which ${rule.text} is about. Leave it out with ${quoteCommand(`':(exclude,top)${file}'`)}.`;
    return [withRules({ reason, isRead: true }, ruleForCommand(placed.command))];
  }

  #changeGaps(command: SimpleCommand, placed: PlacedCommand): Gap[] {
    const target = command.words[1];
    const { workspace, files } = this.#policy;
    const isKnown =
      target !== undefined && command.words.length === 2 && isFixedPath(target) && target.text !== '-';
    const places = isKnown && !placed.isLost ? valuesOf(target, placed.variables) : [];
    const reached = places.flatMap((value) =>
      placed.directories.flatMap((directory) => changedTo(directory, value, this.#policy)),
    );
    const isInside = reached.every((place) => isInWorkspace(files?.realPath(place) ?? place, workspace));
    const planted = reached.flatMap((one) => this.#plantedGap({ path: one, real: one }, 'read'));
    if (reached.length > 0 && isInside) return planted.slice(0, 1);
    return [
      withRules(
        { reason: `${quoteCommand(sourceText(command))} leaves the workspace.`, isRead: true },
        ruleForCommand(command),
      ),
    ];
  }

  #fileGap(file: ShellWord, placed: PlacedCommand): Gap[] {
    const places = placesOf(file, placed, this.#policy);
    if (places === undefined)
      return [{ ...wholeGap(`Where ${file.text} leads is only known when it runs.`), isRead: true }];
    return places.flatMap((place) =>
      harmlessDevices.test(place.path) ? [] : this.#pathGap({ kind: 'read', ...place }),
    );
  }

  #linkGaps(files: readonly ShellWord[], placed: PlacedCommand): Gap[] {
    const links = linksInside(this.#policy, placed, files);
    if (links !== undefined) return links.flatMap((place) => this.#pathGap({ kind: 'read', ...place }));
    const reason = `${quoteCommand(sourceText(placed.command))} may follow links out of the workspace; --no-dereference does not.`;
    return [{ ...wholeGap(reason), isRead: true }];
  }

  #redirectionGap(redirection: Redirection, placed: PlacedCommand): Gap[] {
    const { kind, target } = redirection;
    const places =
      target === undefined || !isFixedPath(target) ? undefined : placesOf(target, placed, this.#policy);
    if (places === undefined) return [wholeGap('It redirects to a file that is only known when it runs.')];
    if (places.every((place) => harmlessDevices.test(place.path))) return [];
    if (kind === 'write' && hasMoved(placed) && !target?.text.startsWith('/')) {
      return [wholeGap(`It writes ${target?.text ?? 'a file'} after changing the directory.`)];
    }
    return places.flatMap((place) => this.#pathGap({ kind, ...place }));
  }

  #pathGap(access: PathAccess): Gap[] {
    const tool = access.kind === 'write' ? 'Edit' : 'Read';
    const decision = decidePath(this.#policy, { tool, access });
    if (decision.verdict === 'allow') return this.#plantedGap(access, access.kind);
    const gap: Gap =
      access.kind === 'read' ? { reason: decision.reason, isRead: true } : { reason: decision.reason };
    return [withRules(gap, decision.wouldAllow)];
  }

  /** A path that another command of the line may turn into a link leads to a place that is only known then. */
  #plantedGap({ path: file, real }: GlobTarget, kind: PathAccess['kind']): Gap[] {
    const line = { earlier: this.#earlier, links: this.#line.links };
    const reason = plantedLink(this.#policy, { path: file, real }, line);
    if (reason === undefined) return [];
    return [{ ...wholeGap(reason), ...(kind === 'read' ? { isRead: true } : {}) }];
  }

  /** Finds a reason why a wildcard does not cover a command although its text matches. */
  #guardOf(
    command: SimpleCommand,
    placed: PlacedCommand,
  ): { reason: string; isNamedBy(pattern: CommandPattern): boolean } | undefined {
    const name = baseName(command.words[0]) ?? '';
    if (Object.hasOwn(wrappers, name) && wrappers[name]?.exactOnly) {
      return {
        reason: `${name} runs whatever it is given; only a rule for the exact command can allow it.`,
        isNamedBy: () => false,
      };
    }
    const others = this.#othersOf(placed);
    const elsewhere = elsewhereOfGit(this.#policy, { ...placed, command }, others);
    if (elsewhere !== undefined) {
      const reason = `git -C ${elsewhere} obeys the configuration of that directory, which a wildcard does not cover.`;
      return { reason, isNamedBy: ({ text }) => text.includes(`-C ${elsewhere}`) };
    }
    const pushed = pushedPlace(this.#policy, { ...placed, command }, others);
    if (pushed !== undefined) {
      const reason = `git push may run the hooks of a directory (${pushed}), which a wildcard does not cover.`;
      return { reason, isNamedBy: ({ text }) => text.split(' ').slice(2).includes(pushed) };
    }
    const options = executingOptionsOf(command);
    const [option] = options;
    if (option !== undefined) {
      const shown = option === unknownText ? 'with what xargs adds' : option;
      const reason = `${name} ${shown} may run or remove something, which a wildcard does not cover.`;
      return { reason, isNamedBy: ({ text }) => options.every((one) => text.split(' ').includes(one)) };
    }
    const guarded = guardedPath(this.#policy, { ...placed, command });
    const [planted] = writtenThrough(this.#policy, { ...placed, command }).flatMap((place) =>
      this.#plantedGap(place, 'write'),
    );
    if (planted !== undefined) return { reason: planted.reason, isNamedBy: () => false };
    if (guarded === undefined) return undefined;
    return {
      reason: `${name} ${guarded.what}; a wildcard does not cover that.`,
      isNamedBy: ({ text }) => guarded.names.some((one) => text.includes(one)),
    };
  }

  #othersOf(placed: PlacedCommand): readonly SimpleCommand[] {
    return this.#script.commands.filter((one) => one !== placed.command);
  }

  #allowed(rule: Rule): Gap[] {
    this.#rule ??= rule;
    return [];
  }
}

function unallowedReason(command: SimpleCommand, { why, isUnlisted }: NotReadOnly): string {
  const what = quoteCommand(sourceText(command));
  return isUnlisted ? `${what} isn't read-only, and no rule allows it.` : `No rule allows ${what}: ${why}.`;
}

function assignmentReason(name: string): string {
  const what = name === unknownText ? 'a variable that is only known when it runs' : name;
  return `It sets ${what}, which may change what the command does.`;
}

function inputReason(command: SimpleCommand): string {
  return `${quoteCommand(sourceText(command))} runs what it reads; only a rule for the exact command can allow it.`;
}

/** A rule for all of Bash still does not allow redirections to protected files or out of the workspace. */
function farWrites(policy: PermissionPolicy, placed: PlacedCommand): Gap[] {
  return placed.command.redirections.flatMap(({ kind, target }) => {
    if (kind === 'read' || target === undefined) return [];
    const part = possiblePart(target, placed, policy);
    if (part !== undefined) return [{ reason: `${target.text} may be ${part}, which is protected.` }];
    return (placesOf(target, placed, policy) ?? []).flatMap((place) => {
      if (harmlessDevices.test(place.path)) return [];
      const access: PathAccess = { kind, ...place };
      const decision = decidePath({ ...policy, mode: 'acceptEdits' }, { tool: 'Edit', access });
      return decision.verdict === 'allow'
        ? []
        : [withRules({ reason: decision.reason }, decision.wouldAllow)];
    });
  });
}

/** A protected path that a word may expand to, by a glob or an empty variable. */
function possiblePart(
  word: ShellWord,
  placed: PlacedCommand,
  { workspace, ...policy }: PermissionPolicy,
): string | undefined {
  if (isFixedPath(word)) return undefined;
  const values = valuesOf(word, placed.variables).map((value) => value.replaceAll(unknownText, ''));
  const files = values.flatMap((value) =>
    placed.directories.map((directory) => path.posix.resolve(directory, value)),
  );
  return files
    .map((file) => protectedPart(file, { ...policy, workspace }) ?? protectedByGlob(file, workspace))
    .find((part) => part !== undefined);
}

function isHarmless(assignment: { readonly name: string; readonly value?: ShellWord }): boolean {
  return isHarmlessVariable(
    assignment.name,
    assignment.value === undefined ? undefined : literalOf(assignment.value),
  );
}

function wholeGap(reason: string): Gap {
  return { reason, needsWhole: true };
}

function withRules(gap: Gap, wouldAllow: readonly string[] | undefined): Gap {
  return wouldAllow === undefined ? gap : { ...gap, wouldAllow };
}
