/**
 * Deaths of workers, and the tasks that may have caused them. A task that ends a step after a death is no longer a suspect of it;
 * a death without suspects has another cause, such as a machine that is short of memory.
 */
export const deathTables = {
  name: 'death',
  statements: [
    `create table if not exists fleet.worker_death (
      worker text primary key,
      died_at timestamptz not null default clock_timestamp(),
      tasks text[] not null,
      suspects text[] not null
    )`,
    'alter table fleet.task add column if not exists killed_at timestamptz',
    // After two deaths it runs alone: the third is its own, and no other task is lost by it.
    `alter table fleet.task add column if not exists runs_alone boolean
      generated always as (kills >= 2 or all_kills >= 9) stored`,
    `create index if not exists task_alone on fleet.task (priority, seq) where state = 'queued' and runs_alone`,
  ],
} as const;
