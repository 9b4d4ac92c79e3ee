import { configRow, mcpRow, pluginRow } from '@robota-sdk/agent-admin';
import type { CommandRow } from '@robota-sdk/agent-config';
import { skillsRow } from '@robota-sdk/agent-resources';
import { permissionsRow } from '../permissions/permissions-row.ts';

const session: readonly CommandRow[] = [
  {
    name: 'new',
    isCommon: true,
    description: 'Start a new session; this one is kept',
    needs: [],
    during: 'idle',
  },
  {
    name: 'resume',
    isCommon: true,
    description: 'Resume another session: choose one, or find it by id, name or text',
    argumentHint: '[ID | NAME | text]',
    needs: [],
    during: 'idle',
    screen: 'sessions',
    completes: true,
  },
  {
    name: 'fork',
    description: 'Continue in a copy of this session, from here or from before a prompt',
    argumentHint: '[PLACE]',
    needs: ['conversation'],
    during: 'idle',
    completes: true,
  },
  {
    name: 'clear',
    description: 'Start over with an empty conversation; the old one stays in this session',
    needs: ['conversation'],
    during: 'idle',
  },
  {
    name: 'name',
    description: 'Show or set the name of the session; - removes it',
    argumentHint: '[NAME]',
    needs: ['conversation'],
    during: 'run',
  },
  {
    name: 'export',
    description: 'Write the session to a file: .html (a self-contained page), .md or .jsonl',
    argumentHint: '[FILE] [--all-branches] [--raw] [--force]',
    needs: ['conversation'],
    during: 'run',
  },
  {
    name: 'exit',
    aliases: ['quit'],
    description: 'End the session',
    needs: [],
    during: 'run',
  },
];

/** `/language`; any other language can be named as well. */
export const languageRow: CommandRow = {
  name: 'language',
  description: 'Show or change the language of answers, for this and later sessions',
  argumentHint: '[en|ko|ja|zh|...|auto]',
  needs: [],
  during: 'run',
  subcommands: [
    { name: 'en', description: 'English' },
    { name: 'ko', description: '한국어' },
    { name: 'ja', description: '日本語' },
    { name: 'zh', description: '中文' },
    { name: 'de', description: 'Deutsch' },
    { name: 'es', description: 'Español' },
    { name: 'fr', description: 'Français' },
    { name: 'auto', description: 'Answer in the language of the question' },
  ],
};

const model: readonly CommandRow[] = [
  {
    name: 'mode',
    description: 'Show or change the permission mode',
    needs: [],
    during: 'run',
    screen: 'modes',
    subcommands: [
      { name: 'plan', description: 'Read only' },
      { name: 'default', description: 'Ask before files are changed and commands run' },
      { name: 'acceptEdits', description: 'Change files of the workspace without asking' },
      { name: 'bypassPermissions', description: 'Ask nothing' },
    ],
  },
  {
    name: 'plan',
    description: 'Show the approved plan, or plan a task in plan mode',
    argumentHint: '[TASK]',
    needs: [],
    during: 'run',
  },
  {
    name: 'goal',
    description: 'Work towards a goal that a command proves; alone, show it',
    argumentHint: '[TEXT [--check COMMAND] | clear]',
    needs: ['model'],
    during: 'idle',
    subcommands: [{ name: 'clear', description: 'Remove the goal' }],
  },
  {
    name: 'model',
    isCommon: true,
    description: 'List models, or switch to another one',
    argumentHint: '[model]',
    needs: [],
    during: 'run',
    screen: 'models',
    completes: true,
  },
  languageRow,
];

