import { programName } from '../arguments/program-name.ts';

/** The help of `robota exec`. */
export function execHelp(): string {
  const program = programName();
  return `${program} exec: run one prompt, with the options and the output of codex exec

Usage: ${program} exec [OPTIONS] [PROMPT]
       ${program} exec [OPTIONS] resume [ID | --last] [PROMPT]
       ${program} exec [OPTIONS] fork [ID | --last] [PROMPT]

Without a prompt, or with -, the prompt is read from standard input; otherwise standard input is added to it.

  --json                        Print events as JSON lines
  -o, --output-last-message FILE  Write the last message to FILE
  --output-schema FILE          JSON Schema of the last message
  -i, --image FILE[,FILE]       Add images to the prompt
  -m, --model MODEL             Model to use
  -s, --sandbox MODE            read-only, workspace-write or danger-full-access
  --full-auto                   Same as --sandbox workspace-write
  --yolo                        Same as --sandbox danger-full-access
  -c, --config KEY=VALUE        Setting of Codex that Robota has too
  -C, --cd DIR                  Work in DIR
  --add-dir DIR                 Also work in DIR
  --oss, --local-provider NAME  Use the model of ollama or lmstudio
  --ephemeral                   Do not save the session
  --color WHEN                  always, never or auto
  --skip-git-repo-check         No effect: Robota works anywhere

Options of ${program} -p work too: see ${program} --help.
`;
}
