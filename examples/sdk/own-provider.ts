// A model provider of your own: three kinds of events are enough; retries and fallbacks are ours.
import { AgentError, defineProvider, Robota } from '@robota-sdk/agent-sdk';

const acme = defineProvider({
  vendor: 'acme',
  models: [{ id: 'large', contextWindow: 128_000, price: { input: 1, output: 4 } }],
  async *stream({ model, system, messages, signal }) {
    const body = JSON.stringify({ model: model.id, system, messages });
    const reply = await fetch('https://llm.example/chat', { method: 'POST', signal, body });
    if (reply.status === 429) throw new AgentError('rate-limit', 'ACME is busy.', { retryable: true });
    yield { type: 'text-delta', text: await reply.text() };
    yield { type: 'end', usage: { input: 10, output: 5 } };
  },
});

console.log(await new Robota({ providers: [acme] }).query('Hello', { model: 'acme/large' }));
