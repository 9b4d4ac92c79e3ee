import type { LockOwner } from '@robota-sdk/agent-core';
import type { Lease, Queryable } from '../contract/database.ts';
import type { SummaryRow } from './line-summary.ts';

/** How long the right to append lasts after the last sign of life. */
export const heldSeconds = 30;

/** The right of one open session to append. */
export interface Holder {
  /** Of this opening alone. */
  readonly key: string;
  readonly owner: LockOwner;
  /** Appends are refused when the task has another epoch. */
  readonly lease: Lease | undefined;
}

/** A session as its row tells. */
export interface SessionRow extends SummaryRow {
  readonly id: string;
  /** Its first line. */
  readonly header: string;
  readonly modified: Date | string;
  /** How many there are. */
  readonly lines: string | number;
  readonly holder: string | null;
  readonly holder_owner: string | null;
  /** True while the holder gave signs of life lately. */
  readonly is_held: boolean;
  readonly task_id: string | null;
  readonly epoch: string | number | null;
}

/** Lines to append, and the summary of the session with them. */
export interface LineBatch {
  readonly id: string;
  /** So many lines the session has before; another count refuses the batch. */
  readonly after: number;
  readonly lines: readonly string[];
  readonly summary: SummaryRow;
  readonly durable: boolean;
}

/** The row of a session that begins with a batch. */
export interface NewSession {
  readonly project: string;
  readonly header: string;
  /** False until all of it is there; others do not see it before. */
  readonly isWhole: boolean;
}

const heldUntil = `clock_timestamp() + interval '${heldSeconds} seconds'`;
const summaryColumns = 'name, first_prompt, is_blank, messages, cost';
const columns = `id, header, ${summaryColumns}, modified, lines, holder, holder_owner,
  coalesce(held_until > clock_timestamp(), false) as is_held, task_id, epoch`;

/** Locks the task's row, so that no other worker can claim it before the statement is committed. */
const fence = (task: string, epoch: string) =>
  `fence as (select 1 from fleet.task where id = ${task}::text and epoch = ${epoch}::bigint for share)`;
const isFenced = (task: string) => `(${task}::text is null or exists (select from fence))`;

/** A commit that is not durable survives the death of this process, but not a loss of power. */
const durability = (durable: string) =>
  `durability as (select case when ${durable}::boolean then '' else set_config('synchronous_commit', 'off', true) end)`;

/**
 * Appends a batch to a session that the holder holds. False if it may not, or if the count of lines is another. A name
 * alone does not make it the last session used.
 */
export async function appendLines(
  database: Queryable,
  { key, lease }: Holder,
  { id, after, lines, summary, durable }: LineBatch,
): Promise<boolean> {
  const { rows } = await database.query<{ added: number }>(
    `with ${durability('$10')}, ${fence('$11', '$12')},
    held as (
      update fleet.session set lines = lines + cardinality($4::text[]),
        modified = case when $13::boolean then modified else clock_timestamp() end, held_until = ${heldUntil}, name = $5, first_prompt = $6, is_blank = $7, messages = $8, cost = $9
      where id = $1 and holder = $2 and lines = $3::bigint and ${isFenced('$11')} returning 1
    ),
    added as (
      insert into fleet.session_line (session, sequence, text)
      select $1, $3::bigint + number, line from unnest($4::text[]) with ordinality as given (line, number)
      where exists (select from held) returning 1
    )
    select (select count(*) from added)::int as added, (select count(*) from durability)`,
    [
      id,
      key,
      after,
      lines,
      ...summaryValues(summary),
      durable,
      lease?.taskId ?? null,
      lease?.epoch ?? null,
      lines.every((line) => line.includes('"type":"session_info"')),
    ],
  );
  return rows[0]?.added === lines.length;
}

/** Begins a session with a batch, held by the holder. False if there is one with its id, or if the lease is lost. */
export async function insertSession(
  database: Queryable,
  { key, owner, lease }: Holder,
  { id, lines, summary, durable, project, header, isWhole }: LineBatch & NewSession,
): Promise<boolean> {
  const { rows } = await database.query<{ added: number }>(
    `with ${durability('$13')}, ${fence('$14', '$15')},
    made as (
      insert into fleet.session (id, project, header, ${summaryColumns}, is_whole, lines, modified,
        holder, holder_owner, held_until, task_id, epoch)
      select $1, $2, $3, $4, $5, $6::boolean, $7::int, $8::double precision, $9::boolean,
        cardinality($10::text[]), clock_timestamp(), $11, $12, ${heldUntil}, $14::text, $15::bigint
      where ${isFenced('$14')} on conflict (id) do nothing returning 1
    ),
    added as (
      insert into fleet.session_line (session, sequence, text)
      select $1, number, line from unnest($10::text[]) with ordinality as given (line, number)
      where exists (select from made) returning 1
    )
    select (select count(*) from added)::int as added, (select count(*) from durability)`,
    [
      id,
      project,
      header,
      ...summaryValues(summary),
      isWhole,
      lines,
      key,
      JSON.stringify(owner),
      durable,
      lease?.taskId ?? null,
      lease?.epoch ?? null,
    ],
  );
  return rows[0]?.added === lines.length;
}

