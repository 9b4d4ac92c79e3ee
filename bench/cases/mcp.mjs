import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleave, runOnce } from '../measure.mjs';
import { absolute, compared } from '../report.mjs';

const everything = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);
const manyTools = fileURLToPath(new URL('../../test/fixtures/mcp/hostile-server.mjs', import.meta.url));
const serverCount = 5;

/** `robota -p hi` with MCP servers in the home beside one without, and what 100 tools add to a request. */
export async function mcp(/** @type {import('../bench.mjs').Bench} */ bench) {
  const none = bench.directory('mcp-none');
  const five = homeWith(
    bench,
    'mcp-five',
    Array.from({ length: serverCount }, () => [everything, 'stdio']),
  );
  const many = homeWith(bench, 'mcp-many', [[manyTools, 'many']]);
  // Their tools are known from then on, which makes requests longer than when they are not.
  for (const home of [five, many]) await runOnce(at(bench.robota('mcp', 'test'), home));
  const program = bench.ask('/text/1');
  const programs = { bare: at(program, none), servers: at(program, five) };
  const { bare, servers } = await interleave(programs, bench.quick ? 5 : 30);
  const added = (await firstRequest(bench, many)) - (await firstRequest(bench, none));
  const name = `start with ${serverCount} MCP servers`;
  return [
    compared({ name: `${name}, wall`, ours: servers.wall, reference: bare.wall, unit: 'ms', limit: 1.1 }),
    compared({ name: `${name}, CPU`, ours: servers.cpu, reference: bare.cpu, unit: 'ms', limit: 1.1 }),
    absolute({ name: 'first request, added by 100 MCP tools', ours: added, unit: 'bytes', limit: 2000 }),
  ];
}

async function firstRequest(/** @type {import('../bench.mjs').Bench} */ bench, /** @type {string} */ home) {
  const [body = ''] = await bench.requestsOf('/text/1', home);
  return Buffer.byteLength(body);
}

/**
 * A home with servers of the given command lines.
 * @param {import('../bench.mjs').Bench} bench
 * @param {string} name
 * @param {string[][]} commands
 */
function homeWith(bench, name, commands) {
  const home = bench.directory(name);
  const servers = commands.map((args, index) => [`server-${index}`, { command: process.execPath, args }]);
  mkdirSync(join(home, '.robota'));
  const config = { mcpServers: Object.fromEntries(servers) };
  writeFileSync(join(home, '.robota', 'mcp.json'), JSON.stringify(config));
  return home;
}

/** @returns {import('../measure.mjs').Program} */
function at(/** @type {import('../measure.mjs').Program} */ program, /** @type {string} */ home) {
  return { ...program, env: { ...program.env, HOME: home } };
}
