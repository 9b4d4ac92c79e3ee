// `npm run compare` measures Robota beside five other agents that npm installs: size, start, one turn, first request. The model
// is a local server that answers "hello" at once. It downloads about 1.3 GB the first time; `--rounds N` and `--json` are for you.
import { execFile, fork } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { packPackages } from '../scripts/pack.mjs';
import { runOnce } from './measure.mjs';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/robota/compare');

/**
 * @typedef {object} Agent
 * @property {string} name
 * @property {string} [package] The package and its exact version; Robota is packed from this repository.
 * @property {string} command
 * @property {(url: string) => string[]} ask Arguments that ask "hi" without a conversation.
 * @property {(url: string) => Record<string, string>} env
 * @property {(url: string) => Record<string, string>} [files] Files in the home directory, by path.
 */

/** @type {Agent[]} */
const agents = [
  {
    name: 'Robota',
    command: 'robota',
    ask: () => ['-p', 'hi', '--model', 'claude-sonnet-4-6'],
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'x' }),
  },
  {
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code@2.1.197',
    command: 'claude',
    ask: () => ['-p', 'hi', '--model', 'claude-sonnet-4-6'],
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'x',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
  },
  {
    name: 'Codex',
    package: '@openai/codex@0.166.0',
    command: 'codex',
    ask: (url) => [
      ...['exec', '--skip-git-repo-check', '-m', 'gpt-5', '-c', 'model_provider=local'],
      '-c',
      `model_providers.local={name="local",base_url="${url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`,
      'hi',
    ],
    env: () => ({ OPENAI_API_KEY: 'x' }),
  },
  {
    name: 'opencode',
    package: 'opencode-ai@1.18.33',
    command: 'opencode',
    ask: () => ['run', '--model', 'anthropic/claude-sonnet-4-6', 'hi'],
    env: () => ({}),
    files: (url) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        provider: { anthropic: { options: { baseURL: `${url}/v1`, apiKey: 'x' } } },
        autoupdate: false,
        share: 'disabled',
      }),
    }),
  },
  {
    name: 'Gemini CLI',
    package: '@google/gemini-cli@0.61.0',
    command: 'gemini',
    ask: () => ['-p', 'hi', '-m', 'gemini-2.5-pro', '--skip-trust'],
    env: (url) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: url }),
    files: () => ({
      '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }),
    }),
  },
  {
    name: 'pi',
    package: '@mariozechner/pi-coding-agent@0.73.1',
    command: 'pi',
    ask: () => ['-p', '--model', 'anthropic/claude-sonnet-4-6', 'hi'],
    env: () => ({ ANTHROPIC_API_KEY: 'x' }),
    files: (url) => ({
      '.pi/agent/models.json': JSON.stringify({ providers: { anthropic: { baseUrl: url } } }),
    }),
  },
];

const { values } = parseArgs({ options: { rounds: { type: 'string' }, json: { type: 'boolean' } } });
const rounds = Number(values.rounds ?? 10);
const work = await mkdtemp(join(tmpdir(), 'robota-compare-'));
const server = fork(fileURLToPath(new URL('./compare-server.mjs', import.meta.url)));
let requestBytes = 0;
try {
  const url = await new Promise((resolve) => server.on('message', take(resolve)));
  const rows = [];
  for (const agent of agents) rows.push(await prepare(agent, url));
  // In turns, so that what else the machine does falls on all alike; the first round fills caches and does not count.
  for (let round = 0; round <= rounds; round++) for (const row of rows) await measure(row, round > 0);
  print(rows);
} finally {
  server.disconnect();
  await rm(work, { recursive: true, force: true, maxRetries: 5 });
}

function take(/** @type {(url: string) => void} */ resolve) {
  return (/** @type {{ url?: string, bytes?: number }} */ message) => {
    if (message.url) resolve(message.url);
    requestBytes = Math.max(requestBytes, message.bytes ?? 0);
  };
}

/** Installs one agent, once, into a folder that later runs use again; Robota each time, from what was built. */
async function prepare(/** @type {Agent} */ agent, /** @type {string} */ url) {
  const folder = agent.package ? join(cache, agent.package.replaceAll(/[@/]/g, '_')) : join(work, 'robota');
  const command = join(folder, 'bin', agent.command);
  if (!(await stat(command).catch(() => undefined))) {
    await mkdir(folder, { recursive: true });
    const source = agent.package ?? packed();
    await execute('npm', ['install', '-g', '--no-audit', '--no-fund', '--prefix', folder, source], {
      cwd: work,
    });
  }
  const home = join(work, `home-${agent.command}`);
  const cwd = join(work, `project-${agent.command}`);
  await mkdir(cwd, { recursive: true });
  for (const [path, text] of Object.entries(agent.files?.(url) ?? {})) {
    await mkdir(join(home, path, '..'), { recursive: true });
    await writeFile(join(home, path), text);
  }
  const installed = join(folder, 'lib/node_modules');
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: home, LANG: 'C.UTF-8', TMPDIR: work, ...agent.env(url) };
  const { stdout: packages } = await execute('npm', ['ls', '-g', '--all', '--parseable', '--prefix', folder]);
  return {
    agent,
    version: { command, args: ['--version'], cwd, env },
    turn: { command, args: agent.ask(url), cwd, env },
    size: await sizeOf(installed),
    packages: packages.trim().split('\n').length - 1,
    startTimes: /** @type {import('./measure.mjs').Sample[]} */ ([]),
    turnTimes: /** @type {import('./measure.mjs').Sample[]} */ ([]),
    request: 0,
  };
}

/** Packs the program as a release does, and names the file. */
function packed() {
  const cli = packPackages(join(work, 'packages')).find(({ name }) => name === '@robota-sdk/agent-cli');
  if (!cli) throw new Error('The program was not packed. Build it first: npm run build');
  return cli.file;
}

async function measure(
  /** @type {Awaited<ReturnType<typeof prepare>>} */ row,
  /** @type {boolean} */ counts,
) {
  const start = await runOnce(row.version);
  requestBytes = 0;
  const turn = await runOnce(row.turn);
  if (!turn.output.includes('hello')) throw new Error(`${row.agent.name} did not answer:\n${turn.output}`);
  row.request = requestBytes;
  if (!counts) return;
  row.startTimes.push(start);
  row.turnTimes.push(turn);
}

async function sizeOf(/** @type {string} */ folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function print(/** @type {Awaited<ReturnType<typeof prepare>>[]} */ rows) {
  const figures = rows.map((row) => ({
    agent: row.agent.name,
    version: row.agent.package?.replace(/^.*@/, '') ?? 'this',
    'installed MB': round(row.size / 1e6),
    packages: row.packages,
    'start ms': least(row.startTimes, 'wall'),
    'turn ms': least(row.turnTimes, 'wall'),
    'turn CPU ms': least(row.turnTimes, 'cpu'),
    'first request kB': round(row.request / 1000),
  }));
  if (values.json) return void process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  const names = Object.keys(figures[0] ?? {});
  process.stdout.write(`| ${names.join(' | ')} |\n|${'---|'.repeat(names.length)}\n`);
  for (const row of figures) process.stdout.write(`| ${Object.values(row).join(' | ')} |\n`);
}

function least(/** @type {import('./measure.mjs').Sample[]} */ samples, /** @type {'wall' | 'cpu'} */ kind) {
  return Math.round(Math.min(...samples.map((sample) => sample[kind])));
}

function round(/** @type {number} */ value) {
  return Math.round(value * 10) / 10;
}