const context: readonly CommandRow[] = [
  {
    name: 'todo',
    aliases: ['todos'],
    description: 'Show the todo list of the model; on a screen, fold or unfold it',
    needs: [],
    during: 'run',
    screen: 'todos',
  },
  {
    name: 'context',
    description: 'Show and edit what fills the context window',
    needs: [],
    during: 'run',
    screen: 'context',
    subcommands: [
      { name: 'fold', argumentHint: 'N...', description: 'Replace outputs by a short placeholder' },
      { name: 'drop', argumentHint: 'N...', description: 'Remove outputs and their calls' },
      { name: 'restore', argumentHint: 'N...', description: 'Show the model the originals again' },
      { name: 'receipt', argumentHint: '[N]', description: 'Show what a compaction did', screen: 'receipt' },
    ],
  },
  {
    name: 'btw',
    description: 'Ask a side question, also during a run; it is not kept in the conversation',
    argumentHint: 'QUESTION',
    needs: ['model'],
    during: 'run',
  },
  {
    name: 'compact',
    isCommon: true,
    description: 'Replace the older part of the conversation with a summary',
    argumentHint: '[what to focus on]',
    needs: ['conversation', 'model'],
    during: 'idle',
  },
  {
    name: 'pin',
    description: 'Keep a text or message unchanged through every compaction; alone, list pins',
    argumentHint: '[TEXT | last | PLACE]',
    needs: ['conversation'],
    during: 'run',
  },
  {
    name: 'unpin',
    description: 'Remove a pin by its number in /pin',
    argumentHint: 'N',
    needs: ['conversation'],
    during: 'idle',
  },
  {
    name: 'recall',
    description: 'Restore what a compaction removed; without a number, list it',
    argumentHint: '[N | text]',
    needs: ['conversation'],
    during: 'idle',
    screen: 'recall',
  },
  {
    name: 'cost',
    description: 'Show tokens and cost of this session, by model and by prompt',
    needs: [],
    during: 'run',
    subcommands: [{ name: 'all', description: 'Show every prompt' }],
  },
  {
    name: 'usage',
    description: 'Show what this session and others used by model, project or tool, and cache breaks',
    needs: [],
    during: 'run',
    screen: 'usage',
  },
];

const tree: readonly CommandRow[] = [
  {
    name: 'tree',
    description: 'Show the branches of the session, label an entry, or continue from one',
    argumentHint: '[PLACE [--summarize [FOCUS]] | all | label PLACE TEXT]',
    needs: ['conversation'],
    during: 'idle',
    screen: 'tree',
    completes: true,
  },
  {
    name: 'undo',
    description: 'Take back the changes that the last prompt made to files',
    needs: ['conversation'],
    during: 'idle',
  },
  {
    name: 'rewind',
    description: 'List prompts with their changes, or go back to before one; "undo" reverts that',
    argumentHint: '[all | N [conversation|files|both] | undo]',
    needs: ['conversation'],
    during: 'idle',
    screen: 'rewind',
    completes: true,
  },
];

const review: readonly CommandRow[] = [
  {
    name: 'review',
    aliases: ['changes'],
    yields: true,
    description: 'Review changes: keep hunks, take them back, or send comments to the agent',
    argumentHint: '[REVISION | FROM..TO | worktree PATH]',
    needs: [],
    during: 'run',
    screen: 'review',
    hasScreenArguments: true,
    completes: true,
  },
  {
    name: 'diff',
    yields: true,
    description: 'Show the changes of this session, a git range or a worktree',
    argumentHint: '[REVISION | FROM..TO | worktree PATH]',
    needs: [],
    during: 'run',
    screen: 'diff',
    hasScreenArguments: true,
    completes: true,
  },
];

const config: readonly CommandRow[] = [
  configRow,
  permissionsRow,
  pluginRow,
  mcpRow,
  {
    name: 'add-dir',
    description: 'Let the agent work in another directory, for this session; alone, list them',
    argumentHint: '[DIR]',
    needs: [],
    during: 'idle',
  },
  {
    name: 'reload',
    aliases: ['reload-plugins'],
    description: 'Reload extensions, skills, commands, agents, plugins and instructions',
    needs: [],
    during: 'idle',
  },
];

