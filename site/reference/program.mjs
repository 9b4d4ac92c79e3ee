import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

const note = (/** @type {string} */ command) => `Written from \`${command}\` of this version.\n`;
const cell = (/** @type {string} */ text) =>
  text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('{{', '{<!-- -->{');
const code = (/** @type {string} */ text) => `\`${text.replaceAll('|', '\\|')}\``;

/** Rows of "name  two spaces  description", below a heading of the help. */
function rows(/** @type {string} */ text) {
  return text.split('\n').flatMap((line) => {
    const [, name, description] = /^\s*(\S.*?) {2,}(\S.*)$/.exec(line) ?? [];
    return name === undefined || description === undefined ? [] : [{ name, description }];
  });
}

function table(/** @type {string[]} */ heads, /** @type {string[][]} */ lines) {
  return [
    `| ${heads.join(' | ')} |`,
    `|${'---|'.repeat(heads.length)}`,
    ...lines.map((line) => `| ${line.join(' | ')} |`),
  ].join('\n');
}

/** The options of the command line. */
export function optionsPage() {
  const [, , once = '', kept = ''] =
    /^([\s\S]*?)^Options\n([\s\S]*?)^Options that are settings.*\n([\s\S]*)$/m.exec(robota('--help')) ?? [];
  const list = (/** @type {string} */ text) =>
    table(
      ['option', ''],
      rows(text)
        .filter(({ name }) => name.startsWith('-'))
        .map(({ name, description }) => [code(name), cell(description)]),
    );
  return `# Options\n\n${note('robota --help')}\n## For one run\n\n${list(once)}\n\n## Settings, too\n\n\`robota config set\` keeps them.\n\n${list(kept)}\n`;
}

/** Commands of the shell and of a session, each with its own help. */
export function commandsPage() {
  const [, usage = ''] = /^Usage\n([\s\S]*?)\n\n/m.exec(robota('--help')) ?? [];
  const shell = rows(usage).filter(({ name }) => /^robota [a-z]+/.test(name));
  const names = [...new Set(shell.map(({ name }) => String(name.split(' ')[1])))].filter(
    (name) => name !== 'help',
  );
  const details = names.map((name) => `### ${name}\n\n\`\`\`text\n${robota('help', name).trim()}\n\`\`\`\n`);
  const session = rows(robota('-p', '/help', '--model', 'offline')).filter(({ name }) =>
    name.startsWith('/'),
  );
  return [
    `# Commands\n\n${note('robota --help` and `/help')}`,
    `## In a session\n\n${table(
      ['command', ''],
      session.map(({ name, description }) => [code(name), cell(description)]),
    )}\n`,
    `## In the shell\n\n${table(
      ['command', ''],
      shell.map(({ name, description }) => [code(name), cell(description)]),
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
  return `# Events and messages\n\n${note('robota schema')}\n[Print mode](../headless.md) says when each of them comes.\n\n${all.join('\n')}`;
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
  return `# Schema of the settings\n\n${note('robota config schema')}\n${table(['setting', '', 'default'], lines)}\n\n## JSON Schema\n\nName it in \`$schema\` of a settings file, and editors complete and check it.\n\n\`\`\`json\n${text}\n\`\`\`\n`;
}
