import { type CommandOption, type CommandRow, permissionModes } from '@robota-sdk/agent-sdk/front-end';

const shell: Pick<CommandRow, 'needs' | 'during' | 'where'> = { needs: [], during: 'idle', where: ['shell'] };

/** Fields of a task that can be given as options; the same names as in a task file. */
const taskOptions: readonly CommandOption[] = [
  { name: 'check', value: 'COMMAND', description: 'Command that must pass at the end and on the base' },
  { name: 'setup', value: 'COMMAND', description: 'Command to run before the agent, once per lock file' },
  { name: 'name', value: 'NAME', description: 'Name of the task, for lists and --after' },
  { name: 'repo', value: 'DIR', description: 'Directory or git URL (default: current directory)' },
  { name: 'base', value: 'REF', description: 'Branch, tag or commit to start from (default: HEAD)' },
  {
    name: 'baseline',
    value: 'WORD',
    choices: ['skip'],
    description: 'skip: start even if the check fails on the base',
  },
  { name: 'model', value: 'MODEL', description: 'Model to use' },
  { name: 'max-cost', value: 'USD', description: 'Stop at this cost' },
  { name: 'max-time', value: 'TIME', description: 'Stop after TIME (30m, 1h)' },
  { name: 'max-turns', value: 'N', description: 'Stop after N turns' },
  { name: 'attempts', value: 'N', description: 'Maximum number of attempts' },
  {
    name: 'keep',
    value: 'WORD',
    choices: ['first', 'all'],
    description: 'first: stop at the first attempt that passes; all: keep every attempt',
  },
  {
    name: 'permission-mode',
    value: 'MODE',
    choices: permissionModes,
    description: 'plan, default, acceptEdits or bypassPermissions',
  },
  { name: 'allow', value: 'RULE', description: 'Allow these calls (repeatable)' },
  { name: 'deny', value: 'RULE', description: 'Deny these calls (repeatable)' },
  {
    name: 'ask',
    value: 'WORD',
    choices: ['park', 'deny'],
    description: 'On a permission prompt, park the task or deny the call: park, deny',
  },
  {
    name: 'deliver',
    value: 'WORD',
    choices: ['branch', 'draft-pr', 'pr', 'patch', 'none'],
    description: 'Deliver as branch, draft-pr, pr, patch or none',
  },
  { name: 'sandbox', value: 'WORD', choices: ['off'], description: 'off: run commands without a sandbox' },
];

const queueOptions: readonly CommandOption[] = [
  { name: 'after', value: 'NAME', description: 'Run after this task (repeatable)' },
  { name: 'priority', value: 'N', description: 'Priority; lower runs first (default: 100)' },
];

const database: CommandOption = {
  name: 'database',
  value: 'URL',
  description: 'Postgres of a fleet on several machines (default: ROBOTA_FLEET)',
};
const jobs: CommandOption = {
  name: 'jobs',
  value: 'N',
  description: 'Run N tasks in parallel (default: 2)',
};
const ownLabel: CommandOption = {
  name: 'label',
  value: 'LABEL',
  description: 'Also run tasks with this label (repeatable)',
};
const detach: CommandOption = {
  name: 'detach',
  description: 'Run in the background and print the process id',
};

