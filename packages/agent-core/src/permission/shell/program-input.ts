import type { Command } from 'unbash';
import { interpreters, shells } from './wrappers.ts';

/** Whether a command runs the files it names as scripts. */
export function runsFiles(command: Command): boolean {
  const name = command.name?.value.split('/').pop() ?? '';
  return name === '.' || name === 'source' || shells.has(name);
}

/** Whether a command takes what it reads for its program. */
export function readsProgram(command: Command): boolean {
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
export function echoedText(command: Command): string | undefined {
  const input = command.redirects.find((redirect) => redirect.type === 'HereDoc');
  if (command.name?.value === 'cat' && input !== undefined) return input.body.text;
  if (!['echo', 'printf'].includes(command.name?.value ?? '')) return undefined;
  const words = command.args.map((argument) => (argument.type === 'Word' ? argument.value : argument.text));
  return words
    .filter((word) => !/^-[neE]+$/.test(word))
    .join(' ')
    .replaceAll('\\n', '\n');
}
