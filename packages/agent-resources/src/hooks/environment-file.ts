/** The variables of a file that a hook wrote for `CLAUDE_ENV_FILE`, and the lines that cannot be used. */
export interface EnvironmentFile {
  readonly variables: Readonly<Record<string, string>>;
  readonly unused: readonly string[];
}

/**
 * Reads lines such as `export NAME=value`, `declare -x NAME="value"` and `NAME='value'`, with variables in values. Nothing
 * is run: a line that only a shell could understand is not used.
 */
export function parseEnvironmentFile(text: string, env: Readonly<Record<string, string>>): EnvironmentFile {
  const variables: Record<string, string> = {};
  const unused: string[] = [];
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, written = ''] = assignment.exec(line) ?? [];
    const value = name === undefined ? undefined : wordValue(written, { ...env, ...variables });
    if (name === undefined || value === undefined) unused.push(line);
    else variables[name] = value;
  }
  return { variables, unused };
}

const assignment = /^(?:export |declare -x |typeset -x )?([A-Za-z_]\w*)=(.*)$/;

/** The value of a word of a shell; undefined if it has parts that would have to be run. */
function wordValue(written: string, env: Readonly<Record<string, string>>): string | undefined {
  let value = '';
  for (let at = 0; at < written.length; ) {
    const char = written.charAt(at);
    if (char === "'") {
      const end = written.indexOf("'", at + 1);
      if (end === -1) return undefined;
      value += written.slice(at + 1, end);
      at = end + 1;
    } else if (char === '"') {
      const end = endOfQuote(written, at + 1);
      const inner = end === -1 ? undefined : expanded(written.slice(at + 1, end), env);
      if (inner === undefined) return undefined;
      value += inner;
      at = end + 1;
    } else {
      const end = written.slice(at).search(/["'\s;&|<>()#]/);
      const word = end === -1 ? written.slice(at) : written.slice(at, at + end);
      const rest = end === -1 ? '' : written.slice(at + end);
      // A shell would change a backslash or a tilde.
      const inner = /^[\w@%+=:,./${}*?!^-]*$/.test(word) ? expanded(word, env) : undefined;
      // A comment or a semicolon may end the line, another command may not follow.
      const after = rest.trim();
      const isEnd = after === '' || after === ';' || (rest !== after && after.startsWith('#'));
      if (isEnd || /^;\s*#/.test(after)) return inner === undefined ? undefined : value + inner;
      if (inner === undefined || !/^["']/.test(rest) || word === '') return undefined;
      value += inner;
      at += end;
    }
  }
  return value;
}

function endOfQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++;
    else if (text.charAt(at) === '"') return at;
  }
  return -1;
}

/** Replaces variables and backslashes; undefined if a command would have to be run. */
function expanded(text: string, env: Readonly<Record<string, string>>): string | undefined {
  let isPlain = true;
  const value = text.replace(/\\(.)|\$(?:(\w+)|\{(\w+)\})|[$`]/g, (found, escaped, name, braced) => {
    if (escaped !== undefined) return '$`"\\'.includes(escaped) ? escaped : found;
    const variable: string | undefined = name ?? braced;
    if (variable === undefined) isPlain = false;
    return variable === undefined ? found : (env[variable] ?? '');
  });
  return isPlain ? value : undefined;
}
