/** The table of workspace snapshots for other machines: one row for each attempt, with the objects beyond its base. */
export const snapshotTables = {
  name: 'snapshot',
  statements: [
    `create table if not exists fleet.snapshot (
      task_id text not null references fleet.task (id) on delete cascade,
      attempt int not null,
      number int not null,
      base text not null,
      commit text not null,
      pack bytea not null,
      taken_at timestamptz not null default now(),
      primary key (task_id, attempt)
    )`,
  ],
} as const;
