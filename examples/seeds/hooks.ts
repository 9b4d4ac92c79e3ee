// Hooks outside a session, with the executors for prompt and agent hooks.
import { loadConfig, loadContext } from '@robota-sdk/agent-sdk';
import { AgentExecutor, PromptExecutor, runHooks } from '@robota-sdk/agent-sdk/compat';

const cwd = process.cwd();
const [config, context] = await Promise.all([loadConfig(cwd), loadContext(cwd)]);
const executors = { prompt: new PromptExecutor(), agent: new AgentExecutor({ config, context }) };
const hooks = {
  PreToolUse: [
    { matcher: 'Bash', hooks: [{ type: 'command', command: 'echo "no shell" >&2; exit 2' }] },
    { matcher: 'Write', hooks: [{ type: 'agent', prompt: 'May this file be written?' }] },
  ],
  SessionStart: [{ hooks: [{ type: 'prompt', prompt: 'Answer in rhymes.' }] }],
};

const shell = await runHooks(hooks, { event: 'PreToolUse', input: { tool_name: 'Bash' }, executors });
console.log(shell.blocked, shell.reason);
const write = await runHooks(hooks, { event: 'PreToolUse', input: { tool_name: 'Write' }, executors });
console.log(write.blocked);
const start = await runHooks(hooks, { event: 'SessionStart', executors });
console.log(start.context);
