import { isTameSedScript } from '../read-only/read-only-sed.ts';
import { literalOf, type ShellWord } from '../word/shell-word.ts';

/** The arguments by which sed runs something or writes a file: such scripts, and script files. */
export function executingSedWords(words: readonly ShellWord[]): string[] {
  const given = words.map(literalOf);
  const found: string[] = [];
  let operand: string | undefined;
  let hasScript = false;
  for (let at = 0; at < given.length; at += 1) {
    const text = given[at];
    if (text === undefined) {
      // An unknown word may be the script, or an option with one.
      if (operand === undefined || words[at]?.pieces[0]?.kind !== 'text') return [words[at]?.text ?? ''];
      continue;
    }
    if (isScriptFile(text) || isBackupElsewhere(text)) return [text];
    const attached = /^(?:-[nrEsuz]*e|--e[a-z]*=?)(.*)$/s.exec(text)?.[1];
    if (attached !== undefined) {
      hasScript = true;
      const script = attached === '' ? given[at + 1] : attached;
      if (script === undefined || !isTameSedScript(script)) found.push(text);
      if (attached === '') at += 1;
    } else if (text === '-l') at += 1;
    else if (!text.startsWith('-')) operand ??= text;
  }
  if (!hasScript && operand !== undefined && !isTameSedScript(operand)) found.push(operand);
  return found;
}

function isScriptFile(text: string): boolean {
  if (/^-[nrEsuz]*f/.test(text)) return true;
  const name = text.split('=', 1)[0] ?? text;
  return name.length > 3 && '--file'.startsWith(name);
}

/** `-i/elsewhere/*` writes backups to another directory. */
function isBackupElsewhere(text: string): boolean {
  return /^(?:-[nrEsuz]*i|--i)/.test(text) && text.includes('/');
}
