// `npm run bench` compares the product with minimal programs that do the same. `--only NAME` (repeatable)
// runs some of it, `--quick` runs fewer rounds, `--json` is for programs. Exceeding a limit is for the reader
// to judge: only a benchmark that could not run makes the exit code 1.
import { parseArgs } from 'node:util';
import { openBench } from './bench.mjs';
import { checkpoint } from './cases/checkpoint.mjs';
import { diff } from './cases/diff.mjs';
import { eventLoop } from './cases/event-loop.mjs';
import { firstRequest } from './cases/first-request.mjs';
import { fleet } from './cases/fleet.mjs';
import { frames } from './cases/frames.mjs';
import { kill } from './cases/kill.mjs';
import { mcp } from './cases/mcp.mjs';
import { oneTurn, proxy } from './cases/one-turn.mjs';
import { permissions } from './cases/permissions.mjs';
import { resources } from './cases/resources.mjs';
import { sandbox } from './cases/sandbox.mjs';
import { sea } from './cases/sea.mjs';
import { search } from './cases/search.mjs';
import { sessionSearch } from './cases/session-search.mjs';
import { sessions } from './cases/sessions.mjs';
import { start } from './cases/start.mjs';
import { streaming } from './cases/streaming.mjs';
import { subagents } from './cases/subagents.mjs';
import { toolTurns } from './cases/tool-turns.mjs';
import { tui } from './cases/tui.mjs';
import { wasm } from './cases/wasm.mjs';
import { web } from './cases/web.mjs';
import { xnl } from './cases/xnl.mjs';
import { tableOf } from './report.mjs';

// The first cases find the project empty, as they should; later ones put files there.
const cases = {
  start,
  'one-turn': oneTurn,
  proxy,
  streaming,
  'first-request': firstRequest,
  'tool-turns': toolTurns,
  search,
  'event-loop': eventLoop,
  permissions,
  frames,
  diff,
  tui,
  xnl,
  'session-search': sessionSearch,
  sandbox,
  checkpoint,
  sessions,
  subagents,
  resources,
  mcp,
  wasm,
  kill,
  fleet,
  web,
  // Built by a command of its own.
  sea,
};

const { only, quick, json } = options();
const bench = await openBench({ quick });
try {
  /** @type {import('./report.mjs').Row[]} */
  const rows = [];
  for (const [name, run] of Object.entries(cases)) {
    if (!only.includes(name)) continue;
    process.stderr.write(`${name} …\n`);
    rows.push(...(await run(bench)));
  }
  process.stdout.write(
    json ? `${JSON.stringify({ node: process.version, rows }, null, 2)}\n` : tableOf(rows),
  );
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
} finally {
  bench.close();
}

function options() {
  const names = Object.keys(cases);
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', multiple: true, default: names.filter((name) => name !== 'sea') },
        quick: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const unknown = values.only.filter((name) => !names.includes(name));
    if (unknown.length === 0) return values;
    return misused(`No such benchmark: ${unknown.join(', ')}. There are ${names.join(', ')}.`);
  } catch (error) {
    return misused(messageOf(error));
  }
}

/** @returns {never} */
function misused(/** @type {string} */ message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function messageOf(/** @type {unknown} */ error) {
  return error instanceof Error ? error.message : String(error);
}
