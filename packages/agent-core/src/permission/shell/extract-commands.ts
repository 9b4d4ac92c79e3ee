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
import { feedsInput, isJudgedInside } from './fed-input.ts';
import { type FunctionCalls, forkBombAmong, functionCalls } from './fork-bomb.ts';
import { givenValues } from './given-values.ts';
import { baseName, inputWords, nestedRuns, splitWord } from './nested-runs.ts';
import type { Redirection, ShellScript, SimpleCommand } from './shell-script.ts';
import { literalOf, quotedText, readWord, type ShellWord } from './shell-word.ts';
import { splitRoughly } from './split-roughly.ts';
import { interpreters, shells } from './wrappers.ts';

/** The parser, loaded when the first command is judged. */
export interface Parser {
  readonly parse: typeof parse;
  readonly forEachChild: typeof forEachChild;
}

/** More commands than this are never allowed unseen; deny rules still look at all of them. */
const maximumCommands = 50;
const maximumScriptDepth = 8;

/** Lists what a script would run. Where the text can't be read with certainty, `doubts` says why. */
export function extractCommands(source: string, parser: Parser): ShellScript {
  const extraction = new Extraction(parser);
  extraction.readScript(source, 0);
  return extraction.finish(source);
}

/** Constructs that the allow lists don't look behind, by the type of their node. */
const constructNames: Readonly<Record<string, string>> = {
  ArithmeticCommand: 'arithmetic',
  ArithmeticCommandExpansion: 'a command substitution',
  ArithmeticExpansion: 'arithmetic',
  ArithmeticFor: 'a loop',
  Case: 'a case statement',
  CommandExpansion: 'a command substitution',
  Coproc: 'a coprocess',
  For: 'a loop',
  Function: 'a function',
  If: 'an if statement',
  ProcessSubstitution: 'a process substitution',
  Select: 'a loop',
  While: 'a loop',
};

const arithmeticTests = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-v', '-R']);

class Extraction {
  readonly #parser: Parser;
  readonly #commands: SimpleCommand[] = [];
  readonly #assigned = new Map<string, string[]>();
  readonly #constructs = new Set<string>();
  readonly #doubts = new Set<string>();
  readonly #functions: FunctionCalls[] = [];
  /** What commands are given to read, by their position. */
  readonly #inputs = new Map<number, readonly ShellWord[]>();
  #depth = 0;
  #chains = 0;
  #chain: number | undefined;
  #isLink = false;
  /** Gives what is visited something to read. */
  #fedBy: SimpleCommand['fedBy'];
  /** `exec < file` stands for everything that follows. */
  #hasOtherInput = false;

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  readScript(source: string, depth: number): void {
    if (depth > maximumScriptDepth) {
      this.#doubts.add('scripts inside scripts are nested too deeply');
      this.#commands.push(...splitRoughly(source));
      return;
    }
    const outer = this.#depth;
    this.#depth = depth;
    const script = this.#parser.parse(source);
    this.#visit(script);
    if (script.errors !== undefined && script.errors.length > 0) this.#commands.push(...splitRoughly(source));
    this.#depth = outer;
  }

