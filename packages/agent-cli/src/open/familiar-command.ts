/** What commands of other agents are called here. */
const counterparts: Readonly<Record<string, string>> = {
  login: 'robota login, outside of a session, stores a key; /model goes on with another model.',
  logout: 'robota logout VENDOR, outside of a session, removes a key.',
  doctor: 'robota doctor, outside of a session, tells what works here and what does not.',
  sessions: '/resume lists the sessions of this directory; robota sessions, outside of a session, lists all.',
  hooks: '/config get hooks shows them; they are written in the settings.',
  memory: 'Instructions are in AGENTS.md, which /init writes; /context shows what was read.',
  status: '/context, /cost and /permissions show the state of the session; robota doctor that of the setup.',
  bashes: '/tasks lists what runs in the background.',
  agents: '/agent lists the agents and what they do.',
  usage: '/cost shows tokens and money.',
  'terminal-setup': 'Lines end with Enter; a backslash at the end of a line goes on in the next.',
};

/** Where what an unknown command is known for elsewhere is found. */
export function familiarCommand(name: string): string | undefined {
  const advice = Object.hasOwn(counterparts, name) ? counterparts[name] : undefined;
  return advice === undefined ? undefined : `There is no /${name}. ${advice}`;
}