/** `robota fleet`. */
export const fleetRow: CommandRow = {
  ...shell,
  name: 'fleet',
  description: 'Queue and run tasks, and show their results (docs/fleet.md)',
  subcommands: [
    { name: 'list', description: 'List tasks' },
    {
      name: 'add',
      argumentHint: '"PROMPT"',
      description: 'Add a task and print its id',
      variants: [
        { argumentHint: 'FILE.md…', description: 'Add task files' },
        { argumentHint: '--from FILE', description: 'Add one task per line of JSON; - is standard input' },
      ],
    },
    { name: 'run', description: 'Run the queue until it is empty and show progress' },
    { name: 'start', description: 'Run the queue until stopped' },
    { name: 'show', argumentHint: 'ID', description: 'Show a task, its attempts and its receipt' },
    { name: 'follow', argumentHint: 'ID', description: 'Print the output of a task until it ends' },
    {
      name: 'attach',
      argumentHint: 'ID',
      description: 'Join a running task, or open the session of a waiting one',
    },
    {
      name: 'answer',
      argumentHint: 'ID [allow|deny|TEXT]',
      description: 'Answer the question of a parked task',
    },
    { name: 'stop', argumentHint: 'ID…', description: 'Stop tasks' },
    {
      name: 'retry',
      argumentHint: 'ID…',
      description: 'Queue failed, stopped or parked tasks again',
    },
    { name: 'drain', description: 'Stop all workers after their current tasks' },
    {
      name: 'schedule',
      description: 'List schedules',
      variants: [
        {
          argumentHint: '"CRON" FILE.md',
          description: 'Add the task of a file on a schedule, such as "0 2 * * *"',
        },
        { argumentHint: 'remove ID', description: 'Remove a schedule' },
      ],
    },
    {
      name: 'hook',
      argumentHint: 'FILE.md…',
      description: 'Create tasks from signed webhook requests (docs/fleet.md)',
    },
    {
      name: 'doctor',
      argumentHint: '[FILE.md…]',
      description: 'Check the requirements, and run setup and check of tasks on their base',
    },
    { name: 'gc', argumentHint: '[ID…]', description: 'Remove unused worktrees' },
    { name: 'cost', description: 'Show the cost; set limits with --total and --daily' },
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
      description: 'Only tasks in these states, separated by commas',
      of: ['list'],
    },
    {
      name: 'limit',
      value: 'N',
      description: 'Print the last N tasks; 0 prints all (default: 100)',
      of: ['list'],
    },
    {
      name: 'time-zone',
      value: 'ZONE',
      description: 'Time zone (default: local)',
      of: ['schedule'],
    },
    {
      name: 'missed',
      value: 'WORD',
      choices: ['run-once', 'skip'],
      description: 'Missed times: run-once (default) or skip',
      of: ['schedule'],
    },
    { ...jobs, of: ['run', 'start'] },
    { ...detach, of: ['start'] },
    {
      name: 'listen',
      value: 'ADDRESS',
      description: 'Address to listen on (default: 127.0.0.1:7444)',
      of: ['hook'],
    },
    {
      name: 'host',
      value: 'NAME',
      description: 'Also accept requests for this host name, behind a proxy (repeatable)',
      of: ['hook'],
    },
    {
      name: 'allow-remote',
      description: 'Allow listening on addresses that other machines can reach',
      of: ['hook'],
    },
    {
      name: 'secret-file',
      value: 'FILE',
      description: 'Secret of the signatures (default: ROBOTA_HOOK_SECRET)',
      of: ['hook'],
    },
    {
      name: 'event',
      value: 'EVENT',
      description: 'Only this GitHub event (repeatable)',
      of: ['hook'],
    },
    {
      name: 'rate',
      value: 'N',
      description: 'Maximum number of tasks per minute (default: 30)',
      of: ['hook'],
    },
    {
      name: 'from',
      value: 'FILE',
      description: 'File with one task per line of JSON; - is standard input',
      of: ['add'],
    },
    { name: 'dry-run', description: 'Print what would be removed, without removing it', of: ['gc'] },
    {
      name: 'unused',
      value: 'TIME',
      description: 'Also remove mirrors and setups unused for TIME (default: 30d)',
      of: ['gc'],
    },
    {
      name: 'discard',
      description: 'Also remove work of the named tasks that exists nowhere else',
      of: ['gc'],
    },
    { name: 'all', description: 'All tasks that can be stopped or retried', of: ['stop', 'retry'] },
    { name: 'total', value: 'USD', description: 'Set the limit for all tasks, or none', of: ['cost'] },
    { name: 'daily', value: 'USD', description: 'Set the limit per day, or none', of: ['cost'] },
    {
      name: 'label',
      value: 'LABEL',
      description: 'Only run on workers with this label; with run and start, run such tasks',
      of: ['add', 'schedule', 'run', 'start'],
    },
    ...[...taskOptions, ...queueOptions].map((option) => ({ ...option, of: ['add', 'schedule', 'doctor'] })),
  ],
  notes: `ID is the id of a task, a prefix of it, or its name. Task files are Markdown; the front matter has the fields of the options
of add. Exit codes: 0 success, 1 a task failed, 2 usage error, 3 parked or waiting for you, 130 interrupted.`,
};

/** The commands of the optional package agent-fleet. */
export const fleetCommandRows: readonly CommandRow[] = [
  fleetRow,
  {
    ...shell,
    name: 'worker',
    description: 'Run tasks of a fleet on several machines (docs/fleet-machines.md)',
    options: [database, { name: 'json', description: 'Print JSON' }, jobs, ownLabel, detach],
    notes: 'All workers of a fleet share one Postgres. Workers only open outgoing connections.',
  },
  {
    ...shell,
    name: 'run',
    description: 'Run one task now: worktree, agent, check, branch (docs/fleet.md)',
    argumentHint: 'FILE.md',
    options: [{ name: 'json', description: 'Print JSON' }, ...taskOptions],
    notes: `The fields of a task file have the names of these options; an option overrides the field.
Exit codes: 0 success, 1 failed, 2 usage error, 3 waiting for you, 130 interrupted. Given a prompt, it works like -p.`,
  },
];
