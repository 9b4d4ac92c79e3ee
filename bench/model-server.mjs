// Plays the Anthropic Messages API in a separate process, so that its work is not measured. The script is in
// the URL: /text/COUNT streams that many tokens at a steady pace, /burst/COUNT as fast as they are taken;
// /answer/COUNT says that many words at once and counts the tokens it was sent; /prose/COUNT writes Markdown
// like a model, 200 tokens a second; /tools/COUNT asks for that many reads, one a turn, then says done;
// /commands/COUNT asks for commands instead. Requests below /recorded/… are kept and returned by GET
// /requests.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { proseTokens } from './prose.mjs';

const eventsInPiece = 10;
const proseTokensPerSecond = 200;

/** @type {string[]} */
const recorded = [];

const server = createServer(async (incoming, outgoing) => {
  const parts = [];
  for await (const part of incoming) parts.push(part);
  const body = Buffer.concat(parts).toString('utf8');
  const url = String(incoming.url);
  if (url === '/requests') return void outgoing.end(JSON.stringify(recorded.splice(0)));
  const [, recording, kind, count] =
    /^(\/recorded)?\/(text|burst|answer|prose|tools|commands)\/(\d+)\/v1\/messages$/.exec(url) ?? [];
  if (kind === undefined) return void outgoing.writeHead(404).end(`No script for ${url}`);
  // Titles are written beside the conversation and are no part of what is measured.
  if (body.includes('You write the title of a conversation')) return void outgoing.writeHead(404).end();
  if (recording) recorded.push(body);
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  if (kind === 'prose') return playSlowly(textEvents(proseTokens(Number(count))), outgoing);
  if (kind === 'answer') return void outgoing.end([...answerEvents(body, Number(count))].join(''));
  const isLoop = kind === 'tools' || kind === 'commands';
  const events = isLoop ? turnEvents(body, Number(count), kind) : textEvents(words(Number(count)));
  await play(events, outgoing, { paced: kind === 'text' });
});

server.listen(0, '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.send?.(`http://127.0.0.1:${address.port}`);
});
process.once('disconnect', () => process.exit());

/**
 * A client gets what has come since it last looked, so an unpaced stream would give a slow one fewer and larger pieces.
 * Paced, ten events a millisecond, every client reads the same pieces; in a burst all of it waits to be taken.
 * @param {Iterable<string>} events
 * @param {import('node:http').ServerResponse} outgoing
 * @param {{ paced: boolean }} options
 */
async function play(events, outgoing, { paced }) {
  let piece = '';
  let count = 0;
  for (const event of events) {
    if (outgoing.destroyed) return;
    piece += event;
    if (++count % eventsInPiece !== 0) continue;
    if (!outgoing.write(piece)) await once(outgoing, 'drain');
    if (paced) await sleep(1);
    piece = '';
  }
  outgoing.end(piece);
}

/**
 * Each event by itself, when it is due.
 * @param {Iterable<string>} events
 * @param {import('node:http').ServerResponse} outgoing
 */
async function playSlowly(events, outgoing) {
  const begin = performance.now();
  let count = 0;
  for (const event of events) {
    if (outgoing.destroyed) return;
    outgoing.write(event);
    const due = begin + (++count * 1000) / proseTokensPerSecond;
    await sleep(Math.max(0, due - performance.now()));
  }
  outgoing.end();
}

function* textEvents(/** @type {readonly string[]} */ tokens) {
  yield* start(1000);
  yield* block({ type: 'text', text: '' }, textDeltas(tokens));
  yield* end('end_turn', tokens.length);
}

function* answerEvents(/** @type {string} */ body, /** @type {number} */ count) {
  yield* start(Math.round(body.length / 4));
  yield* block({ type: 'text', text: '' }, textDeltas([words(count).join('')]));
  yield* end('end_turn', count);
}

function* textDeltas(/** @type {readonly string[]} */ tokens) {
  for (const text of tokens) yield { type: 'text_delta', text };
}

function words(/** @type {number} */ count) {
  return Array.from({ length: count }, (_, index) => (index % 12 === 11 ? 'line.\n' : `word${index % 10} `));
}

/** The turn is told by the results that the request brings back, so the server keeps no state. */
function* turnEvents(
  /** @type {string} */ body,
  /** @type {number} */ turns,
  /** @type {'tools' | 'commands'} */ kind,
) {
  const turn = body.split('"type":"tool_result"').length - 1;
  yield* start(Math.round(body.length / 4));
  if (turn === turns) {
    yield* block({ type: 'text', text: '' }, [{ type: 'text_delta', text: 'Done.' }]);
    return yield* end('end_turn', 2);
  }
  yield* block({ type: 'text', text: '' }, [{ type: 'text_delta', text: `Reading file ${turn}.` }]);
  const isRead = kind === 'tools';
  const json = JSON.stringify(
    isRead ? { file_path: `file-${turn}.txt` } : { command: `echo number ${turn}` },
  );
  const pieces = ['', json.slice(0, 12), json.slice(12)];
  const deltas = pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
  yield* block(
    { type: 'tool_use', id: `toolu_${turn}`, name: isRead ? 'Read' : 'Bash', input: {} },
    deltas,
    1,
  );
  yield* end('tool_use', 40);
}

function* start(/** @type {number} */ inputTokens) {
  const usage = { input_tokens: inputTokens, output_tokens: 1 };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-6',
    content: [],
    usage,
  };
  yield event({ type: 'message_start', message });
}

function* block(/** @type {object} */ content_block, /** @type {Iterable<object>} */ deltas, index = 0) {
  yield event({ type: 'content_block_start', index, content_block });
  for (const delta of deltas) yield event({ type: 'content_block_delta', index, delta });
  yield event({ type: 'content_block_stop', index });
}

function* end(/** @type {string} */ stop_reason, /** @type {number} */ outputTokens) {
  yield event({
    type: 'message_delta',
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: outputTokens },
  });
  yield event({ type: 'message_stop' });
}

function event(/** @type {{ type: string, [key: string]: unknown }} */ data) {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
