import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type HostEnvironment, processHost, sessionPlaces, sessionSources } from '@robota-sdk/agent-config';
import { AgentError } from '@robota-sdk/agent-core';
import { type ImportReport, SessionImporter } from '@robota-sdk/agent-import';
import { ownSessions } from '../assembly/own-sessions.ts';

/** The programs whose folders are known. */
export function importablePrograms(): readonly string[] {
  return sessionSources.map(({ name }) => name);
}

export interface ImportRequest {
  /** Files and directories. */
  readonly paths: readonly string[];
  /** Programs whose folders are searched. */
  readonly from: readonly string[];
  /** Sessions of every directory in those folders, not only of `cwd`. */
  readonly all: boolean;
  readonly cwd: string;
  /** True to repeat earlier imports. */
  readonly again: boolean;
  readonly dryRun: boolean;
  readonly host?: HostEnvironment;
}

/** The outcome for a file, or for several in a directory. */
export type ImportOutcome =
  | { readonly kind: 'report'; readonly report: ImportReport }
  | { readonly kind: 'failed'; readonly path: string; readonly message: string }
  | {
      readonly kind: 'left-out';
      readonly path: string;
      readonly reason: string;
      readonly count: number;
    }
  | { readonly kind: 'nothing'; readonly program: string; readonly folders: readonly string[] };

/** Imports sessions of other programs one by one; a failure does not stop the rest. */
export async function* importSessions(request: ImportRequest): AsyncGenerator<ImportOutcome> {
  const host = request.host ?? (await processHost());
  let problem: string | undefined;
  const store = await ownSessions({
    host,
    onProblem: ({ code, message }) => {
      // The promises of a running session do not apply to an import, which is rolled back.
      if (code === 'disk' || code === 'unsaved') problem ??= message;
    },
  });
  const { cwd, again, dryRun } = request;
  const importer = new SessionImporter({ store, cwd, again, dryRun, problem: () => problem });
  const seen = new Set<string>();
  const begin = () => {
    problem = undefined;
  };
  for await (const place of placesOf(request, host)) {
    if ('kind' in place) {
      yield place;
      continue;
    }
    yield* importPlace(place, { importer, seen, begin });
  }
}

interface ImportSource {
  readonly path: string;
  /** Only sessions of this directory. */
  readonly cwd?: string;
}

async function* placesOf(
  { paths, from, all, cwd }: ImportRequest,
  host: HostEnvironment,
): AsyncGenerator<ImportSource | ImportOutcome> {
  for (const path of paths) yield { path };
  for (const program of from) {
    const source = sessionSources.find(({ name }) => name === program);
    const projectFolder = all ? undefined : source?.sessions.projectFolder?.(cwd);
    const folders = (source ? await sessionPlaces(source, { host, cwd }) : []).map((folder) =>
      projectFolder === undefined ? folder : join(folder, projectFolder),
    );
    const existing = folders.filter((folder) => existsSync(folder));
    if (existing.length === 0) yield { kind: 'nothing', program, folders };
    for (const path of existing) yield { path, ...(all ? {} : { cwd }) };
  }
}

interface Progress {
  readonly importer: SessionImporter;
  readonly seen: Set<string>;
  /** Clears the problems of the previous file. */
  begin(): void;
}

async function* importPlace(
  { path, cwd }: ImportSource,
  { importer, seen, begin }: Progress,
): AsyncGenerator<ImportOutcome> {
  const found = await attempt(path, () => importer.find(path, cwd === undefined ? {} : { cwd }));
  if ('kind' in found) {
    yield found;
    return;
  }
  const isNamed = found.files.length === 1 && found.files[0] === path;
  for (const file of found.files) {
    if (seen.has(file)) continue;
    seen.add(file);
    begin();
    const outcome = await attempt(file, async (): Promise<ImportOutcome> => {
      const report = await importer.import(file);
      if (report.status !== 'empty') return { kind: 'report', report };
      if (!isNamed) return { kind: 'left-out', path: file, reason: 'without messages', count: 1 };
      throw new AgentError('session', `${file} holds no messages, so there is nothing to import.`);
    });
    yield outcome;
  }
  for (const each of found.leftOut) yield { kind: 'left-out', path, ...each };
}

async function attempt<T>(
  path: string,
  run: () => Promise<T>,
): Promise<T | Extract<ImportOutcome, { kind: 'failed' }>> {
  try {
    return await run();
  } catch (thrown) {
    if (!AgentError.is(thrown)) throw thrown;
    return { kind: 'failed', path, message: thrown.message };
  }
}
