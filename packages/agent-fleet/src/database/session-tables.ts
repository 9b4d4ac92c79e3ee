/** The tables of sessions. Every statement may run again. */
export const sessionTables = {
  name: 'session',
  statements: [
    // Each append updates the row of its session, so the page keeps room for that, and no index names what changes.
    `create table if not exists fleet.session (
      id text primary key,
      project text not null,
      header text not null,
      name text,
      first_prompt text,
      is_blank boolean not null,
      is_whole boolean not null,
      lines bigint not null,
      messages int not null,
      cost double precision not null,
      modified timestamptz not null,
      holder text,
      holder_owner text,
      held_until timestamptz,
      task_id text,
      epoch bigint
    ) with (fillfactor = 70)`,
    'create index if not exists session_by_project on fleet.session (project)',
    `create table if not exists fleet.session_line (
      session text not null references fleet.session (id) on delete cascade,
      sequence bigint not null,
      text text not null,
      primary key (session, sequence)
    )`,
  ],
} as const;
