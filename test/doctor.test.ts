import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonReply, robotaVersion } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { beforeEach, describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal } from './terminal.ts';

const stage = stagePerTest();

beforeEach(async () => {
  stage.server.handleQuestions(() => jsonReply(200, { data: [{ id: 'claude-x' }] }));
});

interface Finding {
  readonly area: string;
  readonly status: string;
  readonly what: string;
  readonly why?: string;
  readonly advice?: string;
}

const nobody = 'http://127.0.0.1:1/v1';
const noServers = { OLLAMA_HOST: nobody, LMSTUDIO_BASE_URL: nobody, LLAMA_CPP_BASE_URL: nobody };

async function examine(env: Record<string, string> = {}) {
  const result = await stage.robota(['doctor', '--json'], { env: { ...noServers, ...env } });
  const report = JSON.parse(result.stdout) as { ok: boolean; findings: readonly Finding[] };
  const of = (area: string) => report.findings.filter((finding) => finding.area === area);
  return { ...result, ...report, of };
}

describe('robota doctor', () => {
  it('finds nothing wrong where all is well, asks the server for free, and measures a real start', async () => {
    const { code, ok, of, stdout } = await examine();
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(of('versions').map(({ what }) => what)).toEqual(
      expect.arrayContaining([`robota ${robotaVersion}`, expect.stringContaining('run from the clone')]),
    );
    expect(of('models')).toMatchObject([
      { status: 'ok', what: expect.stringContaining('model: anthropic/') },
      { status: 'ok', what: expect.stringMatching(/^Anthropic answers \(\d+ ms\)$/) },
    ]);
    expect(stage.server.requests).toEqual([]);
    expect(stage.server.questions.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/models?limit=100',
    ]);
    expect(of('tools').map(({ what }) => what.split(':')[0])).toEqual(
      expect.arrayContaining(['bash', 'rg', 'git']),
    );
    expect(of('start').map(({ what }) => what)).toEqual([
      expect.stringMatching(/^node itself: \d+ ms$/),
      expect.stringMatching(/^robota --version: \d+ ms$/),
      expect.stringMatching(/^a whole turn with the offline model: \d+ ms$/),
      expect.stringMatching(/^settings and keys of this project: \d+ ms$/),
    ]);
    expect(stdout).not.toContain('sk-test');
  });

  it('says what prevents work, why, and what to do: no model, a refused key, a server that is gone', async () => {
    const none = await examine({ ANTHROPIC_API_KEY: '' });
    expect(none.code).toBe(1);
    expect(none.of('models')).toMatchObject([
      {
        status: 'broken',
        what: 'no model is available',
        advice: expect.stringContaining('robota login'),
      },
    ]);
    stage.server.handleQuestions(() => jsonReply(401, { error: { message: 'bad key sk-test' } }));
    const refused = await examine();
    expect(refused.code).toBe(1);
    expect(refused.of('models')[1]).toMatchObject({
      status: 'broken',
      advice: expect.stringContaining('robota login anthropic'),
    });
    expect(refused.stdout).not.toContain('sk-test');
    await stage.settings({ model: 'ollama/x' });
    const gone = await examine();
    expect(gone.of('models')).toMatchObject([
      { status: 'ok' },
      { status: 'broken', what: expect.stringContaining('Ollama cannot be reached') },
      { status: 'warning', what: expect.stringContaining('Anthropic') },
    ]);
    const lab = { baseUrl: 'http://127.0.0.1:1/v1', api: 'openai-completions', models: [{ id: 'tiny' }] };
    await writeFile(join(stage.home, '.robota', 'models.json'), JSON.stringify({ providers: { lab } }));
    await stage.settings({ model: 'lab/tiny' });
    const own = (await examine()).of('models')[1];
    expect(own).toMatchObject({ status: 'broken', advice: expect.stringContaining('models.json') });
    stage.server.handleQuestions(({ path }) =>
      path === '/v1/models' ? jsonReply(200, { data: [{ id: 'tiny' }] }) : jsonReply(404, {}),
    );
    const root = { ...lab, baseUrl: stage.server.url };
    await writeFile(join(stage.home, '.robota', 'models.json'), JSON.stringify({ providers: { lab: root } }));
    expect((await examine()).of('models')[1]).toMatchObject({
      status: 'broken',
      why: expect.stringContaining(`Its API is at ${stage.server.url}/v1`),
      advice: expect.stringContaining('Append /v1 to the base URL'),
    });
  });

  it('names a server on this machine that is not configured yet', async () => {
    const { of } = await examine({ ANTHROPIC_API_KEY: '', OLLAMA_HOST: stage.server.url });
    expect(of('models')[1]).toMatchObject({
      status: 'note',
      advice: 'Use it: robota config set model ollama/claude-x',
    });
  });

  it('lists what is wrong in every settings file with its line, and what waits for trust', async () => {
    proves('R-40');
    await stage.settings('{\n  "language": "ko",\n  "langauge": "x"\n}');
    await stage.file('.robota/settings.json', '{\n  "permissions": { "allow": ["Bash(ls)"] }\n}');
    const { code, of } = await examine();
    expect(code).toBe(0);
    expect(of('settings')).toMatchObject([
      {
        status: 'warning',
        what: expect.stringMatching(/settings\.json:3: Unknown setting "langauge"/),
        problem: { code: 'setting.unknown', subject: 'langauge', source: { line: 3 } },
      },
      { status: 'ok', what: '2 files read' },
    ]);
    expect(of('trust')).toMatchObject([{ status: 'note', what: expect.stringContaining('Bash(ls)') }]);
    await stage.settings('{ oops');
    await stage.file('.robota/settings.local.json', '{ "maxTurns": -1 }');
    const broken = await examine();
    expect(broken.code).toBe(1);
    expect(broken.of('settings').map(({ what }) => what)).toEqual([
      expect.stringMatching(/settings\.local\.json:1: maxTurns: expected an integer of at least 1/),
      expect.stringMatching(/settings\.json:1:\d+: Not valid JSON/),
    ]);
  });

  it('tells of a terminal by what it says of itself', async () => {
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url, ...noServers };
    const options = {
      cwd: stage.cwd,
      home: stage.home,
      rows: 60,
      env: { ...env, KITTY_WINDOW_ID: '1', TMUX: 'x' },
    };
    const terminal = openTerminal(['doctor', '--no-network'], options);
    expect(await terminal.exit).toBe(0);
    const shown = await terminal.screen();
    expect(shown).toContain('kitty (in tmux), TERM=xterm-256color');
    expect(shown).toContain('images as text, links, notifications');
    expect(shown).toMatch(/100 × 60, .* colors/);
    expect(shown).toMatch(/(Everything looks good|Robota works)/);
    expect(stage.server.requests).toEqual([]);
  });

  it('says where sessions cannot be kept', async () => {
    await stage.file('taken', '');
    const { code, of } = await examine({ ROBOTA_HOME: join(stage.cwd, 'taken', 'robota') });
    expect(code).toBe(1);
    expect(of('storage')[0]).toMatchObject({
      status: 'broken',
      why: expect.stringContaining('is a file'),
      advice: expect.stringContaining('ROBOTA_HOME'),
    });
  });
});
