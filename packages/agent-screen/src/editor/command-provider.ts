import { type Command, type InteractiveSession, parseInput } from '@robota-sdk/agent-sdk/front-end';
import { type AutocompleteProvider, type CommandChoice, commandCompletions } from '@robota-sdk/agent-tui';

type Sessions = () => InteractiveSession | undefined;
type SessionCommand = Command<InteractiveSession>;
type Subcommand = NonNullable<SessionCommand['subcommands']>[number];

/** Completes the names of commands and the words that are known to follow them; none before there is a session. */
export function commandProvider(session: Sessions): AutocompleteProvider {
  let typed = '';
  const provider = commandCompletions({
    trigger: '/',
    commands: () => {
      const current = session();
      return current ? choicesOf(current, typed) : [];
    },
  });
  return {
    ...provider,
    find: (request) => {
      if (!session()) return undefined;
      const input = parseInput(request.before, () => true);
      typed = input.kind === 'command' ? input.name : '';
      return provider.find(request);
    },
  };
}

/** Built-in commands first, then those of files and extensions, then skills. */
function choicesOf(session: InteractiveSession, typed: string): readonly CommandChoice[] {
  const skills = new Map(session.skills.map((skill) => [skill.name, skill]));
  const groups = {
    own: [] as CommandChoice[],
    added: [] as CommandChoice[],
    skills: [] as CommandChoice[],
  };
  for (const { value: command, source } of session.commands.list()) {
    const skill = skills.get(command.name);
    if (source === 'built-in' || source === 'skills') groups.own.push(choiceOf(command, typed));
    else if (skill && source.startsWith('skills in ')) {
      const short = skill.plugin === undefined ? undefined : skill.name.slice(skill.plugin.length + 1);
      const name = short !== undefined && session.findCommand(short) === command ? short : skill.name;
      const origin = skill.plugin === undefined ? {} : { origin: skill.plugin };
      const choice = choiceOf({ ...command, name }, typed);
      groups.skills.push({ ...choice, ...origin, ...needs(command), group: 'skills' });
    } else groups.added.push({ ...choiceOf(command, typed), ...needs(command), group: source });
  }
  return [...groups.own, ...groups.added, ...groups.skills];
}

function choiceOf(command: SessionCommand, typed: string): CommandChoice {
  const { name, aliases = [], description, argumentHint = '[]', complete, screen, isCommon } = command;
  // A command that completes its arguments itself also suggests its subcommands.
  const subcommands = complete ? [] : (command.subcommands ?? []);
  // Words without arguments of their own are chosen in the popup; otherwise the screen of the command comes first.
  const isMenu = subcommands.length > 0 && subcommands.every((each) => each.argumentHint === undefined);
  // Another name of a command counts where it was begun to be typed and its own does not fit.
  const isBegun = (each: string) => each.startsWith(typed) && (typed.includes(':') || !each.includes(':'));
  const alias = name.startsWith(typed) ? undefined : aliases.find(isBegun);
  return {
    name: alias ?? name,
    description,
    ...(argumentHint.startsWith('[') ? {} : { needsArguments: true }),
    ...(subcommands.length > 0 ? { subcommands: subcommands.map(subchoiceOf) } : {}),
    ...(screen === undefined || isMenu ? {} : { runsAlone: true }),
    ...(isCommon ? { isCommon } : {}),
  };
}

/** Hints of files say what they take, whether they need it or not. */
function needs({ argumentHint }: SessionCommand): Pick<CommandChoice, 'needsArguments'> {
  return argumentHint === undefined ? {} : { needsArguments: true };
}

function subchoiceOf({ name, description, subcommands = [] }: Subcommand): CommandChoice {
  return {
    name,
    description,
    ...(subcommands.length > 0 ? { subcommands: subcommands.map(subchoiceOf) } : {}),
  };
}
