/** The text of `robota sessions --help`. */
export const sessionsHelp = `robota sessions: find and manage what was kept

Usage
  robota sessions list                   the sessions of this directory, newest first
  robota sessions show ID                read one; --follow goes on with what another process adds
  robota sessions search WORDS           every session that has all the words, with the places that do
  robota sessions name ID "NAME"         give one a name; an empty name takes it away
  robota sessions delete ID…             remove them with all that belongs to them
  robota sessions export ID              write one as a page to read (.html), as .md or as .jsonl
  robota sessions import PATH…           make sessions of files of pi, rab, Claude Code and eidolon, or of all in a directory
  robota sessions import --from PROGRAM  the same from the program's own folder, for this directory; --all for every one

ID is an id or its beginning, a name or its beginning, the path of a session, or (but for delete) words that only one has.

Options
  --all            sessions of every directory, not only of this one
  --cwd DIR        those of another directory
  --json           answer as JSON
  --limit N        list, search: at most so many; 0 is all (else 20, with --json all)
  --since WHEN     list, search: used since a date (2026-01-31) or for so long (12h, 7d, 2w)
  --role ROLE      search: only what the user, the assistant or a tool said; calls count as the tool's
  --tool NAME      search: only calls and results of this tool
  --full           show: nothing is shortened
  --follow         show: wait for more
  --yes            delete: without asking
  --from PROGRAM   import: pi, rab, claude or eidolon
  --dry-run        import: only say what would come over
  --again          import: also what was imported before
  --output FILE    export: where to; its ending decides the format, - is standard output
  --format FORMAT  export: html (else), md or jsonl
  --all-branches   export: Markdown with every branch; html and jsonl always have them
  --raw            export: JSONL with its secrets, which are hidden otherwise
  --force          export: replace a file that is there

Words are found inside longer ones, in any case; a phrase has quotes of its own: search '"not found" config'.
`;
