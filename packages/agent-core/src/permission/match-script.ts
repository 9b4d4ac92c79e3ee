import path from 'node:path';
import type { ShellScript, SimpleCommand } from '@robota-sdk/agent-shell';
import {
  type CodeText,
  codeTexts,
  type FileOperand,
  fileOperands,
  innerDirectories,
  isFixedPath,
  openGlob,
  type PlacedCommand,
  placesOf,
  unknownText,
  valuesOf,
  variableTexts,
} from '@robota-sdk/agent-shell';
import { type Catastrophe, catastropheOf, refuse } from './catastrophic.ts';
import { quoteCommand } from './combine.ts';
import { type CommandRule, CommandRules, commandRulesOf } from './command-rules.ts';
import { pathRule } from './decide-path.ts';
import { CodeRules } from './match-code.ts';
import { collapseSpace, hitsReading, matchesText, readingsOf, sourceText } from './match-command.ts';
import { namedPathHits } from './match-named-paths.ts';
import { mayBePath, mayMatchPath } from './match-path.ts';
import { pathTools } from './parse-rule.ts';
import type { PermissionPolicy, Rule } from './policy/permission.ts';
import { protectedPart } from './protected-paths.ts';

/** A deny or ask rule that a script matches, and the matching part. */
export interface RuleHit {
  readonly rule: Rule;
  readonly what: string;
  /** Certain, or only possible after the shell has expanded unknown parts. */
  readonly certainty: 'hit' | 'maybe';
}

