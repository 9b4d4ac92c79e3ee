import type { CommandOption, CommandRow } from '@robota-sdk/agent-sdk/front-end';

const shell: Pick<CommandRow, 'needs' | 'during' | 'where'> = { needs: [], during: 'idle', where: ['shell'] };

/** Fields of a task that can be given as options; the same names as in a task file. */
const taskOptions: readonly CommandOption[] = [
  { name: 'check', value: 'COMMAND', description: 'Has to pass at the end, and on the untouched base' },
  { name: 'setup', value: 'COMMAND', description: 'Runs once per lock file, before the agent' },
  { name: 'name', value: 'NAME', description: 'Name for lists and for --after' },
  { name: 'repo', value: 'DIR', description: 'Directory or git URL (default: here)' },
  { name: 'base', value: 'REF', description: 'Branch, tag or commit to start from (default: HEAD)' },
  { name: 'baseline', value: 'WORD', description: 'skip: start although the check fails on the base' },
  { name: 'model', value: 'MODEL', description: 'The model to use' },
  { name: 'max-cost', value: 'USD', description: 'Stop after so many US dollars' },
  { name: 'max-time', value: 'TIME', description: 'Stop after so long (30m, 1h)' },
  { name: 'max-turns', value: 'N', description: 'Stop after so many turns' },
  { name: 'attempts', value: 'N', description: 'Try at most so often' },
  {
    name: 'keep',
    value: 'WORD',
    description: 'first: end with the first that passes; all: keep every attempt',
  },
  { name: 'permission-mode', value: 'MODE', description: 'plan, default, acceptEdits or bypassPermissions' },
  { name: 'allow', value: 'RULE', description: 'Allow these calls; may be repeated' },
  { name: 'deny', value: 'RULE', description: 'Deny these calls; may be repeated' },
  { name: 'ask', value: 'WORD', description: 'park: a question parks the task; deny: it is denied' },
  { name: 'deliver', value: 'WORD', description: 'branch, draft-pr, pr, patch or none' },
  { name: 'sandbox', value: 'WORD', description: 'off: run commands without the sandbox' },
];

const queueOptions: readonly CommandOption[] = [
  { name: 'after', value: 'NAME', description: 'Wait for this task; may be repeated' },
  { name: 'priority', value: 'N', description: 'Lower runs earlier (default 100)' },
];

const database: CommandOption = {
  name: 'database',
  value: 'URL',
  description: 'The Postgres of a fleet of many machines (default: ROBOTA_FLEET)',
};
const jobs: CommandOption = {
  name: 'jobs',
  value: 'N',
  description: 'Work on so many tasks at once (default 2)',
};
const ownLabel: CommandOption = {
  name: 'label',
  value: 'LABEL',
  description: 'Also take tasks with this label; may be repeated',
};
const detach: CommandOption = {
  name: 'detach',
  description: 'Work in the background, and print the process id',
};

