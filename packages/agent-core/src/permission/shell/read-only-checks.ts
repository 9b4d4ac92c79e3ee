import type { ReadOnlySpec } from './read-only-commands.ts';

/** Whether the operands of a command keep it read-only, where that depends on what they say. */
export function passesCheck(check: NonNullable<ReadOnlySpec['check']>, operands: readonly string[]): boolean {
  const program = operands[0] ?? '';
  switch (check) {
    case 'awk':
      return (
        !/[>@]|system|getline|ENVIRON|PROCINFO|ARG[CVI]/.test(program) &&
        !program.replaceAll('||', '').includes('|')
      );
    case 'date':
      return operands.every((operand) => operand.startsWith('+'));
    case 'jq':
      return (
        program !== '' &&
        !/\b(?:env|input|inputs|input_filename|include|import|debug|stderr|halt_error)\b|\$ENV|\$__/.test(
          program,
        )
      );
    case 'page':
      return operands.every((operand) => /^[A-Za-z0-9][\w.+-]*$/.test(operand));
    case 'processes':
      // `ps e` shows the environment of every process, and with it their keys.
      return operands.every((operand) => /^[auxw]+$/.test(operand));
    case 'sed':
      return isReadingSedScript(program);
    case 'test':
      // `test -v 'a[$(id)]'` evaluates the subscript, and runs what it holds.
      return !operands.some((operand) => operand === '-v' || operand === '-R');
    case 'text':
      return !operands.some((operand) => operand.startsWith('-v'));
  }
}

const address = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/)`;
const range = String.raw`(?:${address}(?:,(?:${address}|[+~]\d+))?\s*!?\s*)?`;
const substitution = ['/', '|', '#', ','].map((mark) => {
  const delimiter = mark === '|' ? '\\|' : mark;
  const body = `(?:[^${delimiter}\\\\\\n]|\\\\.)*`;
  return `s${delimiter}${body}${delimiter}${body}${delimiter}[gpiI0-9]*`;
});
const sedCommand = `${range}(?:[pdqlnNGHhgxDP=]|${substitution.join('|')})`;

/** Only printing, deleting from the output and plain substitutions: no `e`, `w`, `r` or files. */
function isReadingSedScript(script: string): boolean {
  return new RegExp(`^\\s*${sedCommand}\\s*(?:;\\s*${sedCommand}\\s*)*;?\\s*$`).test(script);
}
