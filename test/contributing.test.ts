import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainSetting } from '@robota-sdk/agent-admin';
import { optionTable, parseKey, type SettingRow, settingsSchema } from '@robota-sdk/agent-config';
import * as core from '@robota-sdk/agent-core';
import { loadConfig } from '@robota-sdk/agent-resources';
import { createInteractiveSession } from '@robota-sdk/agent-sdk/compat';
import { expect, it, vi } from 'vitest';
import { parseArguments } from '../packages/agent-cli/src/arguments/args.ts';
import { helpText } from '../packages/agent-cli/src/arguments/help.ts';
import { sessionOptions } from '../packages/agent-cli/src/arguments/session-options.ts';
import { checkClientOptions } from '../packages/agent-sdk/src/client/check-client-options.ts';
import { commandLineSettings } from '../packages/agent-sdk/src/settings/command-line-settings.ts';

/** The row that CONTRIBUTING.md adds to the option table. */
const example = vi.hoisted(() => {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const [, row = ''] = /table\.ts`:\n\n```ts\n([^`]+)```/.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? [];
  return row;
});

vi.mock('../packages/agent-config/src/options/table.ts', async (original) => {
  const shapes = await import('@robota-sdk/agent-core');
  const { optionTable } = await original<{ optionTable: object }>();
  const added = new Function(...Object.keys(shapes), `return {${example}}`)(...Object.values(shapes));
  return { optionTable: { ...optionTable, ...added } };
});

const row = (optionTable as Readonly<Record<string, SettingRow>>).maxMentions;

async function makePlace(settings: object) {
  const home = await mkdtemp(join(tmpdir(), 'contributing-'));
  const cwd = join(home, 'project');
  await mkdir(join(home, '.robota'), { recursive: true });
  await mkdir(cwd);
  const file = join(home, '.robota', 'settings.json');
  await writeFile(file, JSON.stringify(settings, null, 2));
  return { cwd, file, host: { home, env: {} } };
}

/** The value that a session would use. */
async function used(settings: object): Promise<unknown> {
  const { cwd, host } = await makePlace(settings);
  const config = await loadConfig(cwd, { host });
  return Object.entries(config.settings).find(([name]) => name === 'maxMentions')?.[1];
}

it('the example is a row that the table can hold', () => {
  expect(row).toMatchObject({ default: 20, scope: 'session', help: 'Files that one prompt may mention.' });
  expect(row?.shape).toBe(core.count);
});

it('settings files know the setting, its default and its shape', async () => {
  expect(await used({})).toBe(20);
  expect(await used({ maxMentions: 7 })).toBe(7);
  const wrong = await makePlace({ maxMentions: 'many' });
  await expect(loadConfig(wrong.cwd, wrong)).rejects.toThrow(
    `${wrong.file}:2: maxMentions: expected an integer of at least 1, got the string "many".`,
  );
  const slip = await makePlace({ maxMention: 3 });
  expect(core.describeProblems((await loadConfig(slip.cwd, slip)).problems)).toContain(
    `${slip.file}:2: Unknown setting "maxMention". Did you mean "maxMentions"?`,
  );
});

it('the command line knows its flag, and the help has a line for it', () => {
  const options = sessionOptions(parseArguments(['-p', 'hi', '--max-mentions', '5']));
  expect(options).toMatchObject({ maxMentions: 5 });
  expect(() => sessionOptions(parseArguments(['--max-mentions', '0']))).toThrow(
    '--max-mentions 0: expected an integer of at least 1.',
  );
  expect(helpText()).toMatch(/^ +--max-mentions N +Files that one prompt may mention$/m);
});

it('the JSON Schema describes it', () => {
  expect(settingsSchema()).toMatchObject({
    properties: {
      maxMentions: {
        type: 'integer',
        minimum: 1,
        default: 20,
        description: 'Files that one prompt may mention.',
      },
    },
  });
});

it('config explain tells its value, its meaning and where it comes from', async () => {
  const { cwd, file, host } = await makePlace({ maxMentions: 7 });
  const path = parseKey('maxMentions');
  expect(await explainSetting(path, { cwd, host })).toEqual({
    key: 'maxMentions',
    value: 7,
    description: 'Files that one prompt may mention.',
    sources: [{ source: file, line: 2, value: 7, state: 'counts' }],
  });
  const overrides = commandLineSettings(sessionOptions(parseArguments(['--max-mentions', '5'])));
  expect(await explainSetting(path, { cwd, host, overrides })).toMatchObject({
    value: 5,
    sources: [{ source: 'command line' }, { state: 'overridden' }],
  });
});

it('programs may give it as an option, which is checked and overrides the files', async () => {
  const { cwd, host } = await makePlace({ maxMentions: 7 });
  expect(() => checkClientOptions('createSession', { maxMentions: 0 })).toThrow(
    'createSession: maxMentions: expected an integer of at least 1, got 0.',
  );
  const options = { cwd, host, model: 'offline', store: 'none' as const, maxMentions: 3 };
  const session = await createInteractiveSession(options);
  expect(session.settings).toMatchObject({ maxMentions: 3 });
  await session.shutdown();
});

it('the example of validation names every mistake with its file', () => {
  const [, block = ''] =
    /## Validate external data[^`]*(?:`[^`]+`[^`]*)*```ts\n([^`]+)```/.exec(
      readFileSync('CONTRIBUTING.md', 'utf8'),
    ) ?? [];
  const warnings: string[] = [];
  const given = {
    ...core,
    manifestShape: core.object({ name: core.text }, { count: core.count }),
    written: '{"name": "x", "count": 0}',
    path: 'a.json',
    warn: (text: string) => warnings.push(text),
  };
  const manifest = new Function(...Object.keys(given), `${block}; return manifest;`)(...Object.values(given));
  expect(manifest).toEqual({ name: 'x' });
  expect(warnings).toEqual(['a.json: count: expected an integer of at least 1, got 0']);
});

it('docs/settings.md has a line for every other setting', () => {
  const rows: [string, SettingRow][] = Object.entries(optionTable);
  const lines = rows
    .filter(([name]) => name !== 'maxMentions' && name !== '$schema')
    .map(([name, { key = name, default: preset, flag, help }]) => {
      const isTold = preset !== undefined && typeof preset !== 'object';
      const cells = [
        `\`${key}\``,
        isTold ? `\`${String(preset)}\`` : '',
        flag ? `\`--${flag.name}\`` : '',
        help,
      ];
      return `| ${cells.join(' | ')} |`;
    });
  const [, ...found] = readFileSync('docs/settings.md', 'utf8').split(
    '| setting | default | flag | meaning |\n',
  );
  const table = found.join('').split('\n\n')[0]?.trimEnd().split('\n').slice(1);
  expect(table).toEqual(lines);
});
