// Adds the commits since the last tag to CHANGELOG.md. The commits come from a tool; the one file is all it may write.
import { execFileSync } from 'node:child_process';
import { query, tool } from '@robota-sdk/agent-sdk';
import { z } from 'zod';

const git = (...args: string[]) => execFileSync('git', args, { cwd: 'app', encoding: 'utf8' }).trim();

const commits = tool({
  name: 'Commits',
  description: 'Returns the subjects of the commits since the last tag, oldest first.',
  input: z.object({}),
  readOnly: true,
  execute: () => git('log', '--reverse', '--format=- %s', `${git('describe', '--tags', '--abbrev=0')}..HEAD`),
});

const { status, text } = await query(
  'Add a section "Unreleased" to CHANGELOG.md: what users notice of the commits since the last tag, one line each.',
  {
    cwd: 'app',
    tools: [commits],
    permissions: { allow: ['Write(CHANGELOG.md)', 'Edit(CHANGELOG.md)'], deny: ['Bash'] },
    maxTurns: 8,
  },
).result;
console.log(status, text);
