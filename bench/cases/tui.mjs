import { tuiRest } from './tui-rest.mjs';
import { homeWith } from './tui-session.mjs';
import { tuiStart } from './tui-start.mjs';
import { tuiStream } from './tui-stream.mjs';

const fewItems = 400;
const manyItems = 5000;

/** The conversation in a terminal: how soon it can be typed in, what echo and stream cost, and what rest does. */
export async function tui(/** @type {import('../bench.mjs').Bench} */ bench) {
  const few = await homeWith(bench, fewItems);
  const many = await homeWith(bench, manyItems);
  return [
    ...(await tuiStart(bench)),
    ...(await tuiStream(bench, { few, many })),
    ...(await tuiRest(bench, many)),
  ];
}
