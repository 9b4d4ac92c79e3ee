import type {
  AndOr,
  Assignment,
  Command,
  forEachChild,
  Pipeline,
  parse,
  Redirection as RedirectNode,
  SyntaxNode,
  Word,
} from 'unbash';
import { hasTooManyBraces } from '../word/brace-cost.ts';
import { holdsSubstitution, isMisread } from '../word/evaluated-again.ts';
import { type FunctionCalls, forkBombAmong, functionCalls } from '../word/fork-bomb.ts';
import { givenValues } from '../word/given-values.ts';
import {
  constructNames,
  isExpandedInput,
  isSubstituted,
  readAssignment,
  readRedirection,
} from '../word/read-nodes.ts';
import { ReadingBudget } from '../word/reading-budget.ts';
import { SecondEvaluation } from '../word/second-evaluation.ts';
import type { ShellScript, SimpleCommand } from '../word/shell-script.ts';
import {
  literalOf,
  markedText,
  quotedText,
  type ShellWord,
  unknownText,
  unknownWord,
  wordsFrom,
} from '../word/shell-word.ts';
import { feedsInput, isJudgedInside } from './fed-input.ts';
import {
  baseName,
  everyStart,
  givenText,
  inputText,
  inputWords,
  nestedRuns,
  splitWord,
  withAssumedName,
} from './nested-runs.ts';
import {
  echoedText,
  printsKnownText,
  readsProgram,
  runsFiles,
  substitutedTexts,
  takesUnseenProgram,
  takesUnseenScript,
} from './program-input.ts';
import { SettledVariables } from './settled-variables.ts';
import { splitRoughly } from './split-roughly.ts';
import { variableDoubt } from './split-words.ts';
import { WrittenScripts } from './written-scripts.ts';

/** The shell parser, loaded when the first command is judged. */
export interface ShellParser {
  readonly parse: typeof parse;
  readonly forEachChild: typeof forEachChild;
}

/** Scripts with more commands always need approval; deny rules still check all of them. */
const maximumCommands = 50;
const maximumScriptDepth = 8;
/** Maximum number of re-evaluated texts; beyond that the script is uncertain. */
const maximumTexts = 64;
const maximumValues = 8;
/** Brace expansion stops at this many words. */
const maximumWords = 4_000;

/** Lists the commands that a script would run. If the text cannot be read with certainty, `doubts` says why. */
export function extractCommands(source: string, parser: ShellParser): ShellScript {
  return new Extraction(parser).read(source);
}

class Extraction {
  readonly #parser: ShellParser;
  readonly #commands: SimpleCommand[] = [];
  readonly #assigned = new Map<string, string[]>();
  readonly #settled = new SettledVariables();
  readonly #constructs = new Set<string>();
  readonly #doubts = new Set<string>();
  readonly #functions: FunctionCalls[] = [];
  readonly #again = new SecondEvaluation();
  readonly #budget = new ReadingBudget();
  readonly #written = new WrittenScripts();
  /** Inputs of commands, by position. */
  readonly #inputs = new Map<number, readonly ShellWord[]>();
  #depth = 0;
  #source = '';
  #chains = 0;
  #chain: number | undefined;
  #isLink = false;
  #fedBy: SimpleCommand['fedBy'];
  /** `exec < file` changes the input of all following commands. */
  #hasOtherInput = false;
  #hidden: string | undefined;
  #hasOpenShell = false;
  /** True if a pipe carries the literal text of an echo. */
  #isPrinted = false;
  /** Texts of the line that a shell without a script may read. */
  readonly #shellTexts = new Set<string>();
  /** The same for other programs, filled at the end. */
  readonly #printed: string[] = [];

  constructor(parser: ShellParser) {
    this.#parser = parser;
  }

