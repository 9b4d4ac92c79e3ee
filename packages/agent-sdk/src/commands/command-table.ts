import { configRow, mcpRow, pluginRow } from '@robota-sdk/agent-admin';
import type { CommandRow } from '@robota-sdk/agent-config';
import { skillsRow } from '@robota-sdk/agent-resources';
import { permissionsRow } from '../permissions/permissions-row.ts';

const session: readonly CommandRow[] = [
  {
    name: 'new',
    isCommon: true,
    description: 'Start a new session',
    needs: [],
    during: 'idle',
  },
  {
    name: 'resume',
    isCommon: true,
    description: 'Resume another session by ID, name or text, or choose one',
    argumentHint: '[ID | NAME | text]',
    needs: [],
    during: 'idle',
    screen: 'sessions',
    completes: true,
  },
  {
    name: 'fork',
    description: 'Continue in a copy of this session, from here or from an earlier prompt',
    argumentHint: '[PLACE]',
    needs: ['conversation'],
    during: 'idle',
    completes: true,
  },
  {
    name: 'clear',
    description: 'Clear the conversation; /tree still has the old one',
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
    description: 'Export the session as .html (a self-contained page), .md or .jsonl',
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

/** `/language`; accepts any other language too. */
export const languageRow: CommandRow = {
  name: 'language',
  description: 'Show or set the language of answers',
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
    { name: 'auto', description: 'Language of the question' },
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
      { name: 'default', description: 'Ask before changing files and running commands' },
      { name: 'acceptEdits', description: 'Edit files in the workspace without asking' },
      { name: 'bypassPermissions', description: 'Never ask' },
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
    description: 'Show or set a goal, checked by a command',
    argumentHint: '[TEXT [--check COMMAND] | clear]',
    needs: ['model'],
    during: 'idle',
    subcommands: [{ name: 'clear', description: 'Remove the goal' }],
  },
  {
    name: 'model',
    isCommon: true,
    description: 'Show or switch the model',
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
    description: 'Show or hide the todo list',
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
      { name: 'fold', argumentHint: 'N...', description: 'Replace outputs with a placeholder' },
      { name: 'drop', argumentHint: 'N...', description: 'Remove outputs and their calls' },
      { name: 'restore', argumentHint: 'N...', description: 'Restore the originals' },
      { name: 'receipt', argumentHint: '[N]', description: 'Show what a compaction did', screen: 'receipt' },
    ],
  },
  {
    name: 'btw',
    description: 'Ask a side question without adding it to the conversation',
    argumentHint: 'QUESTION',
    needs: ['model'],
    during: 'run',
  },
  {
    name: 'compact',
    isCommon: true,
    description: 'Summarize the older part of the conversation',
    argumentHint: '[what to focus on]',
    needs: ['conversation', 'model'],
    during: 'idle',
  },
  {
    name: 'pin',
    description: 'List pins, or keep a text or message through every compaction',
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
    description: 'List or restore messages that a compaction removed',
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
    description: 'Show usage by model, project and tool, and cache breaks',
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
    description: 'Revert the file changes of the last prompt',
    needs: ['conversation'],
    during: 'idle',
  },
  {
    name: 'rewind',
    description: 'Rewind conversation and files to before a prompt; "undo" takes that back',
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
    description: 'Review changes: keep or take back hunks, or send comments to the agent',
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
    description: 'List or add working directories of this session',
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
  description: 'List, read, cancel or close background agents and commands',
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
    description: 'Start, read, continue or stop background agents',
    argumentHint: '[AGENT] PROMPT | SUBCOMMAND …',
    needs: ['model'],
    during: 'run',
    screen: 'agents',
    completes: true,
    subcommands: [
      { name: 'list', description: 'List agents and their jobs' },
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
      { name: 'read', argumentHint: 'ID [OFFSET]', description: 'Show the output of an agent' },
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
    description: 'Create AGENTS.md for this project',
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
    description: 'Choose the color theme',
    argumentHint: '[NAME]',
    needs: [],
    during: 'run',
    where: ['terminal'],
    screen: 'themes',
  },
  {
    name: 'copy',
    description: 'Copy the last code block or answer; N copies the N-th last block',
    argumentHint: '[N]',
    needs: [],
    during: 'run',
    where: ['terminal'],
    screen: 'copy',
  },
  {
    name: 'vim',
    description: 'Toggle vim mode for this session',
    needs: [],
    during: 'run',
    where: ['terminal'],
    screen: 'vim',
  },
  {
    name: 'keys',
    description: 'Show keyboard shortcuts',
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
