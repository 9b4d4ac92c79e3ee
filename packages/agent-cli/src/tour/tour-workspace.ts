import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { AgentError, atExit, findProgram } from '@robota-sdk/agent-sdk/front-end';
import { deniedCommand, testCommand, tourFiles } from './tour-project.ts';

/** The throw-away folder of a tour: a project, and a home with settings and sessions. */
export interface TourWorkspace {
  readonly root: string;
  readonly project: string;
  /** The folder of its settings and sessions. */
  readonly settings: string;
  /** Removes all of it, unless it is kept. */
  remove(): Promise<void>;
  /** Leaves it where it is, for the offline model under its own name. */
  keep(): Promise<void>;
}

/** Creates the folder of a tour, and makes its home the one of this process and its commands. */
export async function createTourWorkspace(): Promise<TourWorkspace> {
  const path = pathWithNode();
  const root = await realpath(await mkdtemp(join(tmpdir(), 'robota-tour-')));
  let isKept = false;
  const forget = atExit(() => rmSync(root, removal));
  const project = join(root, 'shop');
  const home = join(root, 'home');
  const settings = join(home, '.robota');
  isolate({ HOME: home, USERPROFILE: home, ROBOTA_HOME: settings, PATH: path });
  await Promise.all([mkdir(project), mkdir(settings, { recursive: true, mode: 0o700 })]);
  await writeAll(settings, settingsFiles);
  await writeAll(project, tourFiles);
  await startRepository(project);
  return {
    root,
    project,
    settings,
    remove: async () => {
      if (!isKept) await rm(root, removal);
      forget();
    },
    keep: async () => {
      isKept = true;
      forget();
      await rm(join(settings, 'models.json'), { force: true });
    },
  };
}

const removal = { recursive: true, force: true, maxRetries: 5 } as const;

const settingsFiles: Readonly<Record<string, string>> = {
  'settings.json': json({
    model: 'offline',
    permissions: { allow: [`Bash(${testCommand})`], deny: [`Bash(${deniedCommand} *)`] },
  }),
  'models.json': json({
    providers: { offline: { modelOverrides: { offline: { name: 'Scripted, not AI' } } } },
  }),
};

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
}

/** The search path for commands, with the node that runs this program where there is no other. */
function pathWithNode(): string {
  const path = process.env['PATH'] ?? '';
  if (findProgram('node') !== undefined) return path;
  if (!/^node(?:\.exe)?$/.test(basename(process.execPath)))
    throw new AgentError('usage', 'The tour runs a test with node, which is not on your PATH.');
  return `${dirname(process.execPath)}${delimiter}${path}`;
}

/** Settings, sessions and git see only the folder of the tour. */
function isolate(changes: Readonly<Record<string, string>>): void {
  const foreign = /^(?:ROBOTA_(?!DEBUG$)|GIT_|XDG_)/;
  for (const name of Object.keys(process.env)) if (foreign.test(name)) delete process.env[name];
  Object.assign(process.env, changes);
}

/** Makes the project a repository with one commit; without git it stays a folder. */
async function startRepository(project: string): Promise<void> {
  const author = ['-c', 'user.name=Robota tour', '-c', 'user.email=tour@localhost'];
  const commands = [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '.'],
    [...author, 'commit', '--quiet', '--message', 'Start the shop'],
  ];
  for (const command of commands) if (!(await git(command, project))) return;
}

function git(words: readonly string[], cwd: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('git', [...words], { cwd }, (error) => resolve(error === null));
  });
}
