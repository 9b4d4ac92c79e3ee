// A web app: one client per tenant, answers as server-sent events, and a user who is asked.
import { Robota, sseResponse } from '@robota-sdk/agent-sdk';

const { TENANT_HOME, TENANT_KEY, ANTHROPIC_BASE_URL } = process.env;
const robota = new Robota({
  home: TENANT_HOME ?? '/var/lib/app/tenant-1',
  env: { ANTHROPIC_API_KEY: TENANT_KEY, ANTHROPIC_BASE_URL },
});
robota.subscribe(({ event }) => {
  if (event.type === 'run-end') console.log('run-end', event.result.status, event.result.cost > 0);
});

export async function chat(request: Request): Promise<Response> {
  const run = robota.query(await request.text(), {
    cwd: 'app',
    session: 'new',
    questions: 'wait',
    maxCost: 0.5,
    signal: request.signal,
  });
  return sseResponse(run, { headers: { 'x-session': run.session.id } });
}

export async function answer(request: Request): Promise<Response> {
  const { session, question, choice } = (await request.json()) as Record<string, string>;
  robota.live.get(session ?? '')?.answer(question ?? '', { choice: choice ?? '' });
  return new Response(null, { status: 204 });
}

// Acts as the browser: reads the frames and posts its user's choice.
const page = 'http://localhost';
const response = await chat(new Request(page, { method: 'POST', body: 'Write the news' }));
const session = response.headers.get('x-session');
for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
  const { type, question } = JSON.parse(String(chunk).split('\ndata: ')[1] ?? '{}');
  if (type !== 'question-start') continue;
  const choices = question.choices.map(({ id }: { id: string }) => id);
  console.log('question', question.call.name, choices.includes('once'), choices.includes('deny'));
  const body = JSON.stringify({ session, question: question.id, choice: 'once' });
  await answer(new Request(page, { method: 'POST', body }));
}
