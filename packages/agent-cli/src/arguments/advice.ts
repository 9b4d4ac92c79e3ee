import { withProgram } from './program-name.ts';

/**
 * Replacements for what other agents have and we lack, as users type it: `--flag`, `-f`, `command`, `/command` and
 * `--flag=value`. The rows cover the flags of Claude Code and Codex, and what users of others type most.
 */
export const advice: readonly (readonly [names: string, advice: string])[] = [
  [
    '--allow-all-tools --dangerously-auto-approve-everything --dangerously-skip-permission --yes-always -y --permission-mode=yolo',
    'Use --permission-mode bypassPermissions.',
  ],
  [
    '--approval-mode --approval-policy --approve-for-me --ask-for-approval --enable-auto-mode --full-auto --permission-profile --permission-mode=auto --permission-mode=auto_edit --policy -a -P auto-mode /approvals /allowed-tools',
    'Use --permission-mode acceptEdits --sandbox required, or another mode (plan, default, dontAsk), with --allow for what else may run.',
  ],
  ['--architect --chat-mode --sandbox=read-only', 'Use --permission-mode plan.'],
  [
    '--sandbox=danger-full-access --sandbox=workspace-write -s sandbox',
    'Use --sandbox off, auto or required.',
  ],
  [
    '--bare --ignore-rules --ignore-user-config --no-prompt-templates --no-skills --restricted --safe-mode -np -ns',
    'Use --setting-sources "" for no files, or --setting-sources project,local; also --no-context-files and --strict-mcp-config.',
  ],
  ['--background --bg', 'Run {program} -p in the background of your shell, or /agent in a session.'],
  [
    '--append-subagent-system-prompt --brief --output-style /output-style',
    'Use --append-system-prompt TEXT; an agent has its own in .robota/agents/NAME.md.',
  ],
  [
    '--accept-raw-output-risk --advisor --auto-commits --channels --disable --enable --maintenance --no-auto-commits --no-daemon --no-git --port --raw-output apply',
    'Robota has no such feature. Leave it out.',
  ],
  [
    '--allowed-mcp-server-names --chrome --mcp-debug',
    'Use {program} mcp: add adds a server, such as a browser; test shows what is wrong with one.',
  ],
  [
    '--all-files --file --image --read -f -i /add /mention',
    'Mention files and pictures in the prompt: @picture.png. To start with a prompt: {program} "PROMPT".',
  ],
  [
    '--autocompact --config --dark-mode --light-mode --theme settings /themes',
    'Use {program} config set KEY VALUE (config set theme dark; compaction.enabled false), or --settings JSON for one run.',
  ],
  ['--disable-slash-commands', 'Begin a prompt with another character than "/".'],
  [
    '--from-pr --last --resume-drops-turn --restore-chat-history --rewind-files attach /restore /checkpoint',
    'Use -c for the last session and -r ID for another, then /rewind to go back.',
  ],
  ['--acp --experimental-acp --ide /ide', 'Start robota from the editor: {program} acp.'],
  [
    '--init --init-only init /memory',
    'Use {program} -p /init to write AGENTS.md; /context shows what was read.',
  ],
  ['--admin-policy --managed-settings-in-initialize', 'Use --managed-settings JSON.'],
  [
    '--extensions --list-extensions --plugin-dir-no-mcp --plugin-url extension extensions marketplace plug plugins /extensions /marketplace',
    'Use {program} plugin, or --plugin-dir; --strict-mcp-config leaves its MCP servers out.',
  ],
  [
    '--forward-subagent-text --prompt-suggestions app-server exec-server proto',
    'Programs use {program} -p --input-format stream-json --output-format stream-json: docs/headless.md.',
  ],
  [
    '--remote --remote-control --remote-control-session-name-prefix cloud daemon mcp-server remote-control serve server /desktop /loop /mobile /remote-control /schedule',
    'Use {program} web for a browser or phone, {program} fleet for tasks on your machines, {program} mcp serve for MCP clients, or {program} acp for editors.',
  ],
  [
    '--format --json --mode --output-last-message -o',
    'Use --output-format json, or stream-json for one object a line; for a file: {program} -p "…" > FILE.',
  ],
  [
    '--local-provider --oss gemma',
    'Use --model ollama/NAME or lmstudio/NAME; {program} local finds the name.',
  ],
  [
    '--list-models --models --profile --provider --variant model models /effort /models /scoped-models /thinking',
    'Use --model NAME or VENDOR/ID (a profile is a NAME) and --thinking LEVEL; {program} -p /model lists models.',
  ],
  ['--dir --project-config-root /directory', 'Use --cwd DIR, with --add-dir for others.'],
  [
    '--delete-session --export --list-sessions --session-mirror --share --teleport --title export history import project session /chat /sessions /share',
    'Use {program} sessions to list, export, import, name and delete sessions.',
  ],
  ['--teammate-mode agent agents /agents', 'Use /agent list in a session to list agents.'],
  [
    '--base --uncommitted pr ultrareview /pr-comments /security-review',
    'Use {program} -p /review, or -p "/review REVISION".',
  ],
  ['--color', 'Set NO_COLOR=1 or FORCE_COLOR=1.'],
  [
    '--dangerously-bypass-hook-trust --trust trust',
    'Use --trust-project for one run, or /trust in a session.',
  ],
  ['--output-schema', 'Use --json-schema FILE.'],
  [
    '--message --message-file --no-stream --prompt --prompt-interactive --quiet -q',
    'Use -p "PROMPT", or pipe it in: {program} -p < FILE.',
  ],
  ['--strict-config debug status tools', 'Use {program} doctor to check settings, keys, tools and terminal.'],
  [
    '--anthropic-api-key --openai-api-key auth providers setup-token /auth /connect',
    'Use {program} login VENDOR or {program} logout VENDOR; {program} doctor shows which keys are found.',
  ],
  ['--log-level --print-logs -d', 'Use --debug, with --debug-file FILE for a file.'],
  ['--system-prompt-snapshot', 'Use --static-prompt, which keeps what changes out of the system prompt.'],
  ['--tmux worktree', 'Use {program} -w NAME; start it in tmux yourself.'],
  [
    'completions docs features install tour tutorial',
    'See {program} --help; {program} completion, {program} demo and {program} plugin install NAME.',
  ],
  [
    'hook hooks skill skills /hooks /hotkeys /keybindings',
    'See {program} config get hooks, and /skills and /keys in a session.',
  ],
  [
    'stats /session /stats /status /tokens /tools',
    '/context, /cost and /permissions show the state of the session; /doctor that of the setup; /usage all sessions.',
  ],
  ['/bashes /ps', '/tasks lists what runs in the background.'],
  ['/branch /clone', '/fork copies the session, /tree goes to another branch.'],
];

/** The advice for what a user typed; undefined if no other agent has it. */
export function adviceFor(typed: string): string | undefined {
  const text = advice.find(([names]) => names.split(' ').includes(typed))?.[1];
  return text === undefined ? undefined : withProgram(text);
}
