import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AgentError, decodeJson, type UserContent } from '@robota-sdk/agent-sdk/front-end';
import { adviceFor } from '../arguments/advice.ts';
import { optionLength } from '../arguments/args.ts';

/** Outputs of `codex exec` besides the answer on standard output. */
export interface ExecOutput {
  /** Print the event lines of `codex exec --json` instead of the answer. */
  readonly isJson: boolean;
  /** Nothing is written, whatever the settings allow. */
  readonly isReadOnly: boolean;
  /** Receives the last message. */
  readonly lastMessageFile?: string;
  readonly images: readonly UserContent[];
}

export interface ExecRequest extends ExecOutput {
  /** The command line in our options. */
  readonly argv: readonly string[];
}

/** The options of ours so far, and the words. */
interface Reading {
  readonly ours: string[];
  readonly words: string[];
  readonly images: string[];
  readonly servers: Record<string, Record<string, unknown>>;
  lastMessageFile?: string;
  isJson: boolean;
  sandboxMode?: keyof typeof sandboxModes;
  configuredMode?: keyof typeof sandboxModes;
  isOss: boolean;
  ossProvider?: string;
  model?: string;
  isLast: boolean;
}

type Take = (reading: Reading, value: string) => void;

interface CodexOption {
  readonly names: readonly string[];
  /** It has a value. */
  readonly value?: true;
  readonly take: Take;
}

const add =
  (...options: readonly string[]): Take =>
  ({ ours }) =>
    void ours.push(...options);

const nothing: Take = () => {};

/** The options of ours for each sandbox mode of Codex. */
const sandboxModes = {
  'read-only': ['--permission-mode', 'plan', '--exclude-tools', 'ExitPlanMode'],
  'workspace-write': ['--permission-mode', 'acceptEdits', '--sandbox', 'required', '--allow', 'Bash'],
  'danger-full-access': ['--dangerously-skip-permissions', '--sandbox', 'off'],
} as const;

/** An option is stronger than a setting; two different options would leave open what may be written. */
function sandboxed(mode: keyof typeof sandboxModes): Take {
  return (reading) => {
    const { sandboxMode = mode } = reading;
    if (sandboxMode !== mode)
      throw new AgentError('usage', `--sandbox ${sandboxMode} and ${mode} cannot be used together.`);
    reading.sandboxMode = mode;
  };
}

function configured(mode: keyof typeof sandboxModes): Take {
  return (reading) => {
    reading.configuredMode = mode;
  };
}

function eachMode(take: typeof sandboxed): Readonly<Record<string, Take>> {
  return {
    'read-only': take('read-only'),
    'workspace-write': take('workspace-write'),
    'danger-full-access': take('danger-full-access'),
  };
}

/** No user can be asked in a script, so each of them denies what is not allowed. */
const policies: Readonly<Record<string, Take>> = {
  never: nothing,
  'on-request': nothing,
  'on-failure': nothing,
  untrusted: nothing,
};

const setColour: Readonly<Record<string, Take>> = {
  auto: nothing,
  always: () => void Object.assign(process.env, { FORCE_COLOR: '1' }),
  never: () => void Object.assign(process.env, { NO_COLOR: '1' }),
};

