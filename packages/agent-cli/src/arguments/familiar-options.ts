import { withProgram } from './program-name.ts';

/** Our counterparts of options that other agents have and we lack, without their dashes. */
export const familiarOptions: Readonly<Record<string, string>> = {
  // Claude Code
  advisor: 'Robota has no second model that advises. Leave it out.',
  'append-subagent-system-prompt': 'Write instructions for an agent in its own file: .robota/agents/NAME.md.',
  'allow-all-tools': 'Use --permission-mode bypassPermissions.',
  bare: 'Use --setting-sources "" --no-context-files.',
  background: 'Run {program} -p in the background of your shell, or /agent in a session.',
  bg: 'Run {program} -p in the background of your shell, or /agent in a session.',
  brief: 'Use --append-system-prompt "Be brief."',
  channels: 'Robota has none. Leave it out.',
  d: 'Use --debug.',
  chrome: 'Add a browser as an MCP server: {program} mcp add.',
  'dangerously-skip-permission': 'Use --dangerously-skip-permissions.',
  'disable-slash-commands': 'Begin a prompt with another character than "/".',
  'enable-auto-mode': 'Use --permission-mode acceptEdits, with --allow for what else may run.',
  file: 'Mention files in the prompt: @path.',
  'from-pr': 'Use -r with the id or the name of a session.',
  ide: 'Start robota from the editor: {program} acp.',
  init: 'Use {program} -p /init.',
  'init-only': 'Use {program} -p /init.',
  'managed-settings-in-initialize': 'Use --managed-settings JSON.',
  'mcp-debug': 'Use {program} mcp test NAME.',
  maintenance: 'Robota has no maintenance hooks. Leave it out.',
  'output-style': 'Use --append-system-prompt.',
  'plugin-dir-no-mcp': 'Use --plugin-dir; --strict-mcp-config leaves its MCP servers out.',
  'plugin-url': 'Use {program} plugin install URL.',
  'prompt-suggestions': 'Programs ask for them with promptSuggestions: docs/headless.md.',
  autocompact: 'Use the setting "compaction": {program} config set compaction.threshold N.',
  'forward-subagent-text': 'Programs ask for it with forwardSubagentText: docs/headless.md.',
  restricted: 'Use --tools Read,Glob,Grep,Edit,Write --setting-sources "".',
  'system-prompt-snapshot': 'Use --static-prompt, which keeps what changes out of the system prompt.',
  'project-config-root': 'The files of the working directory decide. Use --cwd, with --add-dir for others.',
  remote:
    'Robota has no cloud. Use {program} web for a browser or phone, or {program} fleet for tasks on your machines.',
  'remote-control': 'Use {program} web for a browser or phone. Programs use --input-format stream-json.',
  'remote-control-session-name-prefix': 'Use {program} web for a browser or phone.',
  'resume-drops-turn': 'Use -r ID --resume-session-at with the message before that turn.',
  'rewind-files': 'Use -r ID, then /rewind.',
  'safe-mode': 'Use --setting-sources "" --no-context-files --strict-mcp-config.',
  'session-mirror': 'Sessions are files of their own: {program} sessions export.',
  'teammate-mode': 'Use /agent in a session.',
  teleport: 'Use {program} sessions export and import.',
  tmux: 'Start robota in tmux yourself.',
  // Codex
  'ask-for-approval': approval(),
  a: approval(),
  'approval-mode': approval(),
  'approval-policy': approval(),
  'approve-for-me': 'Use --permission-mode acceptEdits --sandbox required.',
  base: 'Use {program} -p "/review REVISION".',
  color: 'Set NO_COLOR=1 or FORCE_COLOR=1.',
  enable: 'Robota has no switches for features. Leave it out.',
  disable: 'Robota has no switches for features. Leave it out.',
  config: 'Use {program} config set KEY VALUE, or --settings JSON for one run.',
  'dangerously-bypass-hook-trust':
    'Use --trust-project: it lets the hooks of the project run once, as they are.',
  'dangerously-auto-approve-everything': 'Use --permission-mode bypassPermissions.',
  'full-auto': 'Use --permission-mode acceptEdits --sandbox required.',
  'ignore-rules': 'Rules count in every run; --setting-sources chooses the files they are read from.',
  'ignore-user-config': 'Use --setting-sources project,local.',
  image: 'Mention the file in the prompt: @picture.png.',
  i: 'For a picture, mention it in the prompt: @picture.png. To start with a prompt: {program} "PROMPT".',
  json: 'Use --output-format json, or stream-json for one object a line.',
  last: 'Use -c for the last session of this directory.',
  'local-provider': 'Use --model ollama/NAME or lmstudio/NAME.',
  'no-daemon': noServer(),
  o: 'Redirect the output: {program} -p "…" > FILE.',
  oss: 'Use --model ollama/NAME or lmstudio/NAME.',
  'output-last-message': 'Redirect the output: {program} -p "…" > FILE.',
  'output-schema': 'Use --json-schema FILE.',
  profile: 'Use --model NAME: a profile is a model name.',
  P: approval(),
  'permission-profile': approval(),
  provider: 'Use --model VENDOR/ID.',
  quiet: 'Use -p.',
  q: 'Use -p.',
  s: 'Use --sandbox off, auto or required.',
  'strict-config': 'Unknown settings are warnings; see them with {program} doctor.',
  trust: 'Use --trust-project.',
  uncommitted: 'Use {program} -p /review.',
  y: 'Use --permission-mode bypassPermissions.',
  // Gemini and others
  'accept-raw-output-risk': unfiltered(),
  acp: 'Use {program} acp.',
  'admin-policy': 'Use --managed-settings JSON.',
  'all-files': 'Mention files in the prompt: @path.',
  'allowed-mcp-server-names': 'Use --mcp-config with --strict-mcp-config.',
  'experimental-acp': 'Use {program} acp.',
  extensions: 'Use {program} plugin.',
  'include-directories': 'Use --add-dir.',
  message: 'Use -p "…".',
  prompt: 'Use -p "…".',
  'prompt-interactive': 'Use {program} "…" in a terminal.',
  'delete-session': 'Use {program} sessions delete ID.',
  'list-extensions': 'Use {program} plugin list.',
  l: 'Use {program} plugin list.',
  'list-sessions': 'Use {program} sessions.',
  policy: 'Use --allow, --ask and --deny with rules.',
  'raw-output': unfiltered(),
  'session-file': 'Use --session PATH.',
  // opencode
  attach: 'Robota needs no server. Use -r ID.',
  auto: 'Use --dangerously-skip-permissions; rules that deny still count.',
  pure: 'Use --no-extensions.',
  command: 'Write the command as a prompt: {program} -p "/NAME".',
  dir: 'Use --cwd.',
  cors: noServer(),
  format: 'Use --output-format text, json or stream-json.',
  f: 'Mention files in the prompt: @path.',
  hostname: noServer(),
  interactive: 'Use {program} alone to start a conversation.',
  'log-level': 'Use --debug, with --debug-file FILE for a file.',
  mdns: noServer(),
  'mdns-domain': noServer(),
  mini: 'Use --plain.',
  'no-replay': 'Robota shows a resumed conversation once. Leave it out.',
  password: noServer(),
  port: noServer(),
  'print-logs': 'Use --debug, with --debug-file FILE for a file.',
  share: 'Use {program} sessions export ID.',
  title: 'Name a session with /name or {program} sessions name.',
  username: noServer(),
  variant: 'Use --thinking.',
  // pi
  e: 'Put extensions into ~/.robota/extensions.',
  export: 'Use {program} sessions export ID.',
  extension: 'Put extensions into ~/.robota/extensions.',
  'list-models': 'Use {program} -p /model.',
  mode: 'Use --output-format text or stream-json; programs also use --input-format stream-json.',
  models: 'Use --model, or /model in a session.',
  'no-prompt-templates': 'Use --setting-sources "" to use no commands of yours.',
  'no-skills': 'Use --setting-sources "" to use no skills of yours.',
  'no-themes': 'Use {program} config set theme dark or light.',
  np: 'Use --setting-sources "" to use no commands of yours.',
  ns: 'Use --setting-sources "" to use no skills of yours.',
  offline: 'Robota asks no server at its start. --model offline needs no network at all.',
  'session-dir': 'Set ROBOTA_HOME: sessions are in its folder sessions.',
  'prompt-template': 'Put commands into .robota/commands, and name one in the prompt: /NAME.',
  skill: 'Put skills into .robota/skills, and name one in the prompt: /NAME.',
  t: 'Use --tools NAMES.',
  theme: 'Use {program} config set theme NAME.',
  // aider
  'anthropic-api-key': 'Set ANTHROPIC_API_KEY, or use {program} login anthropic.',
  architect: 'Use --permission-mode plan.',
  'auto-commits': 'Robota commits only if you ask it to. Leave it out.',
  'auto-lint': 'Use --goal "…" --check "COMMAND".',
  'auto-test': 'Use --goal "…" --check "COMMAND".',
  'chat-mode': 'Use --permission-mode plan for questions and plans.',
  commit: 'Use {program} -p "commit the changes".',
  'dark-mode': 'Use {program} config set theme dark.',
  'edit-format': 'Robota edits by tool calls. Leave it out.',
  'editor-model': 'Robota uses one model; agents may have another: docs/agents.md.',
  'light-mode': 'Use {program} config set theme light.',
  'lint-cmd': 'Use --goal "…" --check "COMMAND".',
  'map-tokens': 'Robota sends no map of the repository. Leave it out.',
  'message-file': 'Pipe it in: {program} -p < FILE.',
  'no-auto-commits': 'Robota commits only if you ask it to. Leave it out.',
  'no-git': 'Robota needs no git. Leave it out.',
  'no-stream': 'Use -p.',
  'openai-api-key': 'Set OPENAI_API_KEY, or use {program} login openai.',
  read: 'Mention files in the prompt: @path.',
  'restore-chat-history': 'Use -c.',
  'test-cmd': 'Use --goal "…" --check "COMMAND".',
  'watch-files': 'Robota starts on a prompt only. Leave it out.',
  'weak-model': 'Use {program} config set titles false to ask no small model.',
  'yes-always': 'Use --permission-mode bypassPermissions.',
};