  finish(source: string): ShellScript {
    if (this.#commands.length > maximumCommands) {
      this.#doubts.add(`there are more than ${maximumCommands} commands in it`);
    }
    this.#learnValues();
    const forkBomb = forkBombAmong(this.#functions);
    return {
      source,
      commands: this.#commands,
      assigned: this.#assigned,
      constructs: [...this.#constructs],
      doubts: [...this.#doubts],
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
    if (node.type === 'Redirected' && node.redirects.some(feedsInput)) this.#fedBy = 'text';
    this.#parser.forEachChild(node, node.type === 'Pipeline' ? this.#visitPiped : this.#visit);
    this.#fedBy = outer;
  };

  #visitPiped = (node: SyntaxNode): void => {
    this.#visit(node);
    if (node.type !== 'Time' && node.type !== 'Negation') this.#fedBy = 'pipe';
  };

  #visitChain(node: AndOr): void {
    const outer = this.#chain;
    this.#chains += 1;
    this.#chain = node.operators.every((operator) => operator === '&&') ? this.#chains : undefined;
    for (const child of node.commands) {
      this.#isLink = this.#chain !== undefined && child.type === 'Command';
      this.#visit(child);
    }
    this.#isLink = false;
    this.#chain = outer;
  }

  #noteErrors(errors: readonly { message: string }[] | undefined): void {
    for (const error of errors ?? []) this.#doubts.add(`it can't be parsed: ${error.message}`);
  }

  #noteSubtleties(node: SyntaxNode): void {
    if (
      (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') &&
      node.script === undefined
    ) {
      this.#doubts.add("a substitution in it can't be parsed");
    }
    if (node.type === 'TestUnary' || node.type === 'TestBinary') {
      // An arithmetic operand such as a[$(id)] is evaluated, and runs what it holds.
      if (arithmeticTests.has(node.operator)) this.#constructs.add('arithmetic');
    }
    if (node.type !== 'ParameterExpansion') return;
    const isIndirect = node.prefix === '!' || node.index !== undefined;
    if (isIndirect || node.operation?.type === 'Transform' || node.operation?.type === 'Unknown') {
      this.#constructs.add('an indirect expansion');
    }
  }

  #readCommand(node: Command): void {
    const words: ShellWord[] = node.name === undefined ? [] : readWord(node.name);
    for (const argument of node.args) {
      if (argument.type === 'Assignment') {
        this.#assign(argument);
        words.push({ text: argument.text, pieces: [{ kind: 'text', value: argument.text }], plain: false });
        continue;
      }
      words.push(...readWord(argument));
    }
    if (runsFiles(node)) for (const argument of node.args) this.#readSubstituted(argument);
    const assignments: Assignment[] = node.prefix.filter((prefix) => prefix.type === 'Assignment');
    for (const assignment of assignments) this.#assign(assignment);
    this.#push({ words, redirects: node.redirects, assignments });
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
    const nested = nestedRuns(command, parts.redirects);
    const outer = this.#fedBy;
    const isFedHere = parts.redirects.some(feedsInput);
    this.#hasOtherInput ||= isFedHere && baseName(command.words[0]) === 'exec';
    if (isFedHere || this.#hasOtherInput) this.#fedBy = 'text';
    const fedBy = outer === undefined && isJudgedInside(command, parts.redirects) ? undefined : this.#fedBy;
    const input = parts.redirects.flatMap(inputWords);
    if (input.length > 0) this.#inputs.set(this.#commands.length, input);
    this.#commands.push({
      ...command,
      runs: nested.commands,
      ...(this.#chain === undefined ? {} : { chain: this.#chain }),
      ...(this.#isLink ? { isLink: true } : {}),
      ...(nested.stripped === undefined ? {} : { stripped: nested.stripped }),
      ...(nested.reaches === undefined ? {} : { reaches: nested.reaches }),
      ...(fedBy === undefined ? {} : { fedBy }),
    });
    this.#isLink = false;
    if (nested.unreadable !== undefined) this.#constructs.add(nested.unreadable);
    for (const script of nested.scripts) this.readScript(script, this.#depth + 1);
    this.#fedBy = outer;
  }

  /** A shell at the end of a pipe runs what it reads; only the text of an echo or printf is known. */
  #readPipeline(node: Pipeline): void {
    node.commands.forEach((command, index) => {
      if (index === 0 || command.type !== 'Command') return;
      const before = node.commands[index - 1];
      if (before?.type === 'Command') this.#feed(before, command);
      if (!readsProgram(command)) return;
      this.#constructs.add('a pipe into an interpreter');
      const text = before?.type === 'Command' ? echoedText(before) : undefined;
      if (text !== undefined) this.readScript(text, this.#depth + 1);
    });
  }

  /** `echo x | xargs command` runs the command with x; only what refuses needs to know. */
  #feed(before: Command, command: Command): void {
    if (!['echo', 'printf'].includes(before.name?.value ?? '') || command.name === undefined) return;
    const printed = before.args.flatMap((one) =>
      one.type === 'Word' ? readWord(one).flatMap(splitWord) : [],
    );
    const own = command.args.flatMap((one) => (one.type === 'Word' ? readWord(one) : []));
    if (!command.name.value.endsWith('xargs') && !own.some((word) => word.text.endsWith('xargs'))) return;
    const words = [...readWord(command.name), ...own, ...printed.filter(({ text }) => !text.startsWith('-'))];
    const fed = { words, assignments: [], redirections: [], expandsInput: false, runs: [] };
    const nothing = { ...fed, words: [] };
    this.#commands.push({ ...nothing, reaches: [{ ...fed, runs: nestedRuns(fed, []).commands }] });
  }

  /** Values that variables get from `read`, `set`, `printf -v` or the call of a function. */
  #learnValues(): void {
    const functions = new Set(this.#functions.map(({ name }) => name));
    this.#commands.forEach((command, index) => {
      for (const [name, values] of givenValues(command, { functions, input: this.#inputs.get(index) ?? [] }))
        this.#assigned.set(name, [...new Set([...(this.#assigned.get(name) ?? []), ...values])]);
    });
  }

  /** `sh <(echo …)` runs what the substitution prints. */
  #readSubstituted(argument: Word | Assignment): void {
    if (argument.type !== 'Word') return;
    for (const part of argument.parts ?? []) {
      if (part.type !== 'ProcessSubstitution') continue;
      const inner = part.script?.commands[0]?.command;
      const text = inner?.type === 'Command' ? echoedText(inner) : undefined;
      if (text !== undefined) this.readScript(text, this.#depth + 1);
    }
  }

  #assign(assignment: Assignment): void {
    const value = assignment.value;
    const words = value.type === 'ArrayValue' ? value.elements : [value];
    for (const word of words) this.#remember(assignment.name, word);
  }

  #assignLoopValues(name: Word, values: readonly Word[] | undefined): void {
    for (const value of values ?? []) this.#remember(name.value, value);
  }

