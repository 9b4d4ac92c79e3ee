import { execFile } from 'node:child_process';
import {
  bashAdvice,
  type Config,
  findBash,
  findProgram,
  findRipgrep,
  findSandbox,
  helperEnvironment,
  isJsonObject,
} from '@robota-sdk/agent-sdk/front-end';
import type { Finding } from './finding.ts';

const patienceMs = 3_000;

/** The programs that tools use: present, and of which version. */
export async function checkTools(config: Config | undefined): Promise<readonly Finding[]> {
  const ripgrep = await findRipgrep();
  return Promise.all([
    program('bash', { file: findBash(), missing: 'broken', advice: `Commands need it. ${bashAdvice()}` }),
    program('rg', {
      file: ripgrep,
      missing: 'warning',
      advice: 'Searching is slow without it. Install ripgrep, or run `npm install -g @vscode/ripgrep`.',
    }),
    program('git', {
      file: findProgram('git'),
      missing: 'warning',
      advice: 'Plugins, worktrees and rewind need it. Install git.',
    }),
    sandboxFinding(config),
  ]);
}

interface Program {
  readonly file: string | undefined;
  readonly missing: Finding['status'];
  readonly advice: string;
}

async function program(name: string, { file, missing, advice }: Program): Promise<Finding> {
  const version = await versionOf(file);
  return version === undefined
    ? { status: missing, what: `${name} is missing or does not start`, advice }
    : { status: 'ok', what: `${name}: ${version}` };
}

function versionOf(file: string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (file === undefined) return resolve(undefined);
    execFile(file, ['--version'], { timeout: patienceMs, env: helperEnvironment() }, (error, stdout) => {
      resolve(error ? undefined : (stdout.split('\n')[0] ?? '').trim());
    });
  });
}

async function sandboxFinding(config: Config | undefined): Promise<Finding> {
  const tool = await findSandbox();
  if (tool.kind !== 'missing') {
    const version = tool.kind === 'bubblewrap' ? await versionOf(tool.file) : undefined;
    return { status: 'ok', what: `sandbox: ${version ?? tool.kind} works (${tool.file})` };
  }
  const { reason, advice } = tool;
  const setting = config?.settings.sandbox;
  const mode = isJsonObject(setting) ? (setting.mode ?? 'auto') : (setting ?? 'off');
  const status = mode === 'required' ? 'broken' : mode === 'off' ? 'note' : 'warning';
  return { status, what: 'commands cannot be sandboxed here', why: reason, advice };
}
