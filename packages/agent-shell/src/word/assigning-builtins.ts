import type { SimpleCommand } from './shell-script.ts';
import { literalOf, markedText, type ShellWord, unknownText, unknownWord, wordOf } from './shell-word.ts';

/** A variable that a builtin assigns; its name is `unknownText` if it is only known when it runs. */
export interface BuiltinAssignment {
  readonly name: string;
  /** The value, if the words show it. */
  readonly value?: ShellWord;
}

/** How a builtin of bash assigns variables. */
interface AssigningBuiltin {
  /** Its options as getopt takes them: a letter before a colon has a value. */
  readonly options: string;
  /** The letter of an option whose value names a variable. */
  readonly naming?: string;
  /** The operands that name variables. */
  readonly named?: (operands: readonly ShellWord[]) => readonly ShellWord[];
  /** Variables that it assigns without naming them. */
  readonly own?: readonly string[];
}

const all = (operands: readonly ShellWord[]) => operands;
const declaring: AssigningBuiltin = { options: 'aAfFgiIlnprtux', named: all };
const readingLines: AssigningBuiltin = {
  options: 'd:n:O:s:tu:C:c:',
  named: (operands) => operands.slice(0, 1),
  own: ['MAPFILE'],
};

/** Everything by which builtins assign variables, up to bash 5.3; `cd` and its relatives are tracked as directories. */
const assigningBuiltins: Readonly<Record<string, AssigningBuiltin>> = {
  bind: { options: '', own: ['COLUMNS', 'LINES'] },
  compgen: { options: 'abcdefgjksuvo:A:G:W:F:C:X:P:S:V:', naming: 'V' },
  declare: declaring,
  export: declaring,
  getopts: {
    options: '',
    named: (operands) => operands.slice(1, 2),
    own: ['OPTARG', 'OPTIND'],
  },
  let: { options: '', named: (operands) => operands.flatMap(namesInArithmetic) },
  local: declaring,
  mapfile: readingLines,
  printf: { options: 'v:', naming: 'v', named: counted },
  read: { options: 'Eersa:d:i:n:N:p:t:u:', naming: 'a', named: all, own: ['REPLY'] },
  readarray: readingLines,
  readonly: declaring,
  set: { options: '', named: optionsOfShell },
  typeset: declaring,
  unset: { options: 'fvn', named: all },
  wait: { options: 'fnp:', naming: 'p' },
};

/** The variables that a command assigns if it is a builtin, and the words that their values may come from. */
export function builtinAssignments({ words: [first, ...words] }: Pick<SimpleCommand, 'words'>): {
  readonly assigned: readonly BuiltinAssignment[];
  readonly operands: readonly ShellWord[];
} {
  const name = first === undefined ? '' : (literalOf(first) ?? '');
  const builtin = Object.hasOwn(assigningBuiltins, name) ? assigningBuiltins[name] : undefined;
  if (builtin === undefined) return { assigned: [], operands: [] };
  const { values, operands } = readOptions(words, builtin);
  const named = [...values, ...(builtin.named?.(operands) ?? [])];
  const own = (builtin.own ?? []).map((each) => ({ name: each }));
  return { assigned: [...named.flatMap(assignmentOf), ...own], operands };
}

/** As getopt does: options end with the first other word, and a value may be attached. */
function readOptions(words: readonly ShellWord[], { options, naming }: AssigningBuiltin) {
  const values: ShellWord[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? unknownWord();
    const text = literalOf(word);
    // An unknown word may be an option and its value.
    if (text === undefined && naming !== undefined && mayBeOption(word)) values.push(unknownWord());
    if (text === '--') {
      at++;
      break;
    }
    if (text === undefined || !text.startsWith('-') || text === '-' || options === '') break;
    const letter = [...text.slice(1)].findIndex((one) => options.includes(`${one}:`)) + 1;
    if (letter === 0) continue;
    const attached = text.slice(letter + 1);
    const value = attached === '' ? words[++at] : wordOf(attached);
    if (text[letter] === naming && value !== undefined) values.push(value);
  }
  return { values, operands: words.slice(at) };
}

function mayBeOption({ pieces: [first] }: ShellWord): boolean {
  return first?.kind !== 'text' || first.value === '' || first.value.startsWith('-');
}

function assignmentOf(word: ShellWord): BuiltinAssignment[] {
  const text = markedText(word);
  const [, name = '', value] = /^([^[=+]*)(?:\+?=(.*)|\[.*)?$/s.exec(text) ?? [];
  if (name.includes(unknownText)) return [{ name: unknownText }];
  if (!/^[A-Za-z_]\w*$/.test(name)) return [];
  const isKnown = value !== undefined && !value.includes(unknownText) && !text.startsWith(`${name}+`);
  return [isKnown ? { name, value: wordOf(value) } : { name }];
}

/** `%n` assigns the number of characters printed so far. */
function counted([format, ...values]: readonly ShellWord[]): readonly ShellWord[] {
  if (format === undefined) return [];
  const text = markedText(format).replaceAll('%%', '');
  // It may also become several words.
  if (text.includes(unknownText)) return [unknownWord()];
  return /%[-+ #0'*.\d]*[hjlLtz]*n/.test(text) ? values : [];
}

function namesInArithmetic(word: ShellWord): readonly ShellWord[] {
  const text = markedText(word);
  if (text.includes(unknownText)) return [unknownWord()];
  return [...text.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => wordOf(name));
}

/** Options of the shell that change what later commands mean. */
function optionsOfShell(operands: readonly ShellWord[]): readonly ShellWord[] {
  const isChanging = operands.some((word) =>
    /^[-+]\w*[akp]|^(?:allexport|keyword|posix|privileged)$|\uE001/.test(markedText(word)),
  );
  return isChanging ? [wordOf('POSIXLY_CORRECT')] : [];
}