function noServer(): string {
  return 'Robota needs no server. Leave it out.';
}

function unfiltered(): string {
  return 'Robota never writes unfiltered text to a terminal. Leave it out.';
}

function approval(): string {
  return 'Use --permission-mode plan, default, acceptEdits, dontAsk or bypassPermissions.';
}

/** Our counterparts of values that other agents have for options of the same name. */
const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sandbox: {
    'read-only': 'Use --permission-mode plan.',
    'workspace-write': 'Use --sandbox required --permission-mode acceptEdits.',
    'danger-full-access': 'Use --sandbox off.',
  },
  'permission-mode': {
    auto: 'No model decides about calls here. Use acceptEdits, with --allow for what else may run, or a PreToolUse hook.',
    auto_edit: 'Use acceptEdits.',
    yolo: 'Use --permission-mode bypassPermissions.',
  },
};

/** Our equivalent of another agent's option, given without its dashes; undefined if unknown. */
export function familiarOption(name: string): string | undefined {
  const text = Object.hasOwn(familiarOptions, name) ? familiarOptions[name] : undefined;
  return text === undefined ? undefined : withProgram(text);
}

/** Our equivalent of another agent's option value; undefined if unknown. */
export function familiarValue(option: string, value: string): string | undefined {
  const known = Object.hasOwn(values, option) ? (values[option] ?? {}) : {};
  return Object.hasOwn(known, value) ? known[value] : undefined;
}

/** Our counterparts of settings that Codex takes as `-c KEY=VALUE`. */
const settings: Readonly<Record<string, (value: string) => string>> = {
  model: (value) => `Use --model ${value}.`,
  model_provider: (value) => `Use --model ${value}/ID.`,
  model_reasoning_effort: (value) => `Use --thinking ${value}.`,
  profile: (value) => `Use --model ${value}: a profile is a model name.`,
  approval_policy: approval,
  sandbox_mode: () => 'Use --sandbox off, auto or required.',
};

/** Our equivalent of `-c KEY=VALUE`. */
export function familiarSetting(key: string, quoted: string): string {
  const value = quoted.replace(/^(["'])(.*)\1$/, '$2');
  const own = Object.hasOwn(settings, key) ? settings[key]?.(value) : undefined;
  return own ?? withProgram('Use {program} config set KEY VALUE, or --settings JSON for one run.');
}
