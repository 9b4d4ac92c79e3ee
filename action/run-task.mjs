// Runs the task, and writes the job summary and the outputs of the step. Its exit code is that of the task.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const longestSummary = 200_000;

process.exitCode = main();

function main() {
  const file = taskFile();
  if (file === undefined) return 2;
  const options = [
    ['check', process.env.INPUT_CHECK],
    ['model', process.env.INPUT_MODEL],
    ['deliver', process.env.INPUT_DELIVER],
    ['max-cost', process.env.INPUT_MAX_COST],
    ['repo', process.env.GITHUB_WORKSPACE],
  ].flatMap(([name, value]) => (value ? [`--${name}=${value}`] : []));
  const words = ['run', file, '--json', '--ask=deny', ...options];
  const { status, stdout, error } = spawnSync('robota', words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 256 * 1024 * 1024,
  });
  if (error) return failed(`robota could not be started: ${error.message}`);
  const task = lastTask(stdout);
  if (task === undefined) return failed('The task could not be started; see the log.', status ?? 1);
  writeSummary(task);
  writeOutputs(task);
  process.stdout.write(`${task.state}: ${task.name}\n`);
  return status ?? 1;
}

/** The task file that is named, or one that is made of the prompt. */
function taskFile() {
  const { INPUT_TASK: task, INPUT_PROMPT: prompt } = process.env;
  if (Boolean(task) === Boolean(prompt?.trim())) {
    failed('Give either a task or a prompt.');
    return undefined;
  }
  // A name that begins with a dash would be an option.
  if (task) return task.startsWith('-') ? `./${task}` : task;
  const folder = mkdtempSync(join(process.env.RUNNER_TEMP ?? tmpdir(), 'robota-'));
  const file = join(folder, 'task.md');
  // An empty front matter: a prompt that begins with dashes is none.
  writeFileSync(file, `---\n---\n${prompt}\n`);
  return file;
}

function lastTask(/** @type {string} */ output) {
  for (const line of output.split('\n').reverse()) {
    try {
      const task = JSON.parse(line);
      if (typeof task?.state === 'string') return task;
    } catch {
      // Not the line of a task.
    }
  }
  return undefined;
}

function writeSummary(/** @type {any} */ { name, state, reason, cost, turns, receipt }) {
  const file = process.env.GITHUB_STEP_SUMMARY;
  if (!file) return;
  const delivery = receipt?.delivery;
  const rows = [
    ['State', reason ? `${state}: ${reason.message}` : state],
    ['Delivered', [delivery?.kind, delivery?.branch, delivery?.url].filter(Boolean).join(' ')],
    ['Changed', receipt ? `${receipt.filesChanged} files, +${receipt.added} -${receipt.removed}` : ''],
    ['Cost', `$${Number(cost).toFixed(4)}, ${turns} turns`],
    ...(receipt?.attempts ?? []).map((/** @type {any} */ attempt) => [
      `Attempt ${attempt.number}`,
      `${attempt.state}${attempt.check ? `; ${attempt.check.command}: exit code ${attempt.check.exitCode}` : ''}`,
    ]),
    ...(receipt?.notes ?? []).map((/** @type {string} */ note) => ['Note', note]),
  ].filter(([, value]) => value);
  const answers = (receipt?.attempts ?? []).flatMap((/** @type {any} */ { answer }) =>
    answer ? [fenced(answer)] : [],
  );
  const table = [
    '| | |',
    '|---|---|',
    ...rows.map(([label, value]) => `| ${label} | ${cell(String(value))} |`),
  ];
  const text = [`## Robota: ${cell(name)}`, '', ...table, '', ...answers, ''].join('\n');
  appendFileSync(file, text.slice(0, longestSummary));
}

/** Texts of a model and of a repository are shown, never read as Markdown or HTML. */
function cell(/** @type {string} */ text) {
  const plain = text.replace(/\s+/g, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return plain.replace(/[\\`*_{}[\]()#+!|@~-]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

function fenced(/** @type {string} */ text) {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

function writeOutputs(/** @type {any} */ { state, branch, cost, receipt }) {
  const file = process.env.GITHUB_OUTPUT;
  if (!file) return;
  const values = {
    state,
    branch: receipt?.delivery?.branch ?? branch ?? '',
    url: receipt?.delivery?.url ?? '',
    cost,
  };
  for (const [name, value] of Object.entries(values)) {
    // A value cannot guess the end mark, so it cannot set another output.
    const mark = randomUUID();
    appendFileSync(file, `${name}<<${mark}\n${value}\n${mark}\n`);
  }
}

function failed(/** @type {string} */ message, code = 2) {
  process.stdout.write(`::error title=Robota::${message.replaceAll('%', '%25').replaceAll('\n', '%0A')}\n`);
  return code;
}
