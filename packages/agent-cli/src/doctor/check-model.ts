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

type Part = Omit<Finding, 'area'>;

/** Tests the abilities of a model with requests. */
export async function checkModel(name: string, config: Config): Promise<readonly Finding[]> {
  const probe = await probeModel(name, config);
  const parts = probe.model.api === 'offline' ? [withoutServer(probe)] : partsOf(probe);
  return parts.map((part) => ({ area: 'models', ...part }));
}

function partsOf(probe: ModelProbe): readonly Part[] {
  return 'failure' in probe.answer ? [unanswered(probe)] : [answered(probe), calls(probe), windowOf(probe)];
}

/** It does what its rules know, and a question it was not made for would tell nothing. */
function withoutServer(probe: ModelProbe): Part {
  const why = 'It works by rules, without a server, and calls tools where a rule asks for it.';
  return { status: 'ok', what: `${nameOf(probe)} answers`, why };
}

function nameOf({ model }: ModelProbe): string {
  return `${model.vendor}/${model.id}`;
}

function unanswered(probe: ModelProbe): Part {
  const { message: why = '', code = '' } = 'failure' in probe.answer ? probe.answer.failure : {};
  const what = `${nameOf(probe)} does not answer`;
  const todo = remedies.get(code) ?? 'Check that the server runs and has the model.';
  const advice = `It was asked at ${probe.baseUrl}. ${todo.replace('VENDOR', probe.model.vendor)}`;
  return { status: 'broken', what, why, advice };
}

const later = 'Try again later.';
const remedies: ReadonlyMap<string, string> = new Map([
  ['auth', 'Store a key that it accepts: robota login VENDOR'],
  ['quota', 'See what your account with it allows.'],
  ['rate-limit', later],
  ['overloaded', later],
  ['server', later],
  ['certificate', 'Check the certificate, or a proxy that has one of its own.'],
]);

/** Why a trial did not come to the call that was asked for. */
function shortfallOf(trial: CallTrial | undefined): string {
  if (trial?.kind === 'failed') return trial.message;
  if (trial?.kind === 'otherwise') return `It made another call than it was asked for: ${trial.call}`;
  return 'It answered in words instead of a call.';
}

function answered(probe: ModelProbe): Part {
  if ('failure' in probe.answer) return unanswered(probe);
  const { firstTokenMs, tokensPerSecond, streams } = probe.answer;
  const speed = tokensPerSecond === undefined ? '' : `, ${tokensPerSecond} tokens a second`;
  const what = `${nameOf(probe)} answers: first token after ${firstTokenMs} ms${speed}`;
  if (streams) return { status: 'ok', what };
  return { status: 'note', what, why: 'The whole answer came at once: this server does not stream.' };
}

function calls(probe: ModelProbe): Part {
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
      advice: `It does in its text: ${protocolLine(probe)}`,
      ...(probe.profile?.toolProtocol === undefined
        ? { fix: { path: ['toolProtocols', nameOf(probe)], text: 'xnl' } }
        : {}),
    };
  return {
    status: 'broken',
    what: 'it calls no tools, neither natively nor in its text',
    why,
    advice: 'Use a larger model: this one can talk, but not work on files.',
  };
}

function callsInUse({ native, xnl }: ModelProbe): Part {
  if (xnl?.kind !== 'called') {
    return {
      status: 'broken',
      what: 'it does not call tools in its text (xnl)',
      why: shortfallOf(xnl),
      advice: 'Use a larger model.',
    };
  }
  const what = 'it calls tools in its text (xnl)';
  if (native?.kind !== 'called') return { status: 'ok', what };
  return { status: 'note', what, advice: 'It calls them natively, too, which costs fewer tokens.' };
}

function protocolLine(probe: ModelProbe): string {
  const { profile } = probe;
  if (profile?.toolProtocol !== undefined) return `"toolProtocol": "xnl" in the profile ${profile.name}`;
  return `robota config set 'toolProtocols["${nameOf(probe)}"]' xnl`;
}

/** The window that Ollama can be asked for, where the settings ask for less. */
const fittingWindow = 32_768;

function ollamaWindow({ server, trained = fittingWindow, tokens: now }: ServedModel): Pick<Part, 'fix'> {
  const wanted = Math.min(trained, fittingWindow);
  return server === 'ollama' && now < wanted
    ? { fix: { path: ['local', 'contextWindow'], text: String(wanted) } }
    : {};
}

function windowOf({ served: window, model }: ModelProbe): Part {
  const assumed = tokens(model.contextWindow);
  if (!window) return { status: 'note', what: `its window is unknown, ${assumed} are assumed` };
  // It makes the room that each request asks for; a model that is not loaded yet shows nothing of it.
  if (window.server === 'ollama' && window.isAssumed && model.contextWindow >= tightWindow)
    return { status: 'ok', what: `Ollama is asked for a window of ${assumed}` };
  const what = `its server gives it a window of ${tokens(window.tokens)}${window.isAssumed ? ', unless told otherwise' : ''}`;
  const isLess = window.tokens < model.contextWindow;
  if (!isLess && window.tokens >= tightWindow) return { status: 'ok', what };
  const reasons = [
    ...(isLess ? [`Robota reckons with ${assumed}: what is beyond would be cut off without a word.`] : []),
    ...(window.tokens < tightWindow ? ['That is little for work on files.'] : []),
    ...(window.trained !== undefined && window.trained > window.tokens
      ? [`The model was made for ${tokens(window.trained)}.`]
      : []),
  ];
  const tell = isLess
    ? ` Or say so: "contextWindow": ${window.tokens} for the model in ~/.robota/models.json.`
    : '';
  const advice = `${raise[window.server]}${tell}`;
  return { status: 'warning', what, why: reasons.join(' '), advice, ...ollamaWindow(window) };
}

const raise: Readonly<Record<ServedModel['server'], string>> = {
  ollama:
    'Give it more: robota config set local.contextWindow 32768. If it stays so, its memory is too small for more, or OLLAMA_CONTEXT_LENGTH limits it.',
  'llama.cpp': 'Give it more: llama-server -c 32768.',
  lmstudio: 'Give it more: load the model with a longer context in LM Studio.',
  vllm: 'Give it more: vllm serve --max-model-len 32768.',
  other: 'Give it more where the server is started, such as vllm serve --max-model-len.',
};

function tokens(count: number): string {
  return `${count.toLocaleString('en')} tokens`;
}
