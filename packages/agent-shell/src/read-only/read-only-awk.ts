const longestProgram = 4_000;

/** True if an awk program only reads its input: no files, commands, environment or file names. */
export function isReadingAwkProgram(program: string): boolean {
  if (program.length > longestProgram || program.includes('\\\n')) return false;
  if (/@|system|getline|ENVIRON|PROCINFO|ARG[CVI]|SYMTAB|FUNCTAB/.test(program)) return false;
  return !program.replaceAll('||', '').includes('|') && isComparing(program);
}

/** True for the program's own variables and those for separators. */
export function isHarmlessAwkVariable(assignment: string): boolean {
  return /^(?:[a-z_][A-Za-z0-9_]*|O?FS|O?RS)=/.test(assignment);
}

/** True if every `>` is a comparison: nothing before it can be text or a pattern, and its statement prints nothing. */
function isComparing(program: string): boolean {
  const last = program.lastIndexOf('>');
  if (last === -1) return true;
  const before = program.slice(0, last);
  if (/["/\\#]/.test(before)) return false;
  const statements = program.slice(0, last + 1).split(/[{};]/);
  return !statements.some((statement) => statement.includes('>') && statement.includes('print'));
}
