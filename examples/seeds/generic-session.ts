// The generic session: tools, provider, system message and terminal are given to it.
import { createAnthropicProvider } from '@robota-sdk/agent-provider-anthropic';
import { noTerminalOutput as terminal } from '@robota-sdk/agent-sdk/compat';
import { Session } from '@robota-sdk/agent-sessions';
import { bashTool, readTool, writeTool } from '@robota-sdk/agent-tools';

const tools = [bashTool, readTool, writeTool];
const provider = createAnthropicProvider({
  vendor: 'anthropic',
  baseUrl: process.env.ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com',
  apiKey: process.env.ANTHROPIC_API_KEY ?? '',
});
const systemMessage = 'You are terse.';

const session = new Session({ tools, provider, systemMessage, terminal });
const response = await session.run('Hello');
console.log(response, session.getContextState().usedTokens > 0);
await session.close();
