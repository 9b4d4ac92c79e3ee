import path from 'node:path';
import type { Workspace } from '@robota-sdk/agent-shell';
import {
  baseName,
  globsOverlap,
  hasKnownOperands,
  isWithin,
  literalOf,
  mayChange,
  mayRead,
  type NamedPath,
  openGlob,
  type PlacedCommand,
  placesOf,
  readOnly,
  readsWhatItNames,
  unknownText,
  valuesOf,
  wordOf,
} from '@robota-sdk/agent-shell';
import { pathRule } from './decide-path.ts';
import { matchPath, mayMatchPath } from './match-path.ts';
import type { RuleHit } from './match-script.ts';
import type { PermissionPolicy, Rule } from './policy/permission.ts';

const writeTools: readonly string[] = ['Edit', 'Write'];

/**
 * Applies path rules to a program's arguments. A path that must not be read is denied if it is spelled as a path; one
 * that must not be written is at least asked about, unless the program is known to only read.
 */
export function* namedPathHits(
  list: 'ask' | 'deny',
  policy: PermissionPolicy,
  placed: PlacedCommand,
): Generator<RuleHit> {
  const { rules, reading, writing } = narrowRules(policy.rules[list], policy.workspace);
  if (reading.length > 0) {
    const narrow = { ...policy, rules: { ...policy.rules, [list]: reading } };
    const isKnown = hasKnownOperands(baseName(placed.command.words[0]) ?? '');
    for (const one of isKnown ? [] : mayRead(placed.command)) {
      const rule = one.isOpen ? reading[0] : ruleNaming(list, narrow, { placed, named: one });
      const what = `Reading ${one.word.text.replaceAll(unknownText, '…')}`;
      if (rule !== undefined) yield { rule, what, certainty: one.isPathLike ? 'hit' : 'maybe' };
    }
  }
  if (writing.length > 0)
    yield* changeHits(list, { ...policy, rules: { ...policy.rules, [list]: writing } }, placed);
  yield* findHits(rules, policy, placed);
}

interface NarrowRules {
  readonly workspace: Workspace;
  readonly rules: readonly Rule[];
  readonly reading: readonly Rule[];
  readonly writing: readonly Rule[];
}

const narrowed = new WeakMap<readonly Rule[], NarrowRules>();

/** The rules for parts of the workspace; computed once, because they are the same for every command of a script. */
function narrowRules(all: readonly Rule[], workspace: Workspace): NarrowRules {
  const known = narrowed.get(all);
  if (known?.workspace === workspace) return known;
  const rules = all.filter((rule) => isNarrow(rule, workspace));
  const reading = rules.filter(({ tool }) => tool === 'Read');
  const writing = rules.filter(({ tool }) => writeTools.includes(tool));
  const found = { workspace, rules, reading, writing };
  narrowed.set(all, found);
  return found;
}

/** A rule for the whole workspace says nothing about one word of a command. */
function isNarrow({ specifier }: Rule, workspace: Workspace): boolean {
  if (specifier === undefined || /^[*/]*$/.test(specifier)) return false;
  return !matchPath(specifier, workspace.cwd, { workspace, reading: 'wide' });
}

function ruleNaming(
  list: 'ask' | 'deny',
  policy: PermissionPolicy,
  { placed, named }: { placed: PlacedCommand; named: NamedPath },
): Rule | undefined {
  for (const place of placesOf(named.word, placed, policy) ?? []) {
    const rule = pathRule(list, policy, { tool: 'Read', access: { kind: 'read', ...place } });
    if (rule !== undefined) return rule;
  }
  return undefined;
}

function* changeHits(
  list: 'ask' | 'deny',
  policy: PermissionPolicy,
  placed: PlacedCommand,
): Generator<RuleHit> {
  const { command } = placed;
  const isReader =
    readsWhatItNames(baseName(command.words[0]) ?? '') || readOnly({ ...command, assignments: [] }).ok;
  const { paths, isRecursive } = mayChange(command, { isReader });
  for (const { word, isOpen } of paths) {
    const [first] = policy.rules[list];
    if (isOpen && first !== undefined)
      yield { rule: first, what: `Changing ${word.text}`, certainty: 'maybe' };
    for (const place of placesOf(word, placed, policy) ?? []) {
      const rule =
        pathRule(list, policy, { tool: 'Edit', access: { kind: 'write', ...place } }) ??
        (isRecursive ? policy.rules[list].find((one) => liesBelow(one, place.path, policy)) : undefined);
      if (rule !== undefined) yield { rule, what: `Changing ${word.text}`, certainty: 'maybe' };
    }
  }
}

/** True if a rule's file may be below a directory; a bare name may be below any directory. */
function liesBelow({ specifier = '*' }: Rule, directory: string, { workspace }: PermissionPolicy): boolean {
  if (!isWithin(workspace.cwd, directory) && !isWithin(directory, workspace.cwd)) return false;
  return mayMatchPath(specifier, `${directory === '/' ? '' : directory}/*`, { workspace, reading: 'wide' });
}

/** Handles a `find` that deletes its matches or passes them to another program. */
function* findHits(
  rules: readonly Rule[],
  policy: PermissionPolicy,
  placed: PlacedCommand,
): Generator<RuleHit> {
  const { command } = placed;
  const texts = command.words.map((word) => literalOf(word) ?? word.text);
  const removes = texts.includes('-delete');
  if (baseName(command.words[0]) !== 'find' || (!removes && command.runs.length === 0)) return;
  const end = texts.findIndex((text, index) => index > 0 && /^[-(!]/.test(text));
  const given = command.words.slice(1, end === -1 ? undefined : end);
  const roots = (given.length > 0 ? given : [wordOf('.')])
    .filter((word) => valuesOf(word, placed.variables).every((value) => !value.includes(unknownText)))
    .flatMap((word) => placesOf(word, placed, policy) ?? []);
  const filters = texts.flatMap((text, index) => (/^-i?name$/.test(text) ? [texts[index + 1] ?? '*'] : []));
  const changes = removes || command.runs.some((one) => !readOnly(one).ok);
  const rule = rules.find(
    (one) =>
      (one.tool === 'Read' || (changes && writeTools.includes(one.tool))) &&
      mayFind(one, filters) &&
      roots.some((root) => liesBelow(one, root.path, policy)),
  );
  if (rule !== undefined) yield { rule, what: 'What find comes across', certainty: 'maybe' };
}

function mayFind({ specifier = '*' }: Rule, filters: readonly string[]): boolean {
  const last = path.posix.basename(specifier).toLowerCase();
  return filters.length === 0 || filters.some((filter) => globsOverlap(openGlob(filter.toLowerCase()), last));
}
