import {
  AgentError,
  createRedactor,
  type ListedSession,
  readOptions,
  requireSession,
  type SessionHandle,
  type SessionStorePort,
} from '@robota-sdk/agent-sdk/front-end';
import { optionsOf } from '../arguments/row-options.ts';
import { branchesAt, describeHead, describeLine, unansweredCalls } from './describe-entry.ts';
import { commandDirectory } from './session-arguments.ts';
import { sessionOutput } from './session-output.ts';
import { sessionSource } from './session-source.ts';

interface View {
  readonly json: boolean;
  /** Nothing is shortened. */
  readonly full: boolean;
}

/** `robota sessions show`: a session to read; with `--follow` also what another process adds to it. */
export async function showCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, optionsOf('sessions', 'show'));
  const [reference, other] = options.words;
  if (reference === undefined)
    throw new AgentError('usage', 'Missing session.', {
      hint: { text: 'List them with', run: ['sessions', 'list'] },
    });
  if (other !== undefined)
    throw new AgentError(
      'usage',
      `robota sessions show takes one session. Put words in quotes: "${options.words.join(' ')}".`,
    );
  const { catalogue, store } = await sessionSource(options);
  const session = await requireSession(reference, catalogue, {
    cwd: commandDirectory(options),
    all: options.has('all'),
  });
  const view = { json: options.has('json'), full: options.has('full') };
  if (options.has('follow')) return follow(session, store, view);
  const handle = await store.open(session.path, { mode: 'read' });
  return view.json ? showAsJson(session, handle) : showActiveBranch(session, handle, view);
}

async function showActiveBranch(session: ListedSession, handle: SessionHandle, view: View): Promise<number> {
  const { stdout, note } = sessionOutput();
  const branches = branchesAt(handle);
  const lost = unansweredCalls(entriesOn(handle));
  await stdout.write(stdout.clean(describeHead(session, { branches: branches.count })));
  const atRoot = branches.below(null);
  if (atRoot !== undefined) await stdout.write(`${atRoot}\n\n`);
  for (const id of handle.pathIds()) {
    if (stdout.closed.aborted) return 0;
    const entry = handle.entry(id);
    if (!entry) continue;
    const text = describeLine(entry, view);
    const label = handle.labels.get(entry.id);
    const parts = [
      text,
      lost.get(entry.id),
      label === undefined ? undefined : `[${label}]`,
      branches.below(entry.id),
    ];
    const lines = parts.filter((part) => part !== undefined).join('\n');
    if (lines !== '') await stdout.write(stdout.clean(`${lines}\n\n`));
  }
  for (const { message } of handle.problems) await note(message);
  return 0;
}

/** The active branch, of which one entry at a time is in memory. */
function* entriesOn(handle: SessionHandle) {
  for (const id of handle.pathIds()) {
    const entry = handle.entry(id);
    if (entry) yield entry;
  }
}

async function showAsJson(session: ListedSession, handle: SessionHandle): Promise<number> {
  const { stdout } = sessionOutput();
  const redact = createRedactor();
  const active = new Set(handle.pathIds());
  const labels = Object.fromEntries(handle.labels);
  const head = JSON.stringify(redact({ ...session, labels, problems: handle.problems }));
  // All of a large session is more than one string can hold.
  await stdout.write(`${head.slice(0, -1)},"entries":[`);
  let separator = '';
  for (const entry of handle.entries()) {
    if (stdout.closed.aborted) return 0;
    await stdout.write(separator + JSON.stringify(redact({ ...entry, active: active.has(entry.id) })));
    separator = ',';
  }
  await stdout.write(']}\n');
  return 0;
}

/** In the order of the file: which branch is the active one is not known before the end. */
async function follow(session: ListedSession, store: SessionStorePort, view: View): Promise<number> {
  const { stdout } = sessionOutput();
  const redact = createRedactor();
  if (!view.json) await stdout.write(stdout.clean(describeHead(session, {})));
  for await (const line of store.follow(session.path, { signal: stdout.closed })) {
    if (line.kind !== 'entry') continue;
    const text = view.json ? JSON.stringify(redact(line.entry)) : describeLine(line.entry, view);
    if (text === undefined) continue;
    await stdout.write(view.json ? `${text}\n` : stdout.clean(`${text}\n\n`));
  }
  return 0;
}