/** The options of `codex exec`, as it means them. Other options of ours work too; all others are refused. */
const options: readonly CodexOption[] = [
  { names: ['--config', '-c'], value: true, take: takeSetting },
  { names: ['--image', '-i'], value: true, take: takeImages },
  {
    names: ['--model', '-m'],
    value: true,
    take: (reading, value) => {
      reading.model = value;
    },
  },
  { names: ['--profile', '-p'], value: true, take: (_, value) => refuse('--profile', value) },
  { names: ['--sandbox', '-s'], value: true, take: takeSandbox },
  { names: ['--full-auto'], take: sandboxed('workspace-write') },
  { names: ['--dangerously-bypass-approvals-and-sandbox', '--yolo'], take: sandboxed('danger-full-access') },
  { names: ['--ask-for-approval', '-a'], value: true, take: oneOf('--ask-for-approval', policies) },
  { names: ['--cd', '-C'], value: true, take: ({ ours }, value) => void ours.push('--cwd', value) },
  { names: ['--add-dir'], value: true, take: ({ ours }, value) => void ours.push('--add-dir', value) },
  { names: ['--ephemeral'], take: add('--no-session') },
  { names: ['--ignore-user-config'], take: add('--setting-sources', 'project,local') },
  {
    names: ['--output-schema'],
    value: true,
    take: ({ ours }, value) => void ours.push('--json-schema', resolve(value)),
  },
  {
    names: ['--output-last-message', '-o'],
    value: true,
    take: (reading, value) => {
      reading.lastMessageFile = value;
    },
  },
  {
    names: ['--json', '--experimental-json'],
    take: (reading) => {
      reading.isJson = true;
    },
  },
  { names: ['--color'], value: true, take: oneOf('--color', setColour) },
  {
    names: ['--oss'],
    take: (reading) => {
      reading.isOss = true;
    },
  },
  {
    names: ['--local-provider'],
    value: true,
    take: (reading, value) => {
      reading.ossProvider = value;
    },
  },
  {
    names: ['--last'],
    take: (reading) => {
      reading.isLast = true;
    },
  },
  { names: ['--worktree'], take: add('--worktree', '--print') },
  { names: ['--thread-source'], value: true, take: nothing },
  {
    names: ['--skip-git-repo-check', '--strict-config', '--search', '--include-plan-tool', '--all'],
    take: nothing,
  },
  { names: ['-V'], take: add('--version') },
  { names: ['-h'], take: add('--help') },
];

/** Reads a command line that begins with `exec`, perhaps after options of Codex; undefined for any other. */
export function readExec(argv: readonly string[]): ExecRequest | undefined {
  if (!argv.includes('exec') && argv[0] !== 'e') return undefined;
  const reading: Reading = {
    ours: [],
    words: [],
    images: [],
    servers: {},
    isJson: false,
    isOss: false,
    isLast: false,
  };
  const place = argv.findIndex((word, index) => index >= leading(argv) && !word.startsWith('-'));
  const isExec = place === leading(argv) && (argv[place] === 'exec' || argv[place] === 'e');
  // A task file is for our command `e`.
  if (!isExec || (argv[place] === 'e' && place === argv.length - 1)) return undefined;
  read(argv.slice(0, place), reading);
  read(argv.slice(place + 1), reading);
  const { ours, isJson, lastMessageFile, images } = reading;
  const mode = reading.sandboxMode ?? reading.configuredMode;
  const said = conversation(reading);
  const prompt = said.words.filter((word, index) => word !== '-' || index < said.words.length - 1);
  if (isJson && ours.some((word) => word.startsWith('--output-format')))
    throw new AgentError('usage', '--json and --output-format cannot be used together.');
  return {
    argv: [
      '--print',
      ...said.options,
      ...modelOptions(reading),
      ...serverOptions(reading),
      ...(mode === undefined ? [] : sandboxModes[mode]),
      ...ours,
      '--',
      ...prompt,
    ],
    isJson,
    isReadOnly: mode === 'read-only',
    ...(lastMessageFile === undefined ? {} : { lastMessageFile: resolve(lastMessageFile) }),
    images: images.map(readImage),
  };
}

/** How many words before the first command are options of Codex with their values. */
function leading(argv: readonly string[]): number {
  let at = 0;
  for (;;) {
    const word = argv[at] ?? '';
    const found = findOption(word);
    // Ours before a command are for `robota` itself.
    if (!found || word === '-p') return at;
    at += found.option.value && found.inline === undefined ? 2 : 1;
  }
}

function read(argv: readonly string[], reading: Reading): void {
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--') {
      reading.words.push(...argv.slice(index + 1));
      return;
    }
    const found = findOption(word);
    if (found?.option.value) {
      const value = found.inline ?? argv[++index];
      if (value === undefined) throw new AgentError('usage', `${found.name} needs a value.`);
      found.option.take(reading, value);
      // Codex takes every word behind it for an image; here a prompt is not one.
      if (found.option.take === takeImages)
        while (isImage.test(argv[index + 1] ?? '')) takeImages(reading, argv[++index] ?? '');
    } else if (found && found.inline === undefined) found.option.take(reading, '');
    else if (!word.startsWith('-') || word === '-') reading.words.push(word);
    else {
      const length = optionLength(argv.slice(index));
      const hint = adviceFor(word.replace(/=.*$/s, ''));
      const known = { hint: hint ?? { text: 'See', run: ['exec', '--help'] } };
      if (length === 0) throw new AgentError('usage', `Unknown option ${word} for robota exec.`, known);
      reading.ours.push(...argv.slice(index, index + length));
      index += length - 1;
    }
  }
}

