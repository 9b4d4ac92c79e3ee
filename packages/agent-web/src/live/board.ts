import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lockHolder, robotaDirectories } from '@robota-sdk/agent-core';
import { callTitle } from '@robota-sdk/agent-export';
import type { LinkedSession } from '@robota-sdk/agent-link';
import {
  type Config,
  configuredServers,
  findBranch,
  type HostEnvironment,
  loadConfig,
  modelInUse,
  sessionLabel,
} from '@robota-sdk/agent-sdk/front-end';
import { FileDayLedger, type ListedSession } from '@robota-sdk/agent-sessions';
import type { BoardPage, BoardRow } from '../contract/board.ts';
import type { ModelsPage } from '../contract/session.ts';
import { shownLine, todoTool } from './session-digest.ts';
import type { SessionIndex } from './session-index.ts';
import { sessionCost } from './session-page.ts';
import type { SessionsOnDisk } from './sessions-on-disk.ts';
import { webQuestion } from './web-question.ts';

/** Rows of other origin than the sessions on disk, such as the tasks of a fleet. */
export interface MoreRows {
  /** The rows, and the sessions that they stand for, which get no row of their own. */
  rows(): Promise<FoundRows>;
  /** Folders that change with the rows; undefined where only looks tell. */
  readonly folders?: readonly string[] | undefined;
}

interface FoundRows {
  readonly rows: readonly BoardRow[];
  readonly sessions: ReadonlySet<string>;
}

/** The rows of a look, and what to look at again. */
export interface BoardLook {
  /** Newest first. */
  readonly rows: readonly BoardRow[];
  /** The folders of the sessions among them, by id. */
  readonly folders: ReadonlyMap<string, string>;
  /** Sessions that a process holds which tells nothing, neither that it works nor that it is gone. */
  readonly silent: ReadonlySet<string>;
  /** Dollars of today, of every process. */
  readonly spent: number;
}

export interface BoardOptions {
  readonly stored: SessionsOnDisk;
  readonly host: HostEnvironment;
  /** The directory of the server. */
  readonly cwd?: string | undefined;
  /** The live session of an id, here or in another process. */
  linked(id: string): LinkedSession | undefined;
  /** True if this process holds the session. */
  isHere(id: string): boolean;
  readonly more?: MoreRows | undefined;
  /** More is known of a session than the last look told. */
  onRead(id: string): void;
}

interface RunningLook {
  readonly branchOf: (cwd: string) => Promise<string | undefined>;
  /** Bytes of sessions that were not read before it. */
  unread: number;
}

/** Cards; older sessions are only counted. */
const mostRows = 200;
/** Only sessions of this age are read for what happened in them; older ones are done. */
const lookedAtMs = 14 * 24 * 3600_000;
const mostDirectories = 30;
/** A look reads so much before it answers, of the newest sessions; the rest is read afterwards, and told then. */
const mostReadBytes = 1024 * 1024;

/** The sessions of all directories as cards. */
export class Board {
  readonly #options: BoardOptions;
  readonly #ledger: FileDayLedger;
  /** The last look, whose rows are kept where nothing happened. */
  #listed: readonly ListedSession[] = [];
  #listedIds: ReadonlySet<string> = new Set();
  #more: FoundRows | undefined;
  #rows = new Map<string, BoardRow>();

  constructor(options: BoardOptions) {
    this.#options = options;
    const directory = join(robotaDirectories(options.host).state, 'spending');
    this.#ledger = new FileDayLedger({ directory });
  }

