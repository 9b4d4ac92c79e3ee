/** The text of `robota sessions --help`. */
export const sessionsHelp = `robota sessions: find and manage what was kept

Usage
  robota sessions list                       the sessions of this directory, newest first

Options
  --json           answer as JSON
  --all            of every directory, not only this one
  --limit N        at most so many (0: all)
  --cwd DIR        another directory than the one here
`;
