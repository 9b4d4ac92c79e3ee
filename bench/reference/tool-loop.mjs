// The least agent: asks, reads the files and runs the commands the model wants, sends the grown conversation again, until the model is done.
// node tool-loop.mjs URL FILE_WITH_THE_FIRST_REQUEST
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** @typedef {{ type: string, id?: string, text?: string, input?: any }} Block */

const [url = '', file = ''] = process.argv.slice(2);
const request = JSON.parse(readFileSync(file, 'utf8'));

for (;;) {
  const { content, stopReason } = await ask();
  request.messages.push({ role: 'assistant', content });
  const calls = content.filter(({ type }) => type === 'tool_use');
  if (stopReason !== 'tool_use') {
    for (const { text } of content) process.stdout.write(`${text}\n`);
    break;
  }
  request.messages.push({ role: 'user', content: await Promise.all(calls.map(answer)) });
}

async function ask() {
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'x', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(request),
  });
  if (!response.ok || !response.body) throw new Error(`The server answered ${response.status}`);
  /** @type {Block[]} */
  const content = [];
  const decoder = new TextDecoder();
  let rest = '';
  let stopReason = '';
  for await (const chunk of response.body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const { type, index, content_block, delta } = JSON.parse(line.slice(6));
      if (type === 'content_block_start')
        content[index] = { ...content_block, ...(content_block.input && { input: '' }) };
      if (type === 'content_block_delta') add(content[index], delta);
      if (type === 'message_delta') stopReason = delta.stop_reason;
    }
  }
  for (const block of content) if (block.type === 'tool_use') block.input = JSON.parse(block.input);
  return { content, stopReason };
}

function add(
  /** @type {Block | undefined} */ block,
  /** @type {{ text?: string, partial_json?: string }} */ delta,
) {
  if (block && delta.text !== undefined) block.text += delta.text;
  else if (block) block.input += delta.partial_json;
}

/** Lines are numbered as the product does it, so that both send the same bytes. */
async function answer(/** @type {Block} */ call) {
  if (call.input.command !== undefined) return result(call, (await outputOf(call.input.command)).trimEnd());
  const lines = (await readFile(call.input.file_path, 'utf8')).trimEnd().split('\n');
  return result(call, lines.map((line, index) => `${index + 1}\t${line}`).join('\n'));
}

function result(/** @type {Block} */ call, /** @type {string} */ text) {
  return { type: 'tool_result', tool_use_id: call.id, content: [{ type: 'text', text }] };
}

/** @returns {Promise<string>} */
function outputOf(/** @type {string} */ command) {
  const args = ['--noprofile', '--norc', '-c', command];
  const child = spawn('/bin/bash', args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
  return new Promise((resolve, reject) => child.once('error', reject).once('close', () => resolve(output)));
}
