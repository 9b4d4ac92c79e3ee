#!/usr/bin/env node
import { version } from './version.ts';

const [first, second] = process.argv.slice(2);

// Answered before anything else is loaded: these two are asked by scripts all day.
if (second === undefined && (first === '--version' || first === '-V')) {
  process.stdout.write(`${version}\n`);
} else if (second === undefined && (first === '--help' || first === '-h')) {
  const { helpText } = await import('./help.ts');
  process.stdout.write(helpText());
} else {
  const { runCommand } = await import('./run-command.ts');
  await runCommand(process.argv.slice(2));
}
