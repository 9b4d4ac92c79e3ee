import { AgentError } from '@robota-sdk/agent-sdk/front-end';

/** Fails for words behind a command that takes none: a prompt may begin with the same word. */
export function refusePrompt(command: string, words: readonly string[]): void {
  const [word = '-'] = words;
  if (word.startsWith('-')) return;
  throw new AgentError('usage', `robota ${command} takes no "${word}".`, {
    hint: { text: 'Put a prompt in quotes', run: [`${command} ${words.join(' ')}`] },
  });
}
