import type { GoldenTools, Section } from '../tools.ts';

/** Help of every command and subcommand, slash commands, completions and the manual, and all schemas. */
export const section: Section = {
  name: 'help',
  async record(language, tools) {
    const home = await tools.home();
    const recorded: Record<string, string> = {};
    const run = async (file: string, args: readonly string[]) => {
      const outcome = await tools.run(args, { home });
      recorded[file] = tools.transcript(outcome);
      return outcome.stdout;
    };
    const general = await run('robota.txt', ['--help']);
    const commands = [
      ...new Set([...general.matchAll(/^ {2}robota ([a-z]+)/gm)].map(([, name = '']) => name)),
    ];
    // Only the words of help are worth a second recording.
    const others = language === 'en' ? [...commands.map(commandHelp), ...formats] : [];
    await Promise.all([
      ...others.map(([file, args]) => run(file, args)),
      run('unknown-command.txt', ['help', 'nothing-like-it']),
      run('list.txt', ['help']),
      slashHelp(recorded, tools),
    ]);
    return recorded;
  },
};

/** A file, and the words that print it. */
type Printed = readonly [file: string, args: readonly string[]];

const commandHelp = (name: string): Printed => [`commands/${name}.txt`, [name, '--help']];

const formats: readonly Printed[] = [
  ['manual.txt', ['man']],
  ...['bash', 'zsh', 'fish'].map((shell): Printed => [`completion-${shell}.txt`, ['completion', shell]]),
  ['schemas/all.json', ['schema']],
  ['schemas/list.txt', ['schema', '--list']],
  ['schemas/unknown.txt', ['schema', 'nothing-like-it']],
  ['schemas/settings.json', ['config', 'schema']],
  ['schemas/models.json', ['config', 'schema', 'models']],
  ['schemas/credentials.json', ['config', 'schema', 'credentials']],
];

/** The help of each slash command, which one session gives. */
async function slashHelp(recorded: Record<string, string>, tools: GoldenTools): Promise<void> {
  const say = (prompts: readonly string[]) => {
    const lines = prompts.map((content) =>
      JSON.stringify({ type: 'user', message: { role: 'user', content } }),
    );
    const format = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
    return tools.run(['-p', '--model', 'offline', ...format], { input: `${lines.join('\n')}\n` });
  };
  const listed = await say(['/help']);
  const resultsOf = (stdout: string) =>
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { readonly type: string; readonly result?: string })
      .filter(({ type }) => type === 'result')
      .map(({ result }) => result ?? '');
  const [list = ''] = resultsOf(listed.stdout);
  const names = [...list.matchAll(/^\/([a-z-]+)/gm)].map(([, name = '']) => name);
  const { stdout, ...rest } = await say(names.map((name) => `/help ${name}`));
  const texts = resultsOf(stdout).map((text, index) => `── /help ${names[index]}\n${text}\n`);
  recorded['slash-commands.txt'] = tools.transcript({ ...rest, stdout: texts.join('') });
}
