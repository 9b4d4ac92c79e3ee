import { isReadingSedScript } from './read-only-sed.ts';

/** The arguments of sed by which it runs something or writes a file: scripts with `e` or `w`, and script files. */
export function executingSedWords(given: readonly (string | undefined)[]): string[] {
  const found: string[] = [];
  let operand: string | undefined;
  let hasScript = false;
  for (let at = 0; at < given.length; at += 1) {
    const text = given[at];
    if (text === undefined) continue;
    if (isScriptFile(text)) return [text];
    const attached = /^(?:-[nrEsuz]*e|--e[a-z]*=?)(.*)$/s.exec(text)?.[1];
    if (attached !== undefined) {
      hasScript = true;
      const script = attached === '' ? given[at + 1] : attached;
      if (script !== undefined && runsSomething(script)) found.push(text);
      if (attached === '') at += 1;
    } else if (text === '-l') at += 1;
    else if (!text.startsWith('-')) operand ??= text;
  }
  if (!hasScript && operand !== undefined && runsSomething(operand)) found.push(operand);
  return found;
}

function isScriptFile(text: string): boolean {
  if (/^-[nrEsuz]*f/.test(text)) return true;
  const name = text.split('=', 1)[0] ?? text;
  return name.length > 3 && '--file'.startsWith(name);
}

function runsSomething(script: string): boolean {
  return !isReadingSedScript(script) && /(?:^|[^\w\s]|[\dIM])\s*[eWw]/.test(script);
}