/** `--name=value`, and `-nvalue` and `-n=value` for one letter. */
function findOption(word: string): { option: CodexOption; name: string; inline?: string } | undefined {
  const [, name = '', equals, value = ''] = /^(--[\w-]+|-\w)(=)?(.*)$/s.exec(word) ?? [];
  const option = options.find(({ names }) => names.includes(name));
  if (!option) return undefined;
  const isAttached = equals !== undefined || value !== '';
  if (!isAttached) return { option, name };
  return name.startsWith('--') && equals === undefined ? undefined : { option, name, inline: value };
}

const isImage = /^[^-\s][^\s]*\.(?:png|jpe?g|gif|webp)$/i;

function takeImages({ images }: Reading, value: string): void {
  images.push(...value.split(','));
}

function oneOf(name: string, takes: Readonly<Record<string, Take>>): Take {
  return (reading, value) => {
    const take = Object.hasOwn(takes, value) ? takes[value] : undefined;
    if (!take)
      throw new AgentError('usage', `${name} ${value}: choose one of ${Object.keys(takes).join(', ')}.`);
    take(reading, value);
  };
}

/** Our own modes work too; `off` and the like mean nothing to Codex. */
function takeSandbox(reading: Reading, value: string): void {
  if (['off', 'auto', 'required'].includes(value)) reading.ours.push('--sandbox', value);
  else oneOf('--sandbox', eachMode(sandboxed))(reading, value);
}

function refuse(name: string, value: string): never {
  throw new AgentError('usage', `${name} ${value}: Robota has no profiles.`, {
    hint: 'Use --model NAME, and --settings FILE for the rest.',
  });
}

/** Settings of Codex that have a counterpart, or none that would change a script. */
const settings: Readonly<Record<string, Take>> = {
  model: (reading, value) => {
    reading.model = value;
  },
  model_reasoning_effort: ({ ours }, value) =>
    void ours.push('--thinking', value === 'none' ? 'off' : value === 'minimal' ? 'low' : value),
  sandbox_mode: (reading, value) => oneOf('-c sandbox_mode', eachMode(configured))(reading, value),
  approval_policy: oneOf('-c approval_policy', policies),
  developer_instructions: ({ ours }, value) => void ours.push('--append-system-prompt', value),
  model_instructions_file: ({ ours }, value) => void ours.push('--system-prompt-file', value),
  experimental_instructions_file: ({ ours }, value) => void ours.push('--system-prompt-file', value),
  'sandbox_workspace_write.network_access': ({ ours }, value) => {
    if (value === 'true') ours.push('--sandbox-host', '*');
  },
  'sandbox_workspace_write.writable_roots': ({ ours }, value) => {
    for (const root of listOf(value)) ours.push('--sandbox-write', root);
  },
  'history.persistence': ({ ours }, value) => void (value === 'none' && ours.push('--no-session')),
  'tools.web_search': nothing,
  web_search: nothing,
};

/** Settings about the screen and the summary of thinking. */
const withoutEffect =
  /^(?:tui\.|hide_agent_reasoning$|show_raw_agent_reasoning$|model_reasoning_summary$|model_verbosity$|check_for_update_on_startup$|disable_response_storage$|hide_full_access_warning$|notice\.|analytics\.|feedback\.)/;

function takeSetting(reading: Reading, given: string): void {
  const equals = given.indexOf('=');
  if (equals < 1) throw new AgentError('usage', `-c ${given}: expected KEY=VALUE.`);
  const key = given.slice(0, equals).trim();
  const value = tomlText(given.slice(equals + 1).trim());
  const take = Object.hasOwn(settings, key) ? settings[key] : undefined;
  if (take) return take(reading, value);
  if (withoutEffect.test(key)) return;
  const [, server, field] = /^mcp_servers\.([\w-]+)\.(command|args|url|cwd|env(?:\.\w+)?)$/.exec(key) ?? [];
  if (server !== undefined && field !== undefined) return takeServer(reading, { server, field, value });
  throw new AgentError('usage', `-c ${key}: Robota has no such setting.`, {
    hint: adviceFor('--config'),
  });
}

