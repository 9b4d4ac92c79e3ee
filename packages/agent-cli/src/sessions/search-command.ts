import {
  AgentError,
  didYouMean,
  type FoundSession,
  localTime,
  pluralize,
  type ReadOptions,
  readOptions,
  type SearchRole,
  type Snippet,
  sessionLabel,
  shortIds,
} from '@robota-sdk/agent-sdk/front-end';
import type { Output } from '@robota-sdk/agent-transport-headless';
import { filterEscapes } from '@robota-sdk/agent-tui';
import { optionsOf } from '../arguments/row-options.ts';
import { limitOf, scopeOf, sinceOf } from './session-arguments.ts';
import { sessionOutput } from './session-output.ts';
import { sessionSource } from './session-source.ts';

const usualLimit = 20;
const roles: readonly SearchRole[] = ['user', 'assistant', 'tool'];

/** `robota sessions search`: the sessions that have all words, best first, with the places that do. */
export async function searchCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, optionsOf('sessions', 'search'));
  const query = options.words.join(' ');
  if (query.replace(/["“”\s]/g, '') === '')
    throw new AgentError('usage', 'Missing search words.', {
      hint: { text: 'For example', run: ['sessions', 'search', 'login', 'error'] },
    });
  const scope = scopeOf(options);
  const { catalogue } = await sessionSource(options);
  const findings = await catalogue.search({ query, ...scope, ...filterOf(options) });
  const { found, matched, complete, elsewhere, unreadable } = findings;
  const { stdout, note } = sessionOutput();
  if (options.has('json')) {
    await stdout.write(`${JSON.stringify({ query, found, matched, complete, elsewhere, unreadable })}\n`);
    return 0;
  }
  const shorts = shortIds((await catalogue.paths()).map(({ id }) => id));
  for (const one of found) {
    if (stdout.closed.aborted) return 0;
    const id = shorts.get(one.session.id) ?? '';
    await stdout.write(describe(one, { id, stdout, directory: scope.cwd === undefined }));
  }
  if (matched === 0)
    await note(`No session${scope.cwd === undefined ? '' : ` of ${scope.cwd}`} contains all of these words.`);
  if (found.length < matched)
    await note(
      `The best ${found.length} of ${complete ? '' : 'more than '}${matched} are shown; --limit 0 shows all.`,
    );
  await note.hidden({ elsewhere, unreadable });
  return 0;
}

function filterOf(options: ReadOptions) {
  const role = options.value('role');
  const tool = options.value('tool');
  const since = sinceOf(options);
  const limit = limitOf(options, usualLimit);
  return {
    ...(role === undefined ? {} : { role: roleOf(role) }),
    ...(tool === undefined ? {} : { tool }),
    ...(since === undefined ? {} : { since }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function roleOf(text: string): SearchRole {
  const role = roles.find((one) => one === text);
  if (role) return role;
  const hint = didYouMean(text, roles);
  throw new AgentError('usage', `--role ${text}: choose one of ${roles.join(', ')}.`, { hint });
}

interface View {
  readonly id: string;
  readonly stdout: Output;
  readonly directory: boolean;
}

function describe({ session, hits, snippets }: FoundSession, { id, stdout, directory }: View): string {
  const head = [
    id,
    localTime(Date.parse(session.modified)),
    pluralize(hits, 'hit'),
    sessionLabel(session),
    ...(directory ? [session.cwd] : []),
  ].join('  ');
  const places = snippets.map((snippet) => `    ${sourceOf(snippet)}: ${marked(snippet, stdout)}\n`);
  return `${visible(head)}\n${places.join('')}`;
}

function sourceOf({ kind, tool }: Snippet): string {
  if (tool !== undefined) return visible(`${tool} ${kind}`);
  return kind === 'prompt' ? 'you' : kind;
}

function marked({ text, marks }: Snippet, { colour }: Output): string {
  const [open, close] = colour ? ['\u001b[1;33m', '\u001b[0m'] : ['«', '»'];
  let line = '';
  let at = 0;
  for (const [start, end] of marks) {
    line += `${visible(text.slice(at, start))}${open}${visible(text.slice(start, end))}${close}`;
    at = end;
  }
  return line + visible(text.slice(at));
}

function visible(text: string): string {
  return filterEscapes(text, { sequences: 'show' });
}
