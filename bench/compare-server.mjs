// Answers "hello" to one question in the formats of three vendors, for `npm run compare`. A separate process, so that its work is not measured.
import { createServer } from 'node:http';

const usage = { input_tokens: 10, output_tokens: 1 };
const said = {
  type: 'message',
  id: 'i1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'hello', annotations: [] }],
};

/** Events of an answer, by the end of the path. */
const answers = {
  messages: [
    {
      type: 'message_start',
      message: {
        id: 'm1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        usage,
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ],
  responses: [
    { type: 'response.created', response: { id: 'r1', status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...said, content: [] } },
    { type: 'response.output_text.delta', item_id: 'i1', output_index: 0, content_index: 0, delta: 'hello' },
    { type: 'response.output_item.done', output_index: 0, item: said },
    {
      type: 'response.completed',
      response: { id: 'r1', status: 'completed', output: [said], usage: { ...usage, total_tokens: 11 } },
    },
  ],
  streamGenerateContent: [
    {
      candidates: [
        { content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP', index: 0 },
      ],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1, totalTokenCount: 11 },
    },
  ],
};

const server = createServer((incoming, outgoing) => {
  let bytes = 0;
  incoming.on('data', (part) => {
    bytes += part.length;
  });
  incoming.once('end', () => {
    const path = String(incoming.url).replace(/\?.*$/, '');
    const kind = Object.keys(answers).find((name) => path.endsWith(name));
    if (kind === undefined) return void outgoing.writeHead(404).end('{}');
    process.send?.({ bytes });
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    outgoing.end(
      answers[/** @type {keyof typeof answers} */ (kind)]
        .map(
          (event) => `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
        )
        .join(''),
    );
  });
});

server.listen(0, '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.send?.({ url: `http://127.0.0.1:${address.port}` });
});
process.once('disconnect', () => process.exit());
