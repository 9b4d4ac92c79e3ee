import { readdirSync, readFileSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createRedactor } from '@robota-sdk/agent-core';
import { AppTheme, drawSession } from '@robota-sdk/agent-screen';
import { ItemReducer, JsonlSessionStore, type SessionHandle } from '@robota-sdk/agent-sessions';
import { detectCapabilities } from '@robota-sdk/agent-tui';
import type { GoldenTools, Section } from '../tools.ts';

/** In Unix seconds. */
const lastUse = 1_740_000_000;
const kept = { durations: 'kept' } as const;

/** Sessions whose commands are recorded in every form; the others are shown once. */
const eloquent = ['robota-0.1.0/calls', 'robota-0.1.0/rewound', 'pi/version-3'];

/**
 * Session files of every age, whole and damaged: the items that they show, the messages that a model gets, the screen's
 * lines, and what the commands on sessions print.
 */
export const section: Section = {
  name: 'sessions',
  async record(language, tools) {
    const recorded: Record<string, string> = {};
    const { folder, names } = await sessionFixtures(tools);
    // Commands take long, and what they print hardly depends on the language.
    const shown = language === 'en' ? names : eloquent;
    const fileOf = (name: string) => join(folder, `${name}.jsonl`);
    for (const name of names)
      Object.assign(recorded, await readInProcess({ name, file: fileOf(name) }, tools));
    await Promise.all([
      ...shown.map(async (name) => {
        const outcome = await tools.run(['sessions', 'show', fileOf(name)]);
        recorded[`${name}/show.txt`] = tools.transcript(outcome, kept);
      }),
      ...(language === 'en' ? eloquent : []).flatMap((name) =>
        Object.entries({ full: ['--full'], json: ['--json'] }).map(async ([form, options]) => {
          const outcome = await tools.run(['sessions', 'show', fileOf(name), ...options]);
          recorded[`${name}/show-${form}.txt`] = tools.transcript(outcome, kept);
        }),
      ),
      ...(language === 'en' ? [listStored(recorded, { folder, names, tools })] : []),
    ]);
    return recorded;
  },
};

/** Copies of the session files whose times are fixed, with their names as `folder/name`. */
export async function sessionFixtures(tools: GoldenTools) {
  const root = join(tools.fixtures, 'sessions');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.jsonl'),
  );
  const folder = await tools.folder(
    Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file))])),
  );
  await Promise.all(files.map((file) => utimes(join(folder, file), lastUse, lastUse)));
  return { folder, names: files.map((file) => file.slice(0, -'.jsonl'.length)).sort() };
}

async function readInProcess(
  { name, file }: { readonly name: string; readonly file: string },
  tools: GoldenTools,
): Promise<Record<string, string>> {
  const store = new JsonlSessionStore({ home: await tools.home() });
  let handle: SessionHandle;
  try {
    handle = await store.open(file, { mode: 'read' });
  } catch (error) {
    return { [`${name}/items.json`]: tools.normalise(`${error}\n`) };
  }
  const text = (value: unknown) => tools.normalise(`${JSON.stringify(value, null, 1)}\n`, kept);
  const { header, problems, labels, leafId, name: title } = handle;
  const items = itemsOf(handle);
  const facts = { header, title, leafId, labels: [...labels], problems, foreign: handle.foreignLines };
  const recorded = {
    [`${name}/items.json`]: text({ ...facts, items }),
    [`${name}/model.json`]: text(handle.messages()),
    [`${name}/screen.txt`]: tools.normalise(await screenOf(handle), kept),
  };
  await handle.close();
  return recorded;
}

function itemsOf(handle: SessionHandle) {
  const reducer = new ItemReducer();
  for (const entry of handle.path()) reducer.apply({ entry });
  return reducer.items;
}

/** The transcript as the screen draws it, at two widths and without colours. */
async function screenOf(handle: SessionHandle): Promise<string> {
  const quiet = () => {};
  const capabilities = {
    ...detectCapabilities({ TERM: 'xterm', LANG: 'C.UTF-8' }),
    colours: 'none',
    hasLinks: false,
  } as const;
  const theme = new AppTheme({ capabilities, folders: [], onChange: quiet, onProblem: quiet });
  const store = {
    async *follow() {
      yield { kind: 'header', header: handle.header } as const;
      for (const entry of handle.path()) yield { kind: 'entry', entry } as const;
    },
  };
  const redact = createRedactor();
  const { signal } = new AbortController();
  const options = {
    look: theme.look,
    signal,
    home: '/home/ada',
    redact: (text: string) => redact(text) as string,
  };
  const parts: ((columns: number) => readonly string[])[] = [];
  // Only followed, never opened or listed.
  for await (const part of drawSession(store as unknown as JsonlSessionStore, '', options)) parts.push(part);
  theme.close();
  const widths = [100, 50].map((columns) => {
    const lines = parts.flatMap((lines) => lines(columns));
    return `── ${columns} columns\n${lines.join('\n')}\n`;
  });
  return widths.join('');
}

/** Sessions in a home: their lists, searches and trees. */
async function listStored(
  recorded: Record<string, string>,
  {
    folder,
    names,
    tools,
  }: { readonly folder: string; readonly names: readonly string[]; readonly tools: GoldenTools },
): Promise<void> {
  const stored = names.filter((name) => !name.startsWith('damaged/') && name !== 'pi/version-4');
  const place = (name: string) => `.robota/sessions/shop-000000000000/${basename(name)}/session.jsonl`;
  const files = stored.map(
    (name) => [place(name), readFileSync(join(folder, `${name}.jsonl`), 'utf8')] as const,
  );
  const home = await tools.home({ ...Object.fromEntries(files), '.robota/settings.json': {} });
  await Promise.all(
    stored.map((name, index) => utimes(join(home, place(name)), lastUse, lastUse + 60 * index)),
  );
  const model = ['--model', 'offline', '-p'];
  const commands: Readonly<Record<string, readonly string[]>> = {
    'list-here': ['sessions', 'list'],
    'list-all': ['sessions', 'list', '--all'],
    'list-json': ['sessions', 'list', '--all', '--json'],
    'list-limited': ['sessions', 'list', '--all', '--limit', '2'],
    search: ['sessions', 'search', 'price', '--all'],
    'search-json': ['sessions', 'search', 'price', '--all', '--json', '--role', 'tool'],
    'search-nothing': ['sessions', 'search', 'no such words', '--all'],
    'show-unknown': ['sessions', 'show', 'nothing-like-it'],
    'show-ambiguous': ['sessions', 'show', '0', '--all'],
    usage: ['usage', '--json'],
    'usage-table': ['usage'],
    'usage-models': ['usage', '--by', 'model', '--csv'],
  };
  const asked = stored
    .filter((name) => name.startsWith('robota') || name === 'pi/version-3')
    .map(
      (name) =>
        [`tree-${basename(name)}`, ['--session', join(home, place(name)), ...model, '/tree all']] as const,
    );
  for (const [name, args] of [...Object.entries(commands), ...asked]) {
    // Each after the other: a command may write into the home.
    recorded[`stored/${name}.txt`] = tools.transcript(await tools.run(args, { home, cwd: home }), kept);
  }
}
