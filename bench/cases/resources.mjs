import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { interleave, runOnce } from '../measure.mjs';
import { compared } from '../report.mjs';

const counts = { skills: 100, commands: 50, agents: 20, plugins: 10 };
const limit = 1.3;

/** `robota -p hi` in a home with many skills, commands, agents and plugins, beside one with none. */
export async function resources(/** @type {import('../bench.mjs').Bench} */ bench) {
  const full = bench.directory('resources-home');
  const empty = bench.directory('resources-none');
  writeResources(join(full, '.robota'));
  for (let index = 0; index < counts.plugins; index++) {
    const plugin = writePlugin(join(bench.root, 'resources-plugins', `plugin-${index}`));
    await runOnce(at(bench.robota('plugin', 'install', plugin, '--yes'), full));
  }
  const program = bench.ask('/text/1');
  const programs = {
    none: at(program, empty),
    many: at(program, full),
  };
  const { many, none } = await interleave(programs, bench.quick ? 5 : 20);
  const name = Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
  return [
    compared({ name: `${name}: start, wall`, ours: many.wall, reference: none.wall, unit: 'ms', limit }),
    compared({ name: `${name}: start, CPU`, ours: many.cpu, reference: none.cpu, unit: 'ms', limit }),
  ];
}

/** @returns {import('../measure.mjs').Program} */
function at(/** @type {import('../measure.mjs').Program} */ program, /** @type {string} */ home) {
  return { ...program, env: { ...program.env, HOME: home } };
}

function writeResources(/** @type {string} */ root) {
  const body = 'Do it step by step, and say what you did.\n'.repeat(40);
  for (let index = 0; index < counts.skills; index++)
    put(join(root, 'skills', `skill-${index}`, 'SKILL.md'), matter(`skill-${index}`) + body);
  for (let index = 0; index < counts.commands; index++)
    put(join(root, 'commands', `command-${index}.md`), `---\ndescription: Command ${index}\n---\n${body}`);
  for (let index = 0; index < counts.agents; index++)
    put(join(root, 'agents', `agent-${index}.md`), matter(`agent-${index}`) + body);
}

function writePlugin(/** @type {string} */ folder) {
  const name = folder.slice(folder.lastIndexOf('plugin-'));
  const manifest = { name, version: '1.0.0', description: `The plugin ${name}` };
  put(join(folder, '.claude-plugin', 'plugin.json'), JSON.stringify(manifest));
  put(join(folder, 'skills', 'help', 'SKILL.md'), `${matter('help')}Help with ${name}.\n`);
  put(join(folder, 'commands', 'go.md'), `---\ndescription: Go\n---\nGo with ${name}.\n`);
  put(join(folder, 'agents', 'worker.md'), `${matter('worker')}Work for ${name}.\n`);
  return folder;
}

function matter(/** @type {string} */ name) {
  return `---\nname: ${name}\ndescription: Used where ${name} is what is wanted, and not otherwise\n---\n`;
}

function put(/** @type {string} */ path, /** @type {string} */ text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
