import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withStaging } from '@robota-sdk/agent-config';
import { AgentError, makeDirectories } from '@robota-sdk/agent-core';
import { requireName } from '@robota-sdk/agent-resources';
import {
  type PluginAnswer,
  type PluginRequest,
  type PluginRequestServices,
  requiredWord,
} from '../request/plugin-request.ts';

/** `plugin new NAME`: a small plugin that works, to begin with. */
export async function scaffoldPlugin(
  request: PluginRequest,
  { cwd }: PluginRequestServices,
): Promise<PluginAnswer> {
  const name = requireName(requiredWord(request, 'new NAME'), 'plugin');
  const target = join(cwd, name);
  if (existsSync(target)) throw new AgentError('usage', `${target} already exists; nothing was written.`);
  const files = filesOf(name);
  await withStaging(cwd, async (staging) => {
    const folder = join(staging, name);
    for (const [path, { text, mode = 0o644 }] of Object.entries(files)) {
      makeDirectories(dirname(join(folder, path)));
      await writeFile(join(folder, path), text, { mode });
    }
    await rename(folder, target);
  });
  const next = [`{robota}plugin validate ./${name}`, `{robota}plugin install ./${name}`].join('\n  ');
  return {
    isOk: true,
    text: `Created the plugin ${name} in ${target}. Next:\n  ${next}`,
    data: { path: target, files: Object.keys(files) },
  };
}

interface ScaffoldFile {
  readonly text: string;
  readonly mode?: number;
}

function filesOf(name: string): Readonly<Record<string, ScaffoldFile>> {
  return {
    '.claude-plugin/plugin.json': {
      text: json({
        name,
        version: '0.1.0',
        description: `What ${name} is for.`,
        author: { name: 'Your name' },
        keywords: [],
      }),
    },
    'skills/explain-change/SKILL.md': { text: skill },
    'commands/hello.md': { text: command },
    'agents/reviewer.md': { text: agent },
    'hooks/hooks.json': {
      text: json({ hooks: { PostToolUse: [{ matcher: 'Edit|Write', hooks: [hook] }] } }),
    },
    'scripts/after-edit.sh': { text: script, mode: 0o755 },
    'README.md': { text: readme(name) },
  };
}

const skill = `---
name: explain-change
description: Explains a change of the code to a reader who has not seen it. Use it when asked what a change does.
---

Read the change, then tell in three sentences what it does, why, and what could break.
`;

const command = `---
description: Greets a user
argument-hint: [name]
---

Greet $ARGUMENTS in one line.
`;

const agent = `---
name: reviewer
description: Reads a change and finds mistakes in it. Changes nothing.
tools: Read, Grep, Glob
---

You look for mistakes in the change you are given. List each with file and line, the worst first.
`;

const hook = { type: 'command', command: `"\${CLAUDE_PLUGIN_ROOT}/scripts/after-edit.sh"`, timeout: 10 };

const script = `#!/bin/sh
# Gets the call as JSON on standard input. Exit code 2 gives the model what stands on standard error.
exit 0
`;

function readme(name: string): string {
  return `# ${name}

What ${name} is for.

| part | what it does |
|---|---|
| \`skills/explain-change\` | explains a change |
| \`commands/hello.md\` | \`/${name}:hello\` greets a user |
| \`agents/reviewer.md\` | finds mistakes |
| \`hooks/hooks.json\` | runs \`scripts/after-edit.sh\` after each edit |

Check it with \`robota plugin validate .\`, install it with \`robota plugin install ./${name}\`.
`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
