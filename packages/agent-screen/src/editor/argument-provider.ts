import { type InteractiveSession, readInput } from '@robota-sdk/agent-sdk/front-end';
import type { AutocompleteProvider, Completion } from '@robota-sdk/agent-tui';

/** A command that takes one word, or one of several, is sent once that is chosen. */
const oneWordHint = /^\[[^\s\]]+(?: \| [^\s\]]+)*\]$/;
/** So many suggestions are looked at for what may follow them. */
const lookedAhead = 30;
const typingRestMs = 30;

/** Completes what commands take, asked of the command itself. */
export function argumentProvider(session: () => InteractiveSession | undefined): AutocompleteProvider {
  return {
    delayMs: typingRestMs,
    find: ({ before, after, line }) => {
      const current = session();
      if (!current || line !== 0) return undefined;
      const input = readInput(current, before);
      if (input.kind !== 'command' || !input.command?.complete) return undefined;
      const { name, command } = input;
      const afterName = before.slice(before.indexOf('/') + name.length + 1);
      const query = afterName.trimStart();
      const start = before.length - query.length;
      if (query === afterName || /(?:^|\s)@\S*$/.test(query)) return undefined;
      const rest = /^\S*/.exec(after)?.[0].length ?? 0;
      // A menu of subcommands preselects the first that fits; anything else is sent as it was typed.
      const hasMenu = (command.subcommands ?? []).length > 0;
      const isOptional = query === '' && (command.argumentHint ?? '[').startsWith('[');
      return { start, end: before.length + rest, query, name, mayStay: !hasMenu || isOptional } as const;
    },
    complete: async (token, signal) => {
      const current = session();
      const name = 'name' in token ? String(token.name) : '';
      return current ? completionsOf(current, { name, typed: token.query, signal }) : [];
    },
  };
}

interface ArgumentRequest {
  readonly name: string;
  readonly typed: string;
  readonly signal: AbortSignal;
}

async function completionsOf(
  session: InteractiveSession,
  { name, typed, signal }: ArgumentRequest,
): Promise<readonly Completion[]> {
  const { completeCommand, windowText } = await import('@robota-sdk/agent-sdk/front-end');
  const lead = `/${name} `;
  const lines = await completeCommand(session, lead + typed, signal);
  const isOneWord = oneWordHint.test(session.findCommand(name)?.argumentHint ?? '');
  const goesOn = async (line: string) => {
    const longer = await completeCommand(session, `${line} `, signal);
    return longer.some((each) => each.startsWith(`${line} `) && each.length > line.length + 1);
  };
  const models = name === 'model' ? session.listModels() : [];
  const names = new Map(
    models.map((model) => [
      `${model.vendor}/${model.id}`,
      `${model.name} (${windowText(model.contextWindow)})`,
    ]),
  );
  const shownFrom = typed.lastIndexOf(' ') + 1;
  return Promise.all(
    lines.map(async (line, index): Promise<Completion> => {
      const value = line.slice(lead.length);
      const label = value.slice(shownFrom);
      const description = names.get(value);
      const described = description === undefined ? {} : { description };
      if (isOneWord) return { value, label, ...described, next: 'submit' };
      const isOpen = index < lookedAhead && !signal.aborted && (await goesOn(line));
      return { value, label, next: isOpen ? 'open' : 'end' };
    }),
  );
}