/** Postgres refuses the NUL character in texts; lines of JSON never have one. */
function storable(text: string | null): string | null {
  return text?.replaceAll('\0', '\ufffd') ?? null;
}

function summaryValues({ name, first_prompt, is_blank, messages, cost }: SummaryRow): unknown[] {
  return [storable(name), storable(first_prompt), is_blank, messages, cost];
}

/**
 * Takes the right to append from the last holder, who is gone, and gives the count of lines and the summary. Undefined if
 * the right changed hands, or if the lease is lost.
 */
export async function takeHold(
  database: Queryable,
  { key, owner, lease }: Holder,
  { id, from, isForced }: { readonly id: string; readonly from: string | null; readonly isForced: boolean },
): Promise<(SummaryRow & Pick<SessionRow, 'lines'>) | undefined> {
  const { rows } = await database.query<SummaryRow & Pick<SessionRow, 'lines'>>(
    `with ${fence('$4', '$5')}
    update fleet.session set holder = $2, holder_owner = $3, held_until = ${heldUntil},
      task_id = $4::text, epoch = $5::bigint
    where id = $1 and holder is not distinct from $6::text and ${isFenced('$4')}
      and ($7::boolean or held_until is null or held_until < clock_timestamp())
    returning lines, ${summaryColumns}`,
    [id, key, JSON.stringify(owner), lease?.taskId ?? null, lease?.epoch ?? null, from, isForced],
  );
  return rows[0];
}

/** Gives a sign of life; a commit of this makes all earlier ones of this server durable. */
export async function renewHold(database: Queryable, { key }: Holder, id: string): Promise<void> {
  await database.query(`update fleet.session set held_until = ${heldUntil} where id = $1 and holder = $2`, [
    id,
    key,
  ]);
}

export async function releaseHold(database: Queryable, { key }: Holder, id: string): Promise<void> {
  await database.query(
    `update fleet.session set holder = null, holder_owner = null, held_until = null, task_id = null, epoch = null
    where id = $1 and holder = $2`,
    [id, key],
  );
}

/** Shows a session to others. */
export async function markWhole(database: Queryable, { key }: Holder, id: string): Promise<void> {
  await database.query('update fleet.session set is_whole = true where id = $1 and holder = $2', [id, key]);
}

/** Any session with this id, also one that is not whole yet. */
export async function readSessionRow(database: Queryable, id: string): Promise<SessionRow | undefined> {
  const { rows } = await database.query<SessionRow>(`select ${columns} from fleet.session where id = $1`, [
    id,
  ]);
  return rows[0];
}

/** Newest first; of one project, or of all. */
export async function listSessionRows(
  database: Queryable,
  { project, limit }: { readonly project: string | undefined; readonly limit?: number },
): Promise<SessionRow[]> {
  const { rows } = await database.query<SessionRow>(
    `select ${columns} from fleet.session
    where is_whole and not is_blank and ($1::text is null or project = $1)
    order by modified desc, id desc limit $2`,
    [project ?? null, limit ?? null],
  );
  return rows;
}

/** Ids that begin so, in any case of letters; if there are none, the latest ones. */
export async function findSessionIds(database: Queryable, reference: string): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `select id from fleet.session where is_whole and starts_with(lower(id), lower($1)) order by id desc limit 1000`,
    [reference.trim()],
  );
  if (rows.length > 0) return rows.map(({ id }) => id);
  const latest = await database.query<{ id: string }>(
    'select id from fleet.session where is_whole order by id desc limit 3',
  );
  return latest.rows.map(({ id }) => id);
}

export async function deleteSession(
  database: Queryable,
  { id, holder }: { readonly id: string; readonly holder: string | null },
): Promise<boolean> {
  const { rowCount } = await database.query(
    'delete from fleet.session where id = $1 and holder is not distinct from $2::text',
    [id, holder],
  );
  return rowCount === 1;
}

/** Deletes what killed processes left of sessions that never became whole. */
export async function deleteUnfinished(database: Queryable): Promise<void> {
  await database.query('delete from fleet.session where not is_whole and held_until < clock_timestamp()');
}

/** True if the task still has the lease's epoch. */
export async function hasLease(database: Queryable, { taskId, epoch }: Lease): Promise<boolean> {
  const { rows } = await database.query('select 1 from fleet.task where id = $1 and epoch = $2::bigint', [
    taskId,
    epoch,
  ]);
  return rows.length > 0;
}

const pageBytes = 2 * 1024 * 1024;
const mostPerPage = 2000;

/** The lines of a session after so many, page by page; a page is small where lines are long. */
export async function* readPages(
  database: Queryable,
  id: string,
  after = 0,
): AsyncGenerator<readonly string[]> {
  let limit = 50;
  for (let read = after; ; ) {
    const { rows } = await database.query<{ text: string }>(
      'select text from fleet.session_line where session = $1 and sequence > $2::bigint order by sequence limit $3',
      [id, read, limit],
    );
    if (rows.length === 0) return;
    yield rows.map(({ text }) => text);
    if (rows.length < limit) return;
    read += rows.length;
    const length = rows.reduce((sum, { text }) => sum + text.length, 0) / rows.length;
    limit = Math.max(1, Math.min(mostPerPage, Math.floor(pageBytes / Math.max(length, 1))));
  }
}
