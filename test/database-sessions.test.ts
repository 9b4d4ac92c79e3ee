import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anthropicReply, createPostgresDatabase, withoutPostgres } from '@robota-sdk/agent-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './stage.ts';

describe.skipIf(withoutPostgres !== '')(`sessions in the database of a fleet${withoutPostgres}`, () => {
  let stage: Stage;
  let url: string;

  beforeAll(async () => {
    url = await createPostgresDatabase();
    stage = await openStage();
  });

  afterAll(async () => {
    await stage?.server.close();
  });

  const robota = (...words: readonly string[]) => stage.robota([...words, '--database', url]);

  it('are begun, listed, searched, shown, exported, named, resumed, copied and deleted like any other', async () => {
    stage.server.reply(anthropicReply({ text: 'The sky over Lisbon is blue.' }));
    expect(await robota('-p', 'what colour is the sky?')).toMatchObject({ code: 0 });
    const listed = await robota('sessions', 'list', '--json');
    const [session] = JSON.parse(listed.stdout).sessions;
    expect(session).toMatchObject({ cwd: stage.cwd, messages: 2, firstPrompt: 'what colour is the sky?' });
    const { id } = session;
    expect((await stage.robota(['sessions', 'list', '--all'])).stderr).toContain('No saved sessions yet');

    const found = await robota('sessions', 'search', 'lisbon', 'blue');
    expect(found.stdout).toContain('«Lisbon» is «blue»');
    expect((await robota('sessions', 'search', 'rome')).stdout).toBe('');
    expect((await robota('sessions', 'show', id)).stdout).toContain('The sky over Lisbon is blue.');
    const page = join(stage.cwd, 'sky.md');
    expect(await robota('sessions', 'export', 'lisbon', '--output', page)).toMatchObject({ code: 0 });
    expect(readFileSync(page, 'utf8')).toContain('The sky over Lisbon is blue.');
    expect((await robota('sessions', 'name', id, 'Sky')).stdout).toBe(`Named ${id} "Sky".\n`);
    const [named] = JSON.parse((await robota('sessions', 'list', '--json')).stdout).sessions;
    expect(named).toMatchObject({ name: 'Sky', modified: session.modified });

    stage.server.reply(anthropicReply({ text: 'Grey, then.' }));
    expect(await robota('-c', '-p', 'and in winter?')).toMatchObject({ code: 0 });
    expect(stage.server.requests.at(-1)?.text).toContain('The sky over Lisbon is blue.');
    stage.server.reply(anthropicReply({ text: 'Dark.' }));
    expect(await robota('-r', 'Sky', '-p', 'and at night?')).toMatchObject({ code: 0 });
    expect(stage.server.requests.at(-1)?.text).toContain('Grey, then.');
    stage.server.reply(anthropicReply({ text: 'A copy.' }));
    expect(await robota('-r', id, '--fork', '-p', 'continue')).toMatchObject({ code: 0 });
    const all = JSON.parse((await robota('sessions', 'list', '--json')).stdout).sessions;
    expect(all.map(({ messages }: { messages: number }) => messages)).toEqual([8, 6]);
    expect(all[0]).toMatchObject({ name: 'Sky (copy)', copyOf: id });

    expect((await robota('sessions', 'delete', id, '--yes')).stdout).toContain(`Deleted ${id}`);
    expect(JSON.parse((await robota('sessions', 'list', '--json')).stdout).sessions).toHaveLength(1);
    expect(existsSync(join(stage.home, '.robota', 'sessions'))).toBe(false);
  });

  it('are those of ROBOTA_FLEET for the word fleet, and what is missing is said', async () => {
    const env = { ROBOTA_FLEET: url };
    stage.server.reply(anthropicReply({ text: 'Noted.' }));
    await stage.robota(['-p', 'remember the fleet', '--database', 'fleet'], { env });
    const found = await stage.robota(['sessions', 'search', 'remember', '--database', 'fleet'], { env });
    expect(found.stdout).toContain('«remember» the fleet');
    const unset = await stage.robota(['sessions', 'list', '--database', 'fleet']);
    expect(unset).toMatchObject({ code: 2 });
    expect(unset.stderr).toContain('--database fleet needs a URL in the variable ROBOTA_FLEET.');
    const wrong = await stage.robota(['-c', '-p', 'hi', '--database', 'mysql://somewhere']);
    expect(wrong.stderr).toContain('--database needs the URL of a Postgres database.');
    const secret = new URL(url);
    secret.port = '1';
    const gone = await stage.robota(['sessions', 'list', '--database', secret.href]);
    expect(gone.code).not.toBe(0);
    expect(gone.stderr).toContain('Cannot use the database');
    expect(gone.stderr).not.toContain(secret.password);
  });
});
