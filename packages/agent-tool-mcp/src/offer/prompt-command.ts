import { type Command, errorMessage, textOf } from '@robota-sdk/agent-core';
import type { McpPrompt } from '../contract/mcp-server-state.ts';
import { namePart } from '../contract/tool-name.ts';
import type { McpServers } from '../servers/mcp-servers.ts';

/** The name under which a prompt of a server is a command. */
export function promptCommandName(server: string, prompt: string): string {
  return `mcp__${namePart(server)}__${namePart(prompt)}`;
}

/** A server's prompt as a command; its arguments are given in their order, the last one takes what is left. */
export function promptCommand(servers: McpServers, server: string, prompt: McpPrompt): Command {
  const { name, description } = prompt;
  const hint = prompt.arguments
    .map((each) => (each.isRequired ? `<${each.name}>` : `[${each.name}]`))
    .join(' ');
  return {
    name: promptCommandName(server, name),
    description: `${description} (MCP server ${server})`,
    ...(hint === '' ? {} : { argumentHint: hint }),
    complete: async (prefix, { signal }) => {
      const words = wordsOf(prefix);
      const isNew = prefix === '' || /\s$/.test(prefix);
      const index = isNew ? words.length : words.length - 1;
      const argument = prompt.arguments[index];
      if (!argument || servers.state(server)?.status !== 'ready') return [];
      const wordStart = prefix.length - (isNew ? 0 : lastWordLength(prefix));
      const value = isNew ? '' : (words.at(-1) ?? '');
      const params = {
        ref: { type: 'ref/prompt' as const, name },
        argument: { name: argument.name, value },
        context: { arguments: argumentsOf(prompt, prefix.slice(0, wordStart)) },
      };
      const values = await servers.complete(server, params, { signal });
      return values.map(
        (each) => prefix.slice(0, wordStart) + (/\s/.test(each) ? JSON.stringify(each) : each),
      );
    },
    run: async (args, { signal }) => {
      const given = argumentsOf(prompt, args);
      const missing = prompt.arguments.filter((each) => each.isRequired && given[each.name] === undefined);
      if (missing.length > 0) {
        const names = missing.map((each) => each.name).join(', ');
        return {
          kind: 'error',
          text: `The prompt needs ${names}: /${promptCommandName(server, name)} ${hint}`,
        };
      }
      try {
        const content = await servers.getPrompt({ server, name, arguments: given }, { signal });
        const attachments = content.filter(({ type }) => type === 'image');
        return {
          kind: 'prompt',
          text: textOf(content),
          ...(attachments.length === 0 ? {} : { attachments }),
        };
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        return { kind: 'error', text: errorMessage(thrown) };
      }
    },
  };
}

function argumentsOf(prompt: McpPrompt, args: string): Record<string, string> {
  const words = wordsOf(args);
  const names = prompt.arguments.map(({ name }) => name);
  if (words.length > names.length && names.length > 0)
    words.splice(names.length - 1, words.length, words.slice(names.length - 1).join(' '));
  return Object.fromEntries(
    words.flatMap((word, index) => (names[index] === undefined ? [] : [[names[index], word]])),
  );
}

/** Words apart by blanks; quotes keep them together. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(wordPattern)].map(([, double, single, plain]) =>
    double === undefined ? (single ?? plain ?? '') : double.replaceAll(/\\(["\\])/g, '$1'),
  );
}

const wordPattern = /"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g;

function lastWordLength(text: string): number {
  return [...text.matchAll(wordPattern)].at(-1)?.[0].length ?? 0;
}