function takeServer(
  { servers }: Reading,
  { server, field, value }: { readonly server: string; readonly field: string; readonly value: string },
): void {
  servers[server] ??= {};
  const entry = servers[server];
  if (field === 'args') entry.args = listOf(value);
  else if (field === 'env') entry.env = tableOf(value);
  else if (field.startsWith('env.')) entry.env = { ...Object(entry.env), [field.slice(4)]: value };
  else entry[field] = value;
}

/** A string loses its quotes; anything else stays as it is. */
function tomlText(value: string): string {
  const quote = value[0] ?? '';
  const isQuoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : value;
}

function listOf(value: string): readonly string[] {
  const read = decodeJson(value.replaceAll("'", '"'));
  if (read.ok && Array.isArray(read.value)) return read.value.map(String);
  throw new AgentError('usage', `${value}: expected a list like ["a", "b"].`);
}

/** Names stand between the quoted values. */
function tableOf(value: string): Readonly<Record<string, string>> {
  const parts = value.replaceAll("'", '"').split('"');
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < parts.length; index += 2)
    pairs.push([(parts[index] ?? '').replaceAll(/[{,=\s]/g, ''), parts[index + 1] ?? '']);
  if (value.startsWith('{') && pairs.every(([name]) => /^\w+$/.test(name))) return Object.fromEntries(pairs);
  throw new AgentError('usage', `${value}: expected a table like {A = "b"}.`);
}

/** The session to continue, as `exec resume` and `exec fork` name it, and the prompt. */
function conversation({ words, isLast }: Reading): {
  readonly options: readonly string[];
  readonly words: readonly string[];
} {
  const [verb, ...rest] = words;
  if (verb === 'review')
    throw new AgentError('usage', 'robota exec has no review.', {
      hint: { text: 'Use', run: ['-p', '/review'] },
    });
  if (verb === 'help' && rest.length === 0) return { options: ['--help'], words: [] };
  if (verb !== 'resume' && verb !== 'fork') {
    if (isLast) throw new AgentError('usage', '--last needs "resume": robota exec resume --last PROMPT.');
    return { options: [], words };
  }
  const [id, ...prompt] = rest;
  const fork = verb === 'fork' ? ['--fork'] : [];
  if (isLast) return { options: ['--continue', ...fork], words: rest };
  if (id === undefined)
    throw new AgentError('usage', `robota exec ${verb} needs the ID of a session, or --last.`);
  return { options: ['--resume', id, ...fork], words: prompt };
}

function modelOptions({ model, isOss, ossProvider }: Reading): readonly string[] {
  if (!isOss && ossProvider === undefined) return model === undefined ? [] : ['--model', model];
  const known = model === undefined ? 'NAME' : model;
  if (model === undefined || (ossProvider !== undefined && !/^(?:ollama|lmstudio)$/.test(ossProvider)))
    throw new AgentError('usage', '--oss needs a model, and ollama or lmstudio as its server.', {
      hint: `Use --model ollama/${known} or lmstudio/${known}.`,
    });
  return ['--model', `${ossProvider ?? 'ollama'}/${model}`];
}

function serverOptions({ servers }: Reading): readonly string[] {
  if (Object.keys(servers).length === 0) return [];
  return ['--mcp-config', JSON.stringify({ mcpServers: servers })];
}

const imageTypes: readonly (readonly [beginning: RegExp, mimeType: string])[] = [
  [/^.PNG/s, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
];

function readImage(path: string): UserContent {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new AgentError('usage', `--image ${path}: the file cannot be read.`);
  }
  const beginning = bytes.subarray(0, 16).toString('latin1');
  const type = imageTypes.find(([pattern]) => pattern.test(beginning));
  if (!type) throw new AgentError('usage', `--image ${path}: expected a PNG, JPEG, GIF or WebP file.`);
  return { type: 'image', mimeType: type[1], data: bytes.toString('base64') };
}
