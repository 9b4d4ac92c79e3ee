import { isJsonObject, type JsonObject, type JsonValue, type toOwnCall } from '@robota-sdk/agent-core';

type Aliases = Parameters<typeof toOwnCall>[0];

/** The tools of Codex. `apply_patch` and `write_stdin` have no counterpart. */
export const codexTools: Aliases = {
  shell: { name: 'Bash', convert: shellCall },
  'container.exec': { name: 'Bash', convert: shellCall },
  shell_command: { name: 'Bash', names: { timeout_ms: 'timeout' } },
  exec_command: { name: 'Bash', names: { cmd: 'command' } },
  view_image: { name: 'Read', names: { path: 'file_path' } },
  update_plan: { name: 'TodoWrite', convert: ({ plan }) => todosOf(plan, 'step') },
};

/** The tools of Gemini CLI. */
export const geminiTools: Aliases = {
  read_file: { name: 'Read', names: { absolute_path: 'file_path' }, convert: fromFirstLine },
  write_file: { name: 'Write' },
  replace: { name: 'Edit' },
  run_shell_command: { name: 'Bash' },
  search_file_content: { name: 'Grep', names: { include: 'glob', dir_path: 'path' } },
  grep_search: { name: 'Grep', names: { include: 'glob', include_pattern: 'glob', dir_path: 'path' } },
  glob: { name: 'Glob', names: { dir_path: 'path' } },
  write_todos: { name: 'TodoWrite', convert: ({ todos }) => todosOf(todos, 'description') },
};

/** The tools of opencode. */
export const opencodeTools: Aliases = {
  read: { name: 'Read', names: { filePath: 'file_path' }, convert: fromFirstLine },
  write: { name: 'Write', names: { filePath: 'file_path' } },
  edit: {
    name: 'Edit',
    names: {
      filePath: 'file_path',
      oldString: 'old_string',
      newString: 'new_string',
      replaceAll: 'replace_all',
    },
  },
  bash: { name: 'Bash' },
  grep: { name: 'Grep', names: { include: 'glob' } },
  glob: { name: 'Glob' },
  webfetch: { name: 'WebFetch' },
  task: { name: 'Agent' },
  todowrite: { name: 'TodoWrite', convert: ({ todos }) => todosOf(todos, 'content') },
};

/** Codex gives a list of words; those of a shell hold the line that it runs. */
function shellCall({ command, timeout_ms: timeout, ...rest }: JsonObject): JsonObject | undefined {
  const words = Array.isArray(command) ? command.map(String) : undefined;
  if (words === undefined) return undefined;
  const isShell = words.length === 3 && /^(?:.*\/)?(?:ba|z|da)?sh$/.test(words[0] ?? '');
  const line = isShell && /^-l?c$/.test(words[1] ?? '') ? (words[2] ?? '') : words.map(quoted).join(' ');
  return { command: line, ...(timeout === undefined ? {} : { timeout }), ...rest };
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** They count the lines to pass over; we name the first line to read. */
function fromFirstLine({ offset, ...rest }: JsonObject): JsonObject {
  return typeof offset === 'number' ? { ...rest, offset: offset + 1 } : rest;
}

const states: ReadonlySet<unknown> = new Set(['pending', 'in_progress', 'completed']);

function todosOf(items: JsonValue | undefined, field: string): JsonObject | undefined {
  if (!Array.isArray(items)) return undefined;
  const todos = items.filter(isJsonObject).map((item: JsonObject) => ({
    content: String(item[field] ?? ''),
    status: states.has(item.status) ? String(item.status) : 'completed',
  }));
  return { todos };
}