/** `/tasks`. */
export const tasksRow: CommandRow = {
  name: 'tasks',
  aliases: ['background'],
  description: 'List background agents and commands; read, cancel or close one',
  needs: [],
  during: 'run',
  screen: 'tasks',
  completes: true,
  subcommands: [
    { name: 'list', description: 'List tasks' },
    { name: 'read', argumentHint: 'ID [OFFSET]', description: 'Show the output of a task' },
    { name: 'cancel', aliases: ['stop'], argumentHint: 'ID [REASON]', description: 'Cancel a task' },
    { name: 'close', argumentHint: 'ID', description: 'Remove a task from the list' },
  ],
};

const agents: readonly CommandRow[] = [
  {
    name: 'agent',
    description: 'Start agents in the background, and read, continue or stop them',
    argumentHint: '[AGENT] PROMPT | SUBCOMMAND …',
    needs: ['model'],
    during: 'run',
    screen: 'agents',
    completes: true,
    subcommands: [
      { name: 'list', description: 'List agents and the jobs they work on' },
      {
        name: 'run',
        argumentHint: '[--agent AGENT] [--model MODEL] [--isolation none|worktree] PROMPT',
        description: 'Start an agent',
      },
      {
        name: 'parallel',
        argumentHint: '[--detach] LABEL:"PROMPT" LABEL=AGENT:"PROMPT" …',
        description: 'Start several agents and wait for all of them',
      },
      { name: 'wait', argumentHint: 'GROUP_ID', description: 'Wait for a group or an agent' },
      { name: 'read', argumentHint: 'ID [OFFSET]', description: 'Show what an agent wrote' },
      { name: 'send', argumentHint: 'ID PROMPT', description: 'Send a prompt to an agent' },
      { name: 'stop', aliases: ['cancel'], argumentHint: 'ID [REASON]', description: 'Stop an agent' },
      { name: 'close', argumentHint: 'ID', description: 'Remove an agent from the list' },
      { name: 'open', argumentHint: 'ID', description: "Continue in an agent's conversation" },
    ],
  },
  tasksRow,
];

const project: readonly CommandRow[] = [
  {
    name: 'help',
    isCommon: true,
    description: 'List commands, or show the help of one',
    argumentHint: '[COMMAND]',
    needs: [],
    during: 'run',
    where: ['prompt', 'shell'],
    screen: 'help',
    completes: true,
  },
  {
    name: 'init',
    description: 'Write AGENTS.md from what is in the project',
    needs: ['model'],
    during: 'idle',
    subcommands: [{ name: 'update', description: 'Update an existing AGENTS.md' }],
  },
];

/** The commands of a session by topic; each topic is a file that is loaded when one of them runs. */
export const commandTopics = { project, session, model, context, tree, review, config, agents };

/** Commands of the terminal UI itself. */
export const terminalRows: readonly CommandRow[] = [
  {
    name: 'theme',
    description: 'Choose the colors',
    argumentHint: '[NAME]',
    needs: [],
    during: 'run',
    where: ['terminal'],
    screen: 'themes',
  },
  {
    name: 'copy',
    description: 'Copy the last block of code, or the last answer; N copies the N-th last block',
    argumentHint: '[N]',
    needs: [],
    during: 'run',
    where: ['terminal'],
    screen: 'copy',
  },
  {
    name: 'vim',
    description: 'Switch the keys of vim on or off, for this session',
    needs: [],
    during: 'run',
    where: ['terminal'],
    screen: 'vim',
  },
  {
    name: 'keys',
    description: 'Show all keys',
    needs: [],
    during: 'run',
    where: ['terminal'],
    screen: 'keys',
  },
];

/** Every command of the product that a user can type after a slash. */
export const promptRows: readonly CommandRow[] = [
  ...Object.values(commandTopics).flat(),
  skillsRow,
  ...terminalRows,
];

/** The row of a name or an alias. */
export function findCommandRow(name: string): CommandRow | undefined {
  return promptRows.find((row) => row.name === name || row.aliases?.includes(name));
}
