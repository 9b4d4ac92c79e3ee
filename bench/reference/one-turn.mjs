// The least program that asks a model once and prints the answer: node one-turn.mjs URL FILE_WITH_THE_REQUEST
// With `stream-json` as third word it prints every piece of the answer as an event, as soon as it comes.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [url = '', file = '', format = 'text'] = process.argv.slice(2);
const response = await fetch(`${url}/v1/messages`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': 'x', 'anthropic-version': '2023-06-01' },
  body: JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))),
});
if (!response.ok || !response.body) throw new Error(`The server answered ${response.status}`);
const decoder = new TextDecoder();
const session_id = randomUUID();
let rest = '';
let text = '';
for await (const chunk of response.body) {
  const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    if (!line.startsWith('data: ')) continue;
    const { type, delta } = JSON.parse(line.slice(6));
    if (type !== 'content_block_delta') continue;
    text += delta.text;
    if (format === 'stream-json')
      print({ type: 'stream_event', event: { type, delta }, session_id, uuid: randomUUID() });
  }
}
if (format === 'stream-json') print({ type: 'result', result: text, session_id });
else process.stdout.write(`${text}\n`);

function print(/** @type {unknown} */ value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
