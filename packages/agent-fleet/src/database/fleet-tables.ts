/** Tables of tasks, workers, money and schedules. */
export const fleetTables = {
  name: 'fleet',
  statements: [
    `create table if not exists fleet.task (
      id text primary key,
      seq bigserial,
      name text not null,
      state text not null default 'queued',
      reason jsonb,
      spec jsonb not null,
      labels text[] not null default '{}',
      priority int not null default 100,
      waits boolean not null default false,
      round int not null default 1,
      epoch bigint not null default 0,
      worker text,
      step text,
      attempt_limit int not null,
      cost double precision not null default 0,
      turns int not null default 0,
      kills int not null default 0,
      all_kills int not null default 0,
      is_stopping boolean not null default false,
      question jsonb,
      until timestamptz,
      facts jsonb not null default '{}',
      receipt jsonb,
      session_id text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      ended_at timestamptz
    )`,
    `create index if not exists task_queue on fleet.task (priority, seq) where state = 'queued'`,
    'create index if not exists task_worker on fleet.task (worker) where worker is not null',
    'create index if not exists task_name on fleet.task (name)',
    'create index if not exists task_updated on fleet.task (updated_at)',
    `create table if not exists fleet.attempt (
      task_id text not null references fleet.task (id) on delete cascade,
      number int not null,
      record jsonb not null,
      primary key (task_id, number)
    )`,
    `create table if not exists fleet.worker (
      id text primary key,
      host text not null,
      pid int not null,
      version text not null,
      labels text[] not null,
      jobs int not null,
      is_draining boolean not null default false,
      beat_at timestamptz not null default now(),
      started_at timestamptz not null default now()
    )`,
    `create table if not exists fleet.answer (
      task_id text not null references fleet.task (id) on delete cascade,
      hash text not null,
      decision text not null,
      text text,
      answered_at timestamptz not null default now(),
      primary key (task_id, hash)
    )`,
    `create table if not exists fleet.message (
      id bigserial primary key,
      task_id text not null references fleet.task (id) on delete cascade,
      text text not null
    )`,
    `create table if not exists fleet.budget (
      id int primary key check (id = 1),
      total_limit double precision,
      daily_limit double precision
    )`,
    'insert into fleet.budget (id) values (1) on conflict do nothing',
    `create table if not exists fleet.spend (
      day date not null,
      model text not null,
      cost double precision not null,
      primary key (day, model)
    )`,
    `create table if not exists fleet.reservation (
      id text primary key,
      task_id text not null references fleet.task (id) on delete cascade,
      epoch bigint not null,
      amount double precision not null,
      model text not null,
      reserved_at timestamptz not null default now()
    )`,
    `create table if not exists fleet.schedule (
      id text primary key,
      cron text not null,
      time_zone text not null,
      spec jsonb not null,
      missed text not null,
      created_at timestamptz not null,
      last_due timestamptz,
      next_due timestamptz
    )`,
    `create table if not exists fleet.applied_inbox (
      file text primary key,
      applied_at timestamptz not null default now()
    )`,
    `create table if not exists fleet.hook_delivery (
      id text primary key,
      received_at timestamptz not null default now()
    )`,
  ],
};
