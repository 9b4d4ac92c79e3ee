import { AgentError, errorReport } from '@robota-sdk/agent-sdk/front-end';
import { type Arguments, beginsWithWord, parseArguments } from '../arguments/args.ts';
import { assertEffective } from '../arguments/assert-effective.ts';
import { programName } from '../arguments/program-name.ts';
import { translateWord } from '../arguments/translated-options.ts';
import { version } from '../arguments/version.ts';
import type { ExecRequest } from '../exec/exec-options.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

/** Errors that a user must fix before anything can run. */
const usageCodes: ReadonlySet<string> = new Set([
  'usage',
  'no-provider',
  'unknown-model',
  'config',
  'session',
  'session-in-use',
]);

/** Runs `robota` with the given words and resolves with its exit code. */
export async function startCli(given: readonly string[] = process.argv.slice(2)): Promise<number> {
  // A closed reader is no error; writers notice it themselves.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  try {
    const exec = await execRequest(given);
    if (exec) return await dispatch(parseArguments(exec.argv), exec);
    const argv = translateWord(given);
    if (beginsWithWord(argv)) {
      const { findSubcommand } = await import('./subcommands.ts');
      const subcommand = findSubcommand(argv, startCli);
      if (subcommand) return await subcommand();
    }
    const args = parseArguments(argv);
    if (args.has('debug')) process.env.ROBOTA_DEBUG = '1';
    return await dispatch(args);
  } catch (failure) {
    const thrown = isLostDirectory(failure) ? lostDirectory(failure) : failure;
    // The message may quote a file of the repository.
    const stderr = terminalOutput(process.stderr);
    await stderr.say(`robota: ${errorReport(thrown, programName())}`);
    if (!AgentError.is(thrown) && process.env.ROBOTA_DEBUG && thrown instanceof Error) {
      process.stderr.write(`${thrown.stack}\n`);
    }
    return AgentError.is(thrown) && usageCodes.has(thrown.code) ? 2 : 1;
  }
}

/** Any command may ask for the working directory, and Node then fails with the name of its own function. */
function isLostDirectory(failure: unknown): boolean {
  return failure instanceof Error && (failure as NodeJS.ErrnoException).syscall === 'uv_cwd';
}

function lostDirectory(cause: unknown): AgentError {
  const advice = 'Change to another one, or name one with --cwd.';
  return new AgentError('usage', `The working directory no longer exists. ${advice}`, { cause });
}

/** The command line of `robota exec`, in our options. */
async function execRequest(argv: readonly string[]): Promise<ExecRequest | undefined> {
  if (!argv.includes('exec') && argv[0] !== 'e') return undefined;
  return (await import('../exec/exec-options.ts')).readExec(argv);
}

async function dispatch(args: Arguments, exec?: ExecRequest): Promise<number> {
  if (args.has('help') && exec) {
    process.stdout.write((await import('../exec/exec-help.ts')).execHelp());
    return 0;
  }
  if (args.has('help')) {
    const { helpText } = await import('../arguments/help.ts');
    process.stdout.write(helpText());
    return 0;
  }
  if (args.has('version')) {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  if (args.has('reset')) {
    const { resetSettings } = await import('../arguments/reset-settings.ts');
    return resetSettings({ yes: args.has('yes') });
  }
  if (!args.has('worktree') && !args.value('resume')) return runSession(args, exec);
  const { inWorktree } = await import('../worktree/in-worktree.ts');
  return inWorktree(args, (moved) => runSession(moved, exec));
}

async function runSession(args: Arguments, exec?: ExecRequest): Promise<number> {
  if (args.value('input-format') === 'stream-json') {
    assertEffective(args, 'stream');
    const { streamMode } = await import('../print/stream-mode.ts');
    return streamMode(args);
  }
  const interactive =
    !args.has('print') &&
    !args.has('replay') &&
    process.stdin.isTTY === true &&
    process.stdout.isTTY === true;
  assertEffective(args, interactive ? 'terminal' : 'print');
  if (interactive) {
    if (args.value('permission-mode') === 'dontAsk')
      throw new AgentError(
        'usage',
        '--permission-mode dontAsk needs -p. Use default where you can be asked.',
      );
    return converse(args);
  }
  assertChannel(args);
  const { printMode } = await import('../print/print-mode.ts');
  return printMode(args, exec);
}

/** In a terminal that can move its cursor there is a screen; in any other, and where it is asked for, there are lines. */
async function converse(args: Arguments): Promise<number> {
  if (!args.has('plain')) {
    const { tuiCapabilities, tuiMode } = await import('../screen/tui-mode.ts');
    const capabilities = tuiCapabilities();
    if (capabilities) return tuiMode(args, capabilities);
  }
  const { plainMode } = await import('../line/plain-mode.ts');
  return plainMode(args);
}

/** Values of options that need a program, or a stream of output. */
function assertChannel(args: Arguments): void {
  const stdio = args.value('permission-prompt-tool') === 'stdio' ? 'permission-prompt-tool stdio' : undefined;
  const option = args.value('permission-prompts') === 'host' ? 'permission-prompts host' : stdio;
  if (option !== undefined)
    throw new AgentError('usage', `--${option} needs --input-format stream-json: no program is connected.`);
  if (args.has('include-partial-messages') && args.value('output-format') !== 'stream-json')
    throw new AgentError('usage', '--include-partial-messages requires --output-format stream-json.');
}
