import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  describeProblems,
  errorMessage,
  inheritTrust,
  ownCatalogue,
  ownWorktree,
  processHost,
  resolveSession,
  SessionWorktree,
  sessionConfig,
  userPaths,
  type WorktreeChoice,
  type WorktreeWork,
} from '@robota-sdk/agent-sdk/front-end';
import type { Arguments } from '../arguments/args.ts';
import { programName } from '../arguments/program-name.ts';
import { sessionOptions } from '../arguments/session-options.ts';
import { askLine } from '../terminal/ask-line.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

/** Rules that the user allowed in this project, and the file that makes git ignore them. */
const alwaysCopied = ['/.robota/settings.local.json', '/.robota/.gitignore'];

/** A worktree to work in: by its name, or the one that a session was held in. */
interface WorktreeTarget {
  readonly cwd: string;
  readonly name: string | undefined;
}

/** Runs a session in a separate worktree (`-w`), or in the one that a resumed session was held in. */
export async function inWorktree(
  args: Arguments,
  run: (args: Arguments) => Promise<number>,
): Promise<number> {
  const target = args.has('worktree')
    ? { cwd: resolve(args.value('cwd') ?? '.'), name: args.value('worktree') || undefined }
    : await worktreeOf(args.value('resume') ?? '', resolve(args.value('cwd') ?? '.'));
  if (target === undefined) return run(args);
  const { say } = terminalOutput(process.stderr);
  const host = await processHost();
  const { settings, problems } = await sessionConfig({ ...sessionOptions(args), host, cwd: target.cwd });
  for (const text of describeProblems(
    problems.filter(({ severity }) => severity === 'error'),
    programName(),
  ))
    await say(`robota: ${text}`);
  const include = [...alwaysCopied, ...settings.worktreeInclude];
  const session = await SessionWorktree.open({
    ...target,
    home: userPaths(host).data,
    env: host.env,
    include,
  });
  const { worktree, name, copied, isNew } = session;
  await inheritTrust(target.cwd, worktree.cwd, host).catch(() => {});
  const files =
    copied.length === 0
      ? ''
      : `; ${copied.length} ignored ${copied.length === 1 ? 'file was' : 'files were'} copied`;
  await say(
    `robota: ${isNew ? 'New worktree' : 'Worktree'} ${name}: ${worktree.path}, branch ${worktree.branch}${files}`,
  );
  const [other] = session.otherSessions;
  if (other !== undefined) await say(`robota: Another session (process ${other}) works in this worktree.`);
  const cwd = existsSync(worktree.cwd) ? worktree.cwd : worktree.path;
  try {
    return await run(withDirectory(args, cwd));
  } finally {
    await leave(session, { say, mayAsk: isInteractive(args) }).catch((thrown: unknown) =>
      say(`robota: The worktree ${name} is kept: ${errorMessage(thrown)}`),
    );
  }
}

/** The same command line, in another directory. */
function withDirectory(args: Arguments, cwd: string): Arguments {
  return {
    words: args.words,
    has: (option) => option === 'cwd' || args.has(option),
    value: (option) => (option === 'cwd' ? cwd : args.value(option)),
    values: (option) => (option === 'cwd' ? [cwd] : args.values(option)),
  };
}

/** A question needs a terminal. */
function isInteractive(args: Arguments): boolean {
  const isPrinted = args.has('print') || args.has('replay') || args.value('input-format') === 'stream-json';
  return !isPrinted && process.stdin.isTTY === true && process.stdout.isTTY === true;
}

interface LeaveOptions {
  readonly mayAsk: boolean;
  say(text: string): Promise<void> | void;
}

async function leave(session: SessionWorktree, { say, mayAsk }: LeaveOptions): Promise<void> {
  const work = await session.work();
  const isUsed = (await session.inUse()) !== undefined;
  const choice = work === undefined ? 'drop' : mayAsk && !isUsed ? await ask(session, work) : 'keep';
  await say(`robota: ${await session.end(choice, work)}`);
}

/** Asks what is to become of the work; no answer keeps it. Work is dropped only after a second yes. */
async function ask({ name, worktree }: SessionWorktree, { summary }: WorktreeWork): Promise<WorktreeChoice> {
  const title = `The worktree ${name} has work: ${summary}.`;
  const choices = `merge it into ${worktree.repository}, keep it, or drop it?`;
  const answer = await askLine(`${title}\n[m]erge, [k]eep or [d]rop: ${choices} (keep) `);
  if (/^m(?:erge)?$/i.test(answer)) return 'merge';
  if (!/^d(?:rop)?$/i.test(answer)) return 'keep';
  const sure = await askLine(`Really delete ${summary}? Type the name ${name} to delete it: `);
  return sure === name ? 'drop' : 'keep';
}

/** The worktree that a stored session was held in, if it still is there. */
async function worktreeOf(reference: string, cwd: string): Promise<WorktreeTarget | undefined> {
  const found = await resolveSession(reference, await ownCatalogue(), { cwd }).catch(() => undefined);
  const held = found?.kind === 'found' ? found.session.cwd : undefined;
  if (held === undefined) return undefined;
  const own = ownWorktree(held, userPaths(await processHost()).data);
  return own && { cwd: own.original, name: own.name };
}
