// Reviews the changes of a branch and prints annotations for GitHub Actions. It can read and run git, nothing else.
import { execFileSync } from 'node:child_process';
import { query } from '@robota-sdk/agent-sdk';
import { z } from 'zod';

const base = process.env.BASE ?? 'HEAD~1';
const diff = execFileSync('git', ['diff', '--unified=5', base], { cwd: 'app', encoding: 'utf8' });

const Review = z.object({
  defects: z.array(
    z.object({
      path: z.string(),
      line: z.number().int(),
      severity: z.enum(['error', 'warning']),
      message: z.string(),
    }),
  ),
});

const { defects } = await query(
  `Review this change. Name defects that a user would notice; say nothing about style.\n\n${diff}`,
  {
    cwd: 'app',
    permissionMode: 'plan',
    permissions: { allow: ['Bash(git log *)', 'Bash(git show *)'] },
    maxCost: 0.5,
    output: Review,
  },
);
for (const { path, line, severity, message } of defects) {
  console.log(`::${severity} file=${path},line=${line}::${message.replaceAll('\n', ' ')}`);
}
process.exitCode = defects.some(({ severity }) => severity === 'error') ? 1 : 0;
