import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runOnce } from '../measure.mjs';
import { absolute } from '../report.mjs';

const sessions = 10_000;
const projects = 25;
const year = 365 * 24 * 3600;
const needle = 'quetzalcoatlus';

/** Listing and searching 10,000 sessions by the command, its start included: with what is remembered, and without. */
export async function sessionSearch(/** @type {import('../bench.mjs').Bench} */ bench) {
  const home = bench.directory('many-sessions');
  const megabytes = writeSessions(join(home, '.robota', 'sessions')) / 1e6;
  const cache = join(home, '.robota', 'cache', 'sessions');
  const rounds = bench.quick ? 2 : 6;
  const robota = (/** @type {string[]} */ ...args) => {
    const program = bench.robota('sessions', ...args);
    return { ...program, env: { ...program.env, HOME: home } };
  };
  const time = async (/** @type {string[]} */ args, /** @type {(text: string) => boolean} */ isRight) => {
    const { wall, output } = await runOnce(robota(...args));
    // A wrong answer would be a fast one.
    if (!isRight(output))
      throw new Error(`robota sessions ${args.join(' ')} answered:\n${output.slice(0, 500)}`);
    return wall;
  };
  const least = async (/** @type {string[]} */ args, /** @type {(text: string) => boolean} */ isRight) => {
    const times = [];
    for (let round = 0; round < rounds; round++) times.push(await time(args, isRight));
    return Math.min(...times);
  };
  const lines = (/** @type {number} */ count) => (/** @type {string} */ text) =>
    text.split('\n').length === count + 1;
  const found = (/** @type {number} */ count) => (/** @type {string} */ text) =>
    text.split('\n').filter((line) => /^[0-9a-f]/.test(line)).length === count;
  // Warm the file system cache first, as on a machine in use.
  await time(['search', '--all', needle], found(5));
  rmSync(cache, { recursive: true });
  const firstList = await time(['list', '--all', '--limit', '0'], lines(sessions));
  const firstSearch = await time(['search', '--all', needle], found(5));
  const list = (/** @type {string[]} */ ...args) => ['list', '--all', ...args];
  const search = (/** @type {string[]} */ ...args) => ['search', '--all', ...args];
  return [
    row('list 10,000 sessions', await least(list(), lines(20)), 300),
    row('list 10,000 sessions, every one printed', await least(list('--limit', '0'), lines(sessions)), 300),
    row('list 10,000 sessions for the first time', firstList),
    row(
      `search 10,000 sessions (${megabytes.toFixed(0)} MB), a rare word`,
      await least(search(needle), found(5)),
      1000,
    ),
    row('search 10,000 sessions, a phrase', await least(search(`"${needle} flies"`), found(5)), 1000),
    row('search 10,000 sessions, Chinese', await least(search('翼龙'), found(5)), 1000),
    row('search 10,000 sessions, words that all have', await least(search('import', 'the'), found(20)), 1000),
    row('search 10,000 sessions, nothing found', await least(search('zyzzyva'), found(0)), 1000),
    row('search 10,000 sessions without the index, and make it', firstSearch),
  ];
}

function row(
  /** @type {string} */ name,
  /** @type {number} */ ours,
  /** @type {number} */ limit = Number.POSITIVE_INFINITY,
) {
  return absolute({ name, ours, unit: 'ms', ...(Number.isFinite(limit) ? { limit } : {}) });
}

/** Writes the sessions of a busy year, a few of which are long; gives back how many bytes they have. */
function writeSessions(/** @type {string} */ root) {
  const random = randomNumbers(4);
  const words = vocabulary(random);
  const now = Math.floor(Date.now() / 1000);
  let bytes = 0;
  for (let index = 0; index < sessions; index++) {
    const used = now - Math.floor((year * index) / sessions);
    const id = idOf(used * 1000 - 600_000, index);
    const cwd = `/home/u/project-${index % projects}`;
    const directory = join(root, `project-${index % projects}`, id);
    mkdirSync(directory, { recursive: true });
    const text = sessionText({ id, cwd, time: used, hasNeedle: index % 2_000 === 777 }, words, random);
    writeFileSync(join(directory, 'session.jsonl'), text);
    utimesSync(join(directory, 'session.jsonl'), used, used);
    bytes += text.length;
  }
  return bytes;
}

/**
 * @param {{ id: string, cwd: string, time: number, hasNeedle: boolean }} session
 * @param {() => string} word
 * @param {() => number} random
 */
function sessionText({ id, cwd, time, hasNeedle }, word, random) {
  const timestamp = new Date(time * 1000).toISOString();
  const lines = [JSON.stringify({ type: 'session', id, version: 3, timestamp, cwd, writer: 'robota' })];
  let parentId = /** @type {string | null} */ (null);
  const say = (/** @type {Record<string, unknown>} */ message) => {
    const entry = lines.length.toString(16).padStart(8, '0');
    const robota = { id: `${entry}${id.slice(8)}`, parentId: parentId && `${parentId}${id.slice(8)}` };
    lines.push(
      JSON.stringify({ type: 'message', id: entry, parentId, timestamp, message: { ...message, robota } }),
    );
    parentId = entry;
  };
  const prose = (/** @type {number} */ length) => Array.from({ length }, word).join(' ');
  const text = (/** @type {string} */ value) => [{ type: 'text', text: value }];
  // Most sessions are short, one in fifty has some hundred kilobytes.
  const turns = random() < 0.02 ? 60 : 1 + Math.floor(random() * 5);
  for (let turn = 0; turn < turns; turn++) {
    const special = hasNeedle && turn === 0 ? ` the ${needle} flies 翼龙会飞` : '';
    say({ role: 'user', content: text(prose(15) + special), timestamp: time * 1000 });
    const usage = {
      input: 900,
      output: 80,
      cacheRead: 700,
      cacheWrite: 0,
      totalTokens: 1680,
      cost: { total: 0.01 },
    };
    const call = {
      type: 'toolCall',
      id: `call-${turn}`,
      name: 'Read',
      arguments: { file_path: `src/${word()}.ts` },
    };
    const model = {
      api: 'anthropic',
      provider: 'anthropic',
      model: 'claude-sonnet-4-6',
      usage,
      timestamp: time * 1000,
    };
    say({ role: 'assistant', content: [...text(prose(25)), call], ...model, stopReason: 'toolUse' });
    const code = Array.from(
      { length: 12 },
      (_, line) => `${line + 1}\timport { ${word()} } from './${word()}.ts'; // the ${word()}`,
    );
    say({
      role: 'toolResult',
      toolCallId: call.id,
      toolName: 'Read',
      content: text(code.join('\n')),
      isError: false,
    });
    say({ role: 'assistant', content: text(prose(60)), ...model, stopReason: 'stop' });
  }
  return `${lines.join('\n')}\n`;
}

/** Words as languages have them: few are frequent, most are rare. */
function vocabulary(/** @type {() => number} */ random) {
  const syllables =
    'ba con de er fi gra ho in ja ka lo men no or pre qua re sta tion un ver wi ex y zu ing al'.split(' ');
  const syllable = () => syllables[Math.floor(random() * syllables.length)] ?? '';
  const words = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, syllable).join(''),
  );
  return () => words[Math.floor(words.length * random() ** 4)] ?? '';
}

function idOf(/** @type {number} */ time, /** @type {number} */ index) {
  const hex = time.toString(16).padStart(12, '0');
  const last = index.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${last}`;
}

/** The same numbers in every run. */
function randomNumbers(/** @type {number} */ seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