/** `robota fleet`. */
export const fleetRow: CommandRow = {
  ...shell,
  name: 'fleet',
  description: 'Queue tasks, work on them, and read what came of them (docs/fleet.md)',
  subcommands: [
    { name: 'list', description: 'List the tasks' },
    {
      name: 'add',
      argumentHint: '"PROMPT"',
      description: 'Add a task and print its id',
      variants: [
        { argumentHint: 'FILE.md…', description: 'Add task files' },
        { argumentHint: '--from FILE', description: 'Add a task for each line of JSON; - is standard input' },
      ],
    },
    { name: 'run', description: 'Work on the queue until it is empty, and show how the tasks stand' },
    { name: 'start', description: 'Work on the queue until it is ended' },
    { name: 'show', argumentHint: 'ID', description: 'Print a task with its attempts and receipt' },
    { name: 'follow', argumentHint: 'ID', description: 'Print what a task does until it ends' },
    {
      name: 'attach',
      argumentHint: 'ID',
      description: 'Talk to a running task, or open the session of one that waits',
    },
    {
      name: 'answer',
      argumentHint: 'ID [allow|deny|TEXT]',
      description: 'Answer the question of a parked task',
    },
    { name: 'stop', argumentHint: 'ID…', description: 'End tasks' },
    {
      name: 'retry',
      argumentHint: 'ID…',
      description: 'Queue tasks again that failed, were stopped or are parked',
    },
    { name: 'drain', description: 'Let all workers finish what they hold, and end' },
    {
      name: 'schedule',
      description: 'List schedules',
      variants: [
        {
          argumentHint: '"CRON" FILE.md',
          description: 'Add the task of a file again and again: "0 2 * * *"',
        },
        { argumentHint: 'remove ID', description: 'Remove a schedule' },
      ],
    },
    { name: 'hook', argumentHint: 'FILE.md…', description: 'Make tasks of signed requests (docs/fleet.md)' },
    {
      name: 'doctor',
      argumentHint: '[FILE.md…]',
      description: 'Check what a fleet needs, and try set-up and check of tasks on their base',
    },
    { name: 'gc', argumentHint: '[ID…]', description: 'Remove worktrees that nothing needs any more' },
    { name: 'cost', description: 'Print what was spent; --total and --daily set limits' },
  ],
  options: [
    { ...database },
    {
      name: 'json',
      description: 'Print JSON',
      of: [
        'list',
        'add',
        'run',
        'start',
        'show',
        'follow',
        'answer',
        'stop',
        'retry',
        'drain',
        'schedule',
        'doctor',
        'gc',
        'cost',
      ],
    },
    {
      name: 'state',
      value: 'STATE',
      description: 'Only tasks in this state; several with commas',
      of: ['list'],
    },
    { name: 'limit', value: 'N', description: 'The last N tasks; 0 is all (default 100)', of: ['list'] },
    {
      name: 'time-zone',
      value: 'ZONE',
      description: 'The zone of its times (default: here)',
      of: ['schedule'],
    },
    {
      name: 'missed',
      value: 'WORD',
      description: 'Times at which nothing ran: run-once (the default) or skip',
      of: ['schedule'],
    },
    { ...jobs, of: ['run', 'start'] },
    { ...detach, of: ['start'] },
    { name: 'listen', value: 'ADDRESS', description: 'Default 127.0.0.1:7444', of: ['hook'] },
    {
      name: 'host',
      value: 'NAME',
      description: 'Also answer requests to this host name, as a proxy passes it on; may be repeated',
      of: ['hook'],
    },
    { name: 'allow-remote', description: 'Listen where other machines can connect', of: ['hook'] },
    {
      name: 'secret-file',
      value: 'FILE',
      description: 'The secret of the signatures (default: ROBOTA_HOOK_SECRET)',
      of: ['hook'],
    },
    {
      name: 'event',
      value: 'EVENT',
      description: "Only these of GitHub's events; may be repeated",
      of: ['hook'],
    },
    { name: 'rate', value: 'N', description: 'At most so many tasks a minute (default 30)', of: ['hook'] },
    { name: 'from', value: 'FILE', description: 'Lines of JSON; - is standard input', of: ['add'] },
    { name: 'dry-run', description: 'Only print what would be removed', of: ['gc'] },
    {
      name: 'unused',
      value: 'TIME',
      description: 'Also mirrors and set-ups that nothing used for so long (default 30d)',
      of: ['gc'],
    },
    { name: 'discard', description: 'Also work of the named tasks that is nowhere else', of: ['gc'] },
    { name: 'all', description: 'Every task that can be', of: ['stop', 'retry'] },
    { name: 'total', value: 'USD', description: 'Limit for all tasks together, or none', of: ['cost'] },
    { name: 'daily', value: 'USD', description: 'Limit for a day, or none', of: ['cost'] },
    {
      name: 'label',
      value: 'LABEL',
      description: 'Only for workers with it; of run and start: take such tasks',
      of: ['add', 'schedule', 'run', 'start'],
    },
    ...[...taskOptions, ...queueOptions].map((option) => ({ ...option, of: ['add', 'schedule', 'doctor'] })),
  ],
  notes: `ID is the id of a task, its beginning, or its name. Task files are Markdown with front matter; its fields have the names of
the options of add. Exit codes: 0 done, 1 a task failed, 2 wrong usage, 3 parked or waiting for you, 130 interrupted.`,
};

/** The commands of the optional package agent-fleet. */
export const fleetRows: readonly CommandRow[] = [
  fleetRow,
  {
    ...shell,
    name: 'worker',
    description: 'Work for a fleet of many machines (docs/fleet-machines.md)',
    options: [database, { name: 'json', description: 'Print JSON' }, jobs, ownLabel, detach],
    notes:
      'The database is the Postgres that all workers of the fleet share. Connections are only opened from here.',
  },
  {
    ...shell,
    name: 'run',
    description: 'Run one task here and now: worktree, agent, check, branch (docs/fleet.md)',
    argumentHint: 'FILE.md',
    options: [{ name: 'json', description: 'Print JSON' }, ...taskOptions],
    notes: `The fields of a task file have the names of these options; an option stands above the field.
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 waiting for you, 130 interrupted. A prompt is answered as by -p.`,
  },
];