  #remember(name: string, word: Word): void {
    const known = this.#assigned.get(name) ?? [];
    for (const read of readWord(word)) {
      const literal = literalOf(read);
      if (literal !== undefined && known.length < 8) known.push(literal);
    }
    if (known.length > 0) this.#assigned.set(name, known);
  }
}

function readAssignment(assignment: Assignment): { name: string; value?: ShellWord } {
  if (assignment.value.type === 'ArrayValue' || assignment.append || assignment.index !== undefined) {
    return { name: assignment.name };
  }
  const [value, another] = readWord(assignment.value);
  return value === undefined || another !== undefined
    ? { name: assignment.name }
    : { name: assignment.name, value };
}

function readRedirection(node: RedirectNode): Redirection[] {
  if (node.type !== 'Redirect') return [];
  const kind = node.operator === '<' || node.operator === '<&' ? 'read' : 'write';
  const target = node.target === undefined ? [] : readWord(node.target);
  const [only, another] = target;
  if (only === undefined || another !== undefined) return [{ kind }];
  const isDuplication = node.operator === '<&' || node.operator === '>&';
  if (isDuplication && /^(?:\d+-?|-)$/.test(literalOf(only) ?? '')) return [];
  return [{ kind, target: only }];
}

function isExpandedInput(node: RedirectNode): boolean {
  if (node.type === 'HereDoc') {
    return node.delimiter?.quoted !== true && (node.body.parts ?? []).some((part) => part.type !== 'Literal');
  }
  if (node.type !== 'HereString' || node.target === undefined) return false;
  return readWord(node.target).some((word) => literalOf(word) === undefined);
}

/** Whether a command runs the files it names as scripts. */
function runsFiles(command: Command): boolean {
  const name = command.name?.value.split('/').pop() ?? '';
  return name === '.' || name === 'source' || shells.has(name);
}

function readsProgram(command: Command): boolean {
  const name = command.name?.value.split('/').pop() ?? '';
  if (name === 'at' || name === 'batch') return true;
  if (name === '.' || name === 'source') return command.args.some(({ text }) => text.startsWith('/dev/'));
  if (!shells.has(name) && !interpreters.has(name)) return false;
  const operands = command.args.filter(
    (argument) => argument.type !== 'Word' || !argument.value.startsWith('-'),
  );
  return (
    operands.length === 0 || command.args.some((argument) => argument.text === '-' || argument.text === '-s')
  );
}

/** What a command certainly prints. */
function echoedText(command: Command): string | undefined {
  const input = command.redirects.find((redirect) => redirect.type === 'HereDoc');
  if (command.name?.value === 'cat' && input !== undefined) return input.body.text;
  if (!['echo', 'printf'].includes(command.name?.value ?? '')) return undefined;
  const words = command.args.map((argument) => (argument.type === 'Word' ? argument.value : argument.text));
  return words
    .filter((word) => !/^-[neE]+$/.test(word))
    .join(' ')
    .replaceAll('\\n', '\n');
}