  #readScript(source: string, depth: number): void {
    if (depth > 0 && !this.#budget.takeCharacters(source.length)) return;
    if (depth > maximumScriptDepth) {
      this.#hide('scripts inside scripts are nested too deeply');
      this.#commands.push(...splitRoughly(source, this.#budget));
      return;
    }
    const outer = { depth: this.#depth, source: this.#source };
    [this.#depth, this.#source] = [depth, source];
    if (!this.#readWhole(source)) this.#commands.push(...splitRoughly(source, this.#budget));
    [this.#depth, this.#source] = [outer.depth, outer.source];
  }

  /** Returns true if a source was parsed and read completely. */
  #readWhole(source: string): boolean {
    if (hasTooManyBraces(source)) {
      this.#hide('it takes too long to read');
      return false;
    }
    try {
      const script = this.#parser.parse(source);
      this.#visit(script);
      return script.errors === undefined || script.errors.length === 0;
    } catch (thrown) {
      if (!(thrown instanceof RangeError)) throw thrown;
      // The tree is deeper than the stack allows.
      this.#hide('it is nested too deeply');
      return false;
    }
  }

  read(source: string): ShellScript {
    this.#readScript(source, 0);
    if (this.#commands.length > maximumCommands)
      this.#doubts.add(`there are more than ${maximumCommands} commands in it`);
    this.#readShellTexts();
    this.#printed.push(...this.#shellTexts);
    this.#learnValues();
    this.#readEvaluated();
    this.#hidden ??= variableDoubt(this.#commands, this.#assigned);
    if (this.#budget.isExceeded) this.#hide('it takes too long to read');
    const constructs = new Set([...this.#constructs, ...this.#again.constructs]);
    const forkBomb = forkBombAmong(this.#functions);
    return {
      source,
      commands: this.#commands,
      assigned: this.#assigned,
      unsettled: this.#settled.unsettled,
      constructs: [...constructs],
      doubts: [...this.#doubts],
      ...(this.#hidden === undefined ? {} : { hidden: this.#hidden }),
      ...(forkBomb === undefined ? {} : { forkBomb }),
    };
  }

  #visit = (node: SyntaxNode): void => {
    if (node.type === 'AndOr') return this.#visitChain(node);
    const construct = constructNames[node.type];
    const isQuoting = node.type === 'CommandExpansion' && quotedText(node) !== undefined;
    if (construct !== undefined && !isQuoting) this.#constructs.add(construct);
    if (node.type === 'Script') this.#noteErrors(node.errors);
    if (node.type === 'Command') this.#readCommand(node);
    if (node.type === 'Redirected') this.#push({ words: [], redirects: node.redirects, assignments: [] });
    if (node.type === 'Pipeline') this.#readPipeline(node);
    if (node.type === 'Function') this.#functions.push(functionCalls(node, this.#parser.forEachChild));
    if (node.type === 'For' || node.type === 'Select') this.#assignLoopValues(node.name, node.wordlist);
    this.#noteSubtleties(node);
    const outer = this.#fedBy;
    const branch = this.#settled.enter(node);
    const outside = this.#again.enter(node);
    if (node.type === 'Redirected' && node.redirects.some(feedsInput)) this.#fedBy = 'text';
    if (node.type === 'Coproc' || (node.type === 'ProcessSubstitution' && node.operator === '>'))
      this.#fedBy = 'pipe';
    this.#parser.forEachChild(node, node.type === 'Pipeline' ? this.#visitPiped : this.#visit);
    this.#fedBy = outer;
    this.#settled.leave(branch);
    this.#again.leave(outside);
  };

  #visitPiped = (node: SyntaxNode): void => {
    this.#visit(node);
    if (node.type === 'Time' || node.type === 'Negation') return;
    this.#fedBy = 'pipe';
    this.#isPrinted = node.type === 'Command' && printsKnownText(node);
  };

  #visitChain(node: AndOr): void {
    const outer = this.#chain;
    const branch = this.#settled.enter(node);
    this.#chains += 1;
    this.#chain = node.operators.every((operator) => operator === '&&') ? this.#chains : undefined;
    for (const child of node.commands) {
      this.#isLink = this.#chain !== undefined && child.type === 'Command';
      this.#visit(child);
      this.#settled.branch();
    }
    this.#settled.leave(branch);
    this.#isLink = false;
    this.#chain = outer;
  }

  #noteErrors(errors: readonly { message: string }[] | undefined): void {
    for (const error of errors ?? []) this.#hide(`it can't be parsed: ${error.message}`);
  }

  #noteSubtleties(node: SyntaxNode): void {
    if (
      (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') &&
      node.script === undefined
    ) {
      this.#hide("a substitution in it can't be parsed");
    }
    if (isMisread(node, this.#source)) this.#hide("an expansion in it can't be parsed");
    if (node.type === 'ParameterExpansion' && node.operation?.type === 'Default')
      if (node.operation.operator.endsWith('=')) {
        this.#constructs.add('an assignment inside an expansion');
        this.#remember(node.parameter, node.operation.operand);
      }
  }

  /** Marks the script as uncertain: unlisted commands may run, so deny rules apply as well. */
  #hide(reason: string): void {
    this.#doubts.add(reason);
    this.#hidden ??= reason;
  }

  #readCommand(node: Command): void {
    const words: ShellWord[] = node.name === undefined ? [] : wordsFrom(node.name);
    for (const argument of node.args) {
      if (argument.type === 'Assignment') {
        this.#assign(argument);
        words.push({ text: argument.text, pieces: [{ kind: 'text', value: argument.text }], plain: false });
        continue;
      }
      const read = wordsFrom(argument);
      words.push(...(words.length > maximumWords && read.length > 1 ? [unknownWord()] : read));
    }
    this.#shellTexts.add(echoedText(node) ?? '');
    if (runsFiles(node))
      for (const text of node.args.flatMap(substitutedTexts)) this.#readScript(text, this.#depth + 1);
    const assignments: Assignment[] = node.prefix.filter((prefix) => prefix.type === 'Assignment');
    assignments.forEach(this.#assign);
    this.#settled.note(words, assignments);
    this.#push({ words, redirects: node.redirects, assignments });
    this.#written.note(node);
  }

  #push(parts: {
    words: ShellWord[];
    redirects: readonly RedirectNode[];
    assignments: readonly Assignment[];
  }): void {
    const command: SimpleCommand = {
      words: parts.words,
      assignments: parts.assignments.map(readAssignment),
      redirections: parts.redirects.flatMap(readRedirection),
      expandsInput: parts.redirects.some(isExpandedInput),
      runs: [],
    };
    const nested = nestedRuns(command, parts.redirects, this.#budget);
    const reaches = this.#budget.isExceeded ? everyStart(command) : nested.reaches;
    const outer = this.#fedBy;
    const isFedHere = parts.redirects.some(feedsInput);
    this.#hasOtherInput ||= isFedHere && baseName(command.words[0]) === 'exec';
    if (isFedHere || this.#hasOtherInput) this.#fedBy = 'text';
    const isInside = isFedHere && outer === undefined && isJudgedInside(command, parts.redirects);
    const fedBy = isInside ? undefined : this.#fedBy;
    for (const text of parts.redirects.flatMap(inputText)) this.#shellTexts.add(text ?? '');
    const known = { ...withAssumedName(command), runs: nested.commands };
    const own = [...parts.redirects.flatMap(givenText), ...this.#written.codeFor(known)];
    const isFed = (this.#fedBy === 'pipe' && !this.#isPrinted) || parts.redirects.some(isSubstituted);
    const isGivenMore = fedBy !== undefined || command.words.some(({ text }) => text.includes('<('));
    this.#hasOpenShell ||= !isInside && takesUnseenScript(known);
    if (isFed && takesUnseenProgram(known)) this.#hidden ??= 'an interpreter in it runs what it reads';
    const input = parts.redirects.flatMap(inputWords);
    if (input.length > 0) this.#inputs.set(this.#commands.length, input);
    this.#commands.push({
      ...command,
      runs: nested.commands,
      ...(this.#chain === undefined ? {} : { chain: this.#chain }),
      ...(this.#isLink ? { isLink: true } : {}),
      ...(nested.stripped === undefined ? {} : { stripped: nested.stripped }),
      ...(reaches === undefined ? {} : { reaches }),
      ...(fedBy === undefined ? {} : { fedBy }),
      ...(own.length > 0 ? { input: own } : isGivenMore ? { input: this.#printed } : {}),
    });
    this.#isLink = false;
    if (nested.unreadable !== undefined) {
      this.#constructs.add(nested.unreadable);
      this.#hidden ??= `it runs ${nested.unreadable}`;
    }
    this.#again.noteCommand(known);
    for (const script of [...nested.scripts, ...this.#written.scriptsFor(known)])
      this.#readScript(script, this.#depth + 1);
    this.#fedBy = outer;
  }

  /** A shell at the end of a pipe runs its input; only the text of an echo or printf is known. */
  #readPipeline(node: Pipeline): void {
    node.commands.forEach((command, index) => {
      if (index === 0 || command.type !== 'Command') return;
      const before = node.commands[index - 1];
      if (before?.type === 'Command') this.#feed(before, command);
      if (!readsProgram(command)) return;
      this.#constructs.add('a pipe into an interpreter');
      const text = before?.type === 'Command' ? echoedText(before) : undefined;
      if (text !== undefined) this.#readScript(text, this.#depth + 1);
    });
  }

  /** `echo x | xargs command` runs the command with x; only deny and ask rules need to know. */
  #feed(before: Command, command: Command): void {
    if (!['echo', 'printf'].includes(before.name?.value ?? '') || command.name === undefined) return;
    const printed = before.args.flatMap((one) =>
      one.type === 'Word' ? wordsFrom(one).flatMap(splitWord) : [],
    );
    const own = command.args.flatMap((one) => (one.type === 'Word' ? wordsFrom(one) : []));
    if (!command.name.value.endsWith('xargs') && !own.some((word) => word.text.endsWith('xargs'))) return;
    const operands = printed.filter(({ text }) => !text.startsWith('-'));
    const words = [...wordsFrom(command.name), ...own, ...operands];
    const fed = { words, assignments: [], redirections: [], expandsInput: false, runs: [] };
    const reaches = [{ ...fed, runs: nestedRuns(fed, [], this.#budget).commands }];
    this.#commands.push({ ...fed, words: [], reaches });
  }

  /** A shell that reads its script from input may get any text of the line, and texts that the line does not show. */
  #readShellTexts(): void {
    if (!this.#hasOpenShell) return;
    this.#hidden ??= 'a shell in it runs what it reads';
    for (const text of this.#shellTexts) this.#readScript(text, this.#depth + 1);
  }

  /** Values that variables get from `read`, `set`, `printf -v` or the call of a function. */
  #learnValues(): void {
    const functions = new Set(this.#functions.map(({ name }) => name));
    this.#commands.forEach((command, index) => {
      for (const [name, values] of givenValues(command, { functions, input: this.#inputs.get(index) ?? [] }))
        this.#assigned.set(name, [...new Set([...(this.#assigned.get(name) ?? []), ...values])]);
    });
  }

  /** Reads texts that bash evaluates again: the text itself, and values of variables that may become such text. */
  #readEvaluated(): void {
    const evaluated = this.#again;
    if (evaluated.hasFileNames) this.#hide('bash evaluates names of files in it');
    if (evaluated.changesMeanings) this.#hidden ??= 'it changes what names mean';
    if (!evaluated.mayHide) return;
    const reason = 'bash evaluates quoted text in it again';
    if (evaluated.texts.length > 0) this.#hide(reason);
    this.#hidden ??= reason;
    const inputs = [...this.#inputs.values()].map((words) => words.map(markedText));
    const texts = new Set([...this.#assigned.values(), ...inputs].flat().filter(holdsSubstitution));
    // Reading a text may find more texts.
    for (let at = 0; at < evaluated.texts.length; at += 1) texts.add(evaluated.texts[at] ?? '');
    for (const text of texts) {
      if (texts.size > maximumTexts) return this.#hide('too much text in it is evaluated again');
      this.#readExpanded(text);
      for (const another of evaluated.texts) texts.add(another);
    }
  }

  /** Reads the substitutions of a text as written, and with one layer of quotes removed. */
  #readExpanded(text: string): void {
    const known = text.replaceAll(unknownText, '');
    for (const layer of new Set([known, known.replaceAll(/["'\\]/g, '')]))
      this.#readScript(`<<EVALUATED\n${layer.replaceAll('EVALUATED', '')}\nEVALUATED\n`, this.#depth + 1);
  }

  #assign = ({ name, value, append }: Assignment): void => {
    for (const word of value.type === 'ArrayValue' ? value.elements : [value]) this.#remember(name, word);
    if (append) this.#assigned.get(name)?.push(unknownText);
  };

  #assignLoopValues(name: Word, values: readonly Word[] | undefined): void {
    for (const value of values ?? []) this.#remember(name.value, value);
    this.#settled.noteLoop(name.value);
  }

  #remember(name: string, word: Word): void {
    const known = this.#assigned.get(name) ?? [];
    for (const read of wordsFrom(word)) {
      if (known.length > maximumValues) continue;
      const value = known.length === maximumValues ? unknownText : (literalOf(read) ?? unknownText);
      known.push(value);
      // `a=([0]=x)` gives the value x.
      if (value.startsWith('[') && value.includes(']=')) known.push(value.slice(value.indexOf(']=') + 2));
    }
    this.#assigned.set(name, known);
  }
}