  /** The board as it is now. */
  async page(): Promise<BoardPage> {
    const { rows, spent } = await this.look();
    const budget = (await this.#config())?.settings.budget.day;
    return {
      rows,
      more: Math.max(0, this.#listed.length - mostRows),
      directories: directoriesOf(this.#listed, this.#start()),
      today: { cost: spent, ...(budget === undefined ? {} : { budget }) },
    };
  }

  /** The directories of the board, without a look at what happens in them. */
  async directories(): Promise<readonly string[]> {
    return directoriesOf(await this.#options.stored.list(), this.#start());
  }

  /** The server's own directory, unless it is one for everything. */
  #start(): readonly string[] {
    const { cwd, host } = this.#options;
    return cwd === undefined || cwd === host.home || dirname(cwd) === cwd ? [] : [cwd];
  }

  /** Models for a new session. */
  async models(): Promise<ModelsPage> {
    const config = await this.#config();
    return config ? usableModels(config) : { models: [offline] };
  }

  /** Looks at everything, or again at some rows of the last look. */
  async look(only?: ReadonlySet<string>): Promise<BoardLook> {
    const { stored, more, linked } = this.#options;
    const isKnown =
      only !== undefined && [...only].every((id) => this.#listedIds.has(id) || this.#rows.has(id));
    if (!isKnown) this.#listed = await stored.list();
    if (!isKnown) this.#listedIds = new Set(this.#listed.map(({ id }) => id));
    if (!isKnown || [...only].some((id) => !this.#listedIds.has(id))) this.#more = await more?.rows();
    const look = { branchOf: onceEach(findBranch), unread: 0 };
    const shown = this.#listed.filter(({ id }) => !this.#more?.sessions.has(id)).slice(0, mostRows);
    const rowOf = (session: ListedSession) => {
      const kept = isKnown && !only.has(session.id) ? this.#rows.get(session.id) : undefined;
      return kept ?? this.#row(session, look);
    };
    const sessions = await Promise.all(shown.map(rowOf));
    const others = await Promise.all((this.#more?.rows ?? []).map((row) => this.#redacted(row)));
    const rows = [...sessions, ...others].sort((a, b) => b.modified - a.modified);
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    const silent = rows.filter(({ id, holder }) => holder === 'elsewhere' && !linked(id));
    return {
      rows,
      folders: new Map(shown.map(({ id, path }) => [id, dirname(path)])),
      silent: new Set(silent.map(({ id }) => id)),
      spent: await this.#ledger.today(),
    };
  }

  async #row(session: ListedSession, look: RunningLook): Promise<BoardRow> {
    const { stored, linked, isHere } = this.#options;
    const modified = Date.parse(session.modified);
    const live = linked(session.id);
    const isLocked = live !== undefined || lockHolder(session.path) !== undefined;
    const place = isHere(session.id) ? 'here' : isLocked ? 'elsewhere' : 'none';
    const base = {
      id: session.id,
      kind: 'session',
      title: sessionLabel(session),
      cwd: session.cwd,
      modified,
      holder: place,
      ...(place === 'elsewhere' ? { front: live?.holder.front ?? ('headless' as const) } : {}),
    } as const;
    if (!live && !isLocked && Date.now() - modified > lookedAtMs)
      return this.#redacted(oldRow(session, base));
    // Those that are held may wait for the user.
    const isRead = isLocked || this.#isShort(session, look);
    const index = isRead ? await stored.index(session.path).catch(() => undefined) : undefined;
    if (!index) return this.#redacted(oldRow(session, base));
    const branch = await look.branchOf(session.cwd);
    const { name } = index.tree;
    const now = {
      ...base,
      ...(name === undefined ? {} : { title: sessionLabel({ ...session, name }) }),
      modified: Math.max(modified, index.digest.modified),
      ...(branch === undefined ? {} : { branch }),
    };
    const row = rowOf(now, index, { live, isLocked });
    return this.#redacted(row);
  }

  /** True if a look has time to read a session; otherwise it is read later. */
  #isShort({ id, path }: ListedSession, look: RunningLook): boolean {
    const { stored, onRead } = this.#options;
    const unread = stored.unreadBytes(path);
    look.unread += unread;
    if (unread === 0 || look.unread <= mostReadBytes) return true;
    stored.readLater(path, () => onRead(id));
    return false;
  }

  /** Hides the keys of the user; without the settings that name them, every text of a session. */
  async #redacted({ asks, ...row }: BoardRow): Promise<BoardRow> {
    const redact = await this.#options.stored.redactor(row.cwd).catch(() => undefined);
    const shown = redact ? (redact(row) as BoardRow) : { ...row, title: `Session ${row.id}`, lastLine: '' };
    // The user may decide by these words, so nothing in them is hidden.
    return asks ? { ...shown, asks } : shown;
  }

  /** The settings of the user, outside of any project. */
  #config(): Promise<Config | undefined> {
    const { host } = this.#options;
    return loadConfig(host.home, { host }).catch(() => undefined);
  }
}

/** Asks once for each value. */
function onceEach<T>(ask: (value: string) => Promise<T>): (value: string) => Promise<T> {
  const asked = new Map<string, Promise<T>>();
  return (value) => {
    const answer = asked.get(value) ?? ask(value);
    asked.set(value, answer);
    return answer;
  };
}

/** The model that needs no key and no network. */
const offline = 'offline';

/** The model in use, those of vendors with a key, and the one that needs none. */
function usableModels(config: Config): ModelsPage {
  const inUse = modelInUse(config);
  const vendors = new Set(configuredServers(config).map(({ vendor }) => vendor.id));
  const usable = config.catalogue.models.filter(({ vendor }) => vendors.has(vendor));
  const named = [...(inUse.ok ? [inUse.model] : []), ...usable].filter(({ api }) => api !== offline);
  const models = [...new Set([...named.map(({ vendor, id }) => `${vendor}/${id}`), offline])];
  return { models, ...(inUse.ok ? { default: models[0] ?? offline } : {}) };
}

type RowBase = Pick<BoardRow, 'id' | 'kind' | 'title' | 'cwd' | 'modified' | 'holder' | 'front' | 'branch'>;

function oldRow({ firstPrompt = '', cost }: ListedSession, base: RowBase): BoardRow {
  return { ...base, column: 'done', model: '', cost, lastLine: shownLine(firstPrompt), questions: 0 };
}

function rowOf(
  base: RowBase,
  index: SessionIndex,
  { live, isLocked }: { readonly live: LinkedSession | undefined; readonly isLocked: boolean },
): BoardRow {
  const { end } = index.digest;
  const facts = live?.facts();
  const [asked] = live?.questions() ?? [];
  // A process without a link, such as `robota -p`, is known by its lock alone.
  const isRunning = live ? facts?.runningSince != null : isLocked && end.isUnfinished;
  const isToReview = index.digest.hasUnreviewed && Date.now() - base.modified <= lookedAtMs;
  const todos = facts?.todos ?? end.todos;
  const done = todos.filter(({ status }) => status === 'completed').length;
  const call = live?.live().findLast((event) => event.type === 'tool-start');
  const isTold = call?.type === 'tool-start' && call.call.name !== todoTool;
  const running = isTold ? { lastLine: shownLine(callTitle(call.call)) } : {};
  return {
    ...base,
    column: asked ? 'needs-you' : isRunning ? 'running' : isToReview ? 'to-review' : 'done',
    model: facts?.model ?? end.model,
    cost: sessionCost(index),
    lastLine: end.lastLine,
    ...(end.isCommand ? { isCommand: true } : {}),
    ...(isRunning ? running : {}),
    ...(end.isFailed && !isRunning ? { failed: true } : {}),
    ...(todos.length > 0 ? { todos: { done, total: todos.length } } : {}),
    ...(isRunning && facts ? { turn: facts.turn } : {}),
    ...changesOf(index),
    questions: live?.questions().length ?? 0,
    ...(asked ? { asks: asksOf(asked) } : {}),
  };
}

function changesOf({ digest }: SessionIndex): Pick<BoardRow, 'changes'> {
  const { changes } = digest;
  if (changes.length === 0 || !digest.hasUnreviewed) return {};
  const sum = (key: 'added' | 'removed') => changes.reduce((total, each) => total + each[key], 0);
  return { changes: { added: sum('added'), removed: sum('removed'), files: changes.length } };
}

function asksOf(asked: Parameters<typeof webQuestion>[0]): NonNullable<BoardRow['asks']> {
  const { call, title, kind, detail = '', asked: since } = webQuestion(asked);
  if (call?.command !== undefined)
    return { tag: 'Run command?', text: shownLine(call.command), isCode: true, since };
  if (call?.diff) return { tag: 'Edit file?', text: call.diff.path, isCode: true, since };
  if (call) return { tag: `Use ${call.tool}?`, text: shownLine(title), isCode: false, since };
  const text = shownLine(title) || shownLine(detail);
  return { tag: kind === 'confirm' ? 'Confirm?' : 'Question', text, isCode: false, since };
}

/** Some directories, then those of sessions that are still there, the most lately used first. */
function directoriesOf(sessions: readonly ListedSession[], first: readonly string[]): readonly string[] {
  const all = new Set([...first, ...sessions.map(({ cwd }) => cwd).filter((cwd) => cwd !== '')]);
  return [...all].filter((cwd) => existsSync(cwd)).slice(0, mostDirectories);
}
