import {
  type CallTrial,
  type Config,
  type ModelProbe,
  probeModel,
  type ServedModel,
} from '@robota-sdk/agent-sdk/front-end';
import type { Finding } from './finding.ts';

/** A window below this hardly holds the prompt, the tools and a file. */
const tightWindow = 16_384;

/** Tests the abilities of a model with requests. */
export async function checkModel(name: string, config: Config): Promise<readonly Finding[]> {
  const probe = await probeModel(name, config);
  if (probe.model.api === 'offline') return [withoutServer(probe)];
  return 'failure' in probe.answer ? [unanswered(probe)] : [answered(probe), calls(probe), windowOf(probe)];
}

/** The offline model answers by rules, so a probe would tell nothing. */
function withoutServer(probe: ModelProbe): Finding {
  const why = 'It is rule-based and needs no server.';
  return { status: 'ok', what: `${nameOf(probe)} answers`, why };
}

function nameOf({ model }: ModelProbe): string {
  return `${model.vendor}/${model.id}`;
}

function unanswered(probe: ModelProbe): Finding {
  const { message: why = '', code = '' } = 'failure' in probe.answer ? probe.answer.failure : {};
  const what = `${nameOf(probe)} does not answer`;
  const todo = remedies.get(code) ?? 'Check that the server is running and has the model.';
  const advice = `Tried ${probe.baseUrl}. ${todo.replace('VENDOR', probe.model.vendor)}`;
  return { status: 'broken', what, why, advice };
}

const later = 'Try again later.';
const remedies: ReadonlyMap<string, string> = new Map([
  ['auth', 'Store a valid key: robota login VENDOR'],
  ['quota', 'Check the limits of your account.'],
  ['rate-limit', later],
  ['overloaded', later],
  ['server', later],
  ['certificate', 'Check the certificate of the server or the proxy.'],
]);

/** The reason why a trial did not make the expected call. */
function shortfallOf(trial: CallTrial | undefined): string {
  if (trial?.kind === 'failed') return trial.message;
  if (trial?.kind === 'otherwise') return `It made a different call: ${trial.call}`;
  return 'It answered with text instead of a call.';
}

function answered(probe: ModelProbe): Finding {
  if ('failure' in probe.answer) return unanswered(probe);
  const { firstTokenMs, tokensPerSecond, streams } = probe.answer;
  const speed = tokensPerSecond === undefined ? '' : `, ${tokensPerSecond} tokens a second`;
  const what = `${nameOf(probe)} answers: first token after ${firstTokenMs} ms${speed}`;
  if (streams) return { status: 'ok', what };
  return { status: 'note', what, why: 'This server does not stream: the whole answer arrived at once.' };
}

function calls(probe: ModelProbe): Finding {
  const { native, xnl, model } = probe;
  if (model.toolProtocol === 'xnl') return callsInUse(probe);
  if (native?.kind === 'called') return { status: 'ok', what: 'it calls tools natively' };
  const why = shortfallOf(native);
  const what = 'it does not call tools natively';
  if (xnl?.kind === 'called')
    return {
      status: 'warning',
      what,
      why,
      advice: `Text calls (xnl) work. Enable them with: ${protocolLine(probe)}`,
      ...(probe.profile?.toolProtocol === undefined
        ? { fix: { path: ['toolProtocols', nameOf(probe)], text: 'xnl' } }
        : {}),
    };
  return {
    status: 'broken',
    what: 'it cannot call tools, neither natively nor as text',
    why,
    advice: 'Use a larger model: this one can chat, but cannot work on files.',
  };
}

function callsInUse({ native, xnl }: ModelProbe): Finding {
  if (xnl?.kind !== 'called') {
    return {
      status: 'broken',
      what: 'it does not call tools as text (xnl)',
      why: shortfallOf(xnl),
      advice: 'Use a larger model.',
    };
  }
  const what = 'it calls tools as text (xnl)';
  if (native?.kind !== 'called') return { status: 'ok', what };
  return { status: 'note', what, advice: 'It also supports native calls, which need fewer tokens.' };
}

function protocolLine(probe: ModelProbe): string {
  const { profile } = probe;
  if (profile?.toolProtocol !== undefined) return `"toolProtocol": "xnl" in the profile ${profile.name}`;
  return `robota config set 'toolProtocols["${nameOf(probe)}"]' xnl`;
}

/** The window that Ollama can be asked for, where the settings ask for less. */
const fittingWindow = 32_768;

function ollamaWindow(
  { server, trained = fittingWindow }: ServedModel,
  { contextWindow: asked }: ModelProbe['model'],
): Pick<Finding, 'fix'> {
  const wanted = Math.min(trained, fittingWindow);
  return server === 'ollama' && asked < wanted
    ? { fix: { path: ['local', 'contextWindow'], text: String(wanted) } }
    : {};
}

function windowOf({ served: window, model }: ModelProbe): Finding {
  const assumed = tokens(model.contextWindow);
  if (!window) return { status: 'note', what: `its context window is unknown; assuming ${assumed}` };
  // It makes the room that each request asks for; a model that is not loaded yet shows nothing of it.
  if (window.server === 'ollama' && window.isAssumed && model.contextWindow >= tightWindow)
    return { status: 'ok', what: `Robota asks Ollama for a context window of ${assumed}` };
  const what = `its context window on the server is ${tokens(window.tokens)}${window.isAssumed ? ' by default' : ''}`;
  const isLess = window.tokens < model.contextWindow;
  if (!isLess && window.tokens >= tightWindow) return { status: 'ok', what };
  const reasons = [
    ...(isLess ? [`Robota expects ${assumed}; the server would silently cut off the rest.`] : []),
    ...(window.tokens < tightWindow ? ['This is too small for most work on files.'] : []),
    ...(window.trained !== undefined && window.trained > window.tokens
      ? [`The model supports ${tokens(window.trained)}.`]
      : []),
  ];
  const tell = isLess
    ? ` Or set "contextWindow": ${window.tokens} for the model in ~/.robota/models.json.`
    : '';
  const isWhole = window.trained !== undefined && window.trained <= window.tokens;
  const advice = `${isWhole ? 'Use a model with a larger window: this one supports no more.' : raise[window.server]}${tell}`;
  return { status: 'warning', what, why: reasons.join(' '), advice, ...ollamaWindow(window, model) };
}

const raise: Readonly<Record<ServedModel['server'], string>> = {
  ollama:
    'Increase it: robota config set local.contextWindow 32768. If it does not change, memory or OLLAMA_CONTEXT_LENGTH limits it.',
  'llama.cpp': 'Increase it: llama-server -c 32768.',
  lmstudio: 'Increase it: load the model with a longer context in LM Studio.',
  vllm: 'Increase it: vllm serve --max-model-len 32768.',
  other: 'Increase it when starting the server, as with vllm serve --max-model-len.',
};

function tokens(count: number): string {
  return `${count.toLocaleString('en')} tokens`;
}