/** The built-in refusal that applies to a command of a script. */
export function scriptCatastrophe(
  script: ShellScript,
  placed: readonly PlacedCommand[],
): Catastrophe | undefined {
  if (script.forkBomb !== undefined) {
    return refuse(
      `${script.forkBomb}(){ ${script.forkBomb}|${script.forkBomb}& };${script.forkBomb}`,
      'it starts itself without end',
    );
  }
  for (const one of placed) {
    for (const inner of withPlacedRuns(one)) {
      const found = catastropheOf(inner.command, inner);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The first rule of a list that a script or a command of it matches; certain matches come first. */
export function scriptHit(
  list: 'ask' | 'deny',
  policy: PermissionPolicy,
  placed: readonly PlacedCommand[],
  source?: string,
): RuleHit | undefined {
  const rules = policy.rules[list];
  if (rules.length === 0) return undefined;
  const commandRules = new CommandRules(rules);
  const hasPathRules = rules.some((rule) => pathTools.includes(rule.tool));
  function* hits(one: PlacedCommand): Generator<RuleHit> {
    yield* commandHits(one, commandRules.for(one.command));
    if (!hasPathRules) return;
    yield* pathHits(list, policy, one);
    yield* namedPathHits(list, policy, one);
  }
  let possible: RuleHit | undefined;
  for (const one of placed) {
    for (const inner of withPlacedRuns(one)) {
      for (const hit of hits(inner)) {
        if (hit.certainty === 'hit') return hit;
        possible ??= hit;
      }
    }
  }
  for (const hit of codeHits(rules, placed)) {
    if (hit.certainty === 'hit') return hit;
    possible ??= hit;
  }
  // `curl * | sh` is no single command, and a rule may have quotes as the line has them.
  const whole = source && commandRulesOf(rules).find(({ pattern }) => matchesText(pattern, source));
  if (source && whole)
    return { rule: whole.rule, what: quoteCommand(collapseSpace(source)), certainty: 'hit' };
  return possible;
}

/** Rules that match text which a program may run as code. */
function* codeHits(rules: readonly Rule[], placed: readonly PlacedCommand[]): Generator<RuleHit> {
  const named = commandRulesOf(rules);
  if (named.length === 0) return;
  const texts = textsOfCode(placed);
  if (texts.length === 0) return;
  const codeRules = new CodeRules(named);
  for (const code of texts) {
    for (const { rule, name, certainty } of codeRules.in(code))
      yield {
        rule,
        what: `${code.kind === 'text' ? 'Text' : 'Code'} for ${code.by} that names ${name}`,
        certainty,
      };
    const [first] = named;
    if (code.isOpen && first !== undefined)
      yield { rule: first.rule, what: `Code for ${code.by} that builds what it runs`, certainty: 'maybe' };
  }
}

const texts = new WeakMap<readonly PlacedCommand[], readonly CodeText[]>();

/** Texts that the commands of a script may run as code; cached for the deny and ask lists. */
function textsOfCode(placed: readonly PlacedCommand[]): readonly CodeText[] {
  const known = texts.get(placed);
  if (known !== undefined) return known;
  const found = new Map<string, CodeText>();
  const add = (code: CodeText) => found.set(`${code.kind} ${code.text}`, code);
  variableTexts(placed[0]?.variables.assigned ?? new Map()).forEach(add);
  for (const one of placed) {
    const { input = [] } = one.command;
    for (const { command } of withPlacedRuns(one))
      codeTexts(command, { variables: one.variables, input }).forEach(add);
  }
  const all = [...found.values()];
  texts.set(placed, all);
  return all;
}

/** The first rule for commands that a script may match through code it runs unseen. */
export function hiddenHit({ rules }: PermissionPolicy, script: ShellScript): RuleHit | undefined {
  if (script.hidden === undefined) return undefined;
  const rule = [...rules.deny, ...rules.ask].find(({ tool }) => tool === 'Bash' || pathTools.includes(tool));
  if (rule === undefined) return undefined;
  return { rule, what: `What runs is not certain, because ${script.hidden}; it`, certainty: 'maybe' };
}

/** True if a script would write to a protected file that it names. */
export function writesProtected(policy: PermissionPolicy, placed: readonly PlacedCommand[]): boolean {
  return placed.some((one) =>
    [...withPlacedRuns(one)].some((inner) =>
      namedFiles(inner.command).some(
        ({ kind, word }) =>
          kind === 'write' &&
          placesOf(word, inner, policy)?.some(({ real }) => protectedPart(real, policy) !== undefined),
      ),
    ),
  );
}

function* commandHits(placed: PlacedCommand, rules: readonly CommandRule[]): Generator<RuleHit> {
  const { command } = placed;
  if (command.words.length === 0 || rules.length === 0) return;
  const written = sourceText(command);
  const readings = readingsOf(command, placed.variables);
  for (const { rule, pattern } of rules) {
    const outcomes = readings.map((reading) => hitsReading(pattern, reading));
    const isHit = outcomes.includes('hit') || matchesText(pattern, written);
    const certainty = isHit ? 'hit' : outcomes.find((outcome) => outcome === 'maybe');
    if (certainty === 'hit' || certainty === 'maybe') yield { rule, what: quoteCommand(written), certainty };
  }
}

function* pathHits(
  list: 'ask' | 'deny',
  policy: PermissionPolicy,
  placed: PlacedCommand,
): Generator<RuleHit> {
  for (const operand of namedFiles(placed.command)) {
    const { kind, word } = operand;
    const tool = kind === 'write' ? 'Edit' : 'Read';
    const what = `${kind === 'write' ? 'Writing' : 'Reading'} ${word.text.replaceAll(unknownText, '…')}`;
    for (const place of placesOf(word, placed, policy) ?? []) {
      const rule = pathRule(list, policy, { tool, access: { kind, ...place } });
      if (rule !== undefined) yield { rule, what, certainty: 'hit' };
    }
    const rule = possibleRule(list, policy, { placed, operand });
    if (rule !== undefined) yield { rule, what, certainty: 'maybe' };
  }
}

/** The files a command names, in redirections and among its arguments. */
function namedFiles(command: SimpleCommand): FileOperand[] {
  const redirected = command.redirections.flatMap(({ kind, target }): FileOperand[] =>
    target === undefined ? [] : [{ kind, word: target }],
  );
  return [...redirected, ...fileOperands(command)];
}

/** A rule that a glob or an unknown part of a path may expand to. */
function possibleRule(
  list: 'ask' | 'deny',
  policy: PermissionPolicy,
  { placed, operand }: { placed: PlacedCommand; operand: FileOperand },
): Rule | undefined {
  if (isFixedPath(operand.word)) return undefined;
  const tools = operand.kind === 'write' ? ['Edit', 'Write', 'Read'] : ['Read'];
  const globs = valuesOf(operand.word, placed.variables).map((value) =>
    openGlob(value).replaceAll(unknownText, '*'),
  );
  const { workspace } = policy;
  return policy.rules[list].find(
    ({ tool, specifier }) =>
      tools.includes(tool) &&
      specifier !== undefined &&
      globs.some((glob) =>
        placed.directories.some((directory) => {
          const full = path.posix.resolve(directory, glob);
          if (operand.isPathspec)
            return ancestorsOf(full, specifier).some((one) => mayBePath(specifier, one, workspace));
          return (
            !sparesDotFile(specifier, glob) && mayMatchPath(specifier, full, { workspace, reading: 'wide' })
          );
        }),
      ),
  );
}

/** A path and its parent directories that a rule may name; a rule for a file is not matched by a bare wildcard. */
function ancestorsOf(full: string, specifier: string): string[] {
  const names = full.split('/').slice(1);
  const isFile = path.posix.basename(specifier).includes('.');
  return names.flatMap((name, index) =>
    isFile && /^\*+$/.test(name) && index < names.length - 1
      ? []
      : [`/${names.slice(0, index + 1).join('/')}`],
  );
}

/** A glob that starts with a wildcard skips files that start with a dot. */
function sparesDotFile(specifier: string, glob: string): boolean {
  const wanted = specifier.slice(specifier.lastIndexOf('/') + 1);
  return wanted.startsWith('.') && glob.slice(glob.lastIndexOf('/') + 1).startsWith('*') && glob !== '*';
}

/** A command and all commands that it runs, each with its directories. */
export function* withPlacedRuns(placed: PlacedCommand): Generator<PlacedCommand> {
  yield placed;
  const directories = innerDirectories(placed);
  for (const command of [...placed.command.runs, ...(placed.command.reaches ?? [])])
    yield* withPlacedRuns({ ...placed, command, directories });
}
