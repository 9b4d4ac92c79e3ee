import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { optionSpecs, runOptions } from '../../packages/agent-cli/dist/lib/arguments/options.js';
import { shellRows } from '../../packages/agent-cli/dist/lib/arguments/shell-rows.js';

const program = fileURLToPath(new URL('../../packages/agent-cli/dist/bin.js', import.meta.url));

/** Runs the program with an empty home, and returns its output. */
function robota(/** @type {string[]} */ ...args) {
  const home = mkdtempSync(join(tmpdir(), 'robota-site-'));
  try {
    const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' };
    return execFileSync(process.execPath, [program, ...args], { cwd: home, env, encoding: 'utf8' });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const note = (/** @type {string} */ command) => `Generated from \`${command}\` of this version.\n`;
/** Text as it is, with options as code, so that no line breaks behind their dashes. */
const cell = (/** @type {string} */ text) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '{<!-- -->{')
    .replace(/(?<![\w`"-])--?[a-z][\w-]*/g, '`$&`');
const code = (/** @type {string} */ text) => `\`${text.replaceAll('|', '\\|')}\``;

/** A table; an empty one means that its source has changed, and fails the build. */
function table(/** @type {string[]} */ heads, /** @type {string[][]} */ lines) {
  if (lines.length === 0) throw new Error(`The table of ${heads[0]}s has no rows.`);
  return [
    `| ${heads.join(' | ')} |`,
    `|${'---|'.repeat(heads.length)}`,
    ...lines.map((line) => `| ${line.join(' | ')} |`),
  ].join('\n');
}

/** The options of the command line. */
export function optionsPage() {
  const list = (/** @type {typeof optionSpecs} */ specs) =>
    table(
      ['option', 'meaning'],
      specs.map((spec) => {
        const shorts = [spec.short, ...(spec.shorts ?? [])].flatMap((each) => (each ? `-${each}` : []));
        const names = [...shorts, `--${spec.name}`, ...(spec.aliases ?? []).map((each) => `--${each}`)];
        return [code([names.join(', '), spec.value ?? ''].join(' ').trim()), cell(spec.help)];
      }),
    );
  return [
    `# Options\n\n${note('robota --help')}`,
    `## Options of one run\n\n${list(optionSpecs.slice(0, runOptions.length))}\n`,
    '## Options that can be stored as settings\n\nStore one with `robota config set`.\n',
    `${list(optionSpecs.slice(runOptions.length))}\n`,
  ].join('\n');
}

/** Commands of the shell and of a session, each with its own help. */
export function commandsPage() {
  const details = shellRows
    .filter(({ name }) => name !== 'help')
    .map(({ name }) => `### ${name}\n\n\`\`\`text\n${robota('help', name).trim()}\n\`\`\`\n`);
  const session = robota('-p', '/help', '--model', 'offline').matchAll(/^(\/\S.*?)\n? {2,}(\S.*)$/gm);
  return [
    `# Commands\n\n${note('robota --help` and `/help')}`,
    `## In a session\n\n${table(
      ['command', 'meaning'],
      [...session].map(([, name = '', description = '']) => [code(name), cell(description)]),
    )}\n`,
    `## In the shell\n\n${table(
      ['command', 'meaning'],
      shellRows.map(({ name, argumentHint, description }) => [
        code(['robota', name, argumentHint ?? ''].join(' ').trim()),
        cell(description),
      ]),
    )}\n`,
    ...details,
  ].join('\n');
}

/** Every line that programs read and write, with its schema. */
export function eventsPage() {
  const all = Object.entries(JSON.parse(robota('schema')).$defs).map(([name, schema]) => {
    const text = JSON.stringify(schema, null, 2);
    return `## ${name}\n\n${cell(schema.description ?? '')}\n\n::: details JSON Schema\n\`\`\`json\n${text}\n\`\`\`\n:::\n`;
  });
  return `# Events and messages\n\n${note('robota schema')}\n[Print mode](../headless.md) explains when each of them is sent.\n\n${all.join('\n')}`;
}

/** The JSON Schema of the settings. */
export function settingsPage() {
  const text = robota('config', 'schema').trim();
  const { properties } = JSON.parse(text);
  const lines = Object.entries(properties).map(([name, schema]) => {
    const { description = '', default: usual } = /** @type {{ description?: string, default?: unknown }} */ (
      schema
    );
    return [code(name), cell(description), usual === undefined ? '' : code(JSON.stringify(usual))];
  });
  return `# Settings schema\n\n${note('robota config schema')}\n${table(['setting', 'meaning', 'default'], lines)}\n\n## JSON Schema\n\nEditors complete and check a settings file that names this schema in \`$schema\`.\n\n\`\`\`json\n${text}\n\`\`\`\n`;
}
