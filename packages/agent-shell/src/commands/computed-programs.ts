/** Function calls that start a program. */
const calls =
  /\b(?:system|popen\w*|execSync|execFile(?:Sync)?|spawnSync|shell_exec|passthru|proc_open|os\.(?:exec|posix_spawn|spawn)\w*|subprocess\.\w+|check_output|check_call|getoutput|execute)\b|(?<![.\w$>])(?:exec|spawn|qx)\b/g;
/** Functions that build text. */
const buildsText =
  /\b(?:atob|b64decode|base64|chr|eval|fromcharcode|fromcodepoint|fromhex|getattr|hex2bin|pack|reverse|rot13|str_rot13|strrev|unhexlify)\b|__import__|\[::-1\]|%c/i;
const startsPrograms =
  /\b(?:child_process|exec\w*|passthru|popen\w*|proc_open|qx|shell_exec|spawn\w*|subprocess|system)\b|`|-\||\|-/i;
/** Runs a built command in vim. */
const executingEditing = /\bexe(?:c|cu|cut|cute)?[\s!]/;
/** A variable in backticks, or an awk pipe to or from a variable. */
const assembled = /`[^`$]{0,2000}\$\{?\w|\|\s?(?!getline|\|)[$A-Za-z]\w{0,40}\s?[;}\n]|[\w)]\s?\|\s?getline/;
const runsInput = /(?:^|[;{}\n\d$/,!I])\s?e\s?(?:[;}\n]|$)/;
/** Method calls that start a program, in code with such an object. */
const memberCalls =
  /(?<!\/[a-z]{0,6})\.\s?(?:exec|spawn|fork|run)\b|\bDeno\s?\.\s?Command\b|create_subprocess_\w{1,20}/g;
const starters = /child_process|\bBun\b|\bDeno\b|\bProcess\b|\bKernel\b|\bOpen3\b|\bpty\b|asyncio/;
/** A function that starts programs under another name, or is called by a name in brackets. */
const renamed =
  /[=(,:]\s?[\w$.]{1,60}\.(?:exec|spawn|fork)\w{0,12}\s?(?=[;,)\n}]|$)|\b(?:exec|spawn|fork)\w{0,12}\s?:|\]\s?\(/;
const maximumCalls = 200;

/** True if code starts a program whose name it builds, so that reading the code does not reveal it. */
export function computesProgram(code: string): boolean {
  if (startsPrograms.test(code) && (buildsText.test(code) || assembled.test(code))) return true;
  if (hasComputedCall(code, calls)) return true;
  return starters.test(code) && (renamed.test(code) || hasComputedCall(code, memberCalls));
}

function hasComputedCall(code: string, wanted: RegExp): boolean {
  let looked = 0;
  for (const { 0: call, index } of code.matchAll(wanted)) {
    looked += 1;
    if (looked > maximumCalls || !hasLiteralArgument(code, index + call.length)) return true;
  }
  return false;
}

/** True if a text for an editor builds a command. */
export function assemblesCommand(text: string): boolean {
  return text.includes('.') && executingEditing.test(text);
}

/** True if sed runs text that it has read or replaced. */
export function runsPatternSpace(script: string): boolean {
  return runsInput.test(script);
}

/** True if a call has a literal string argument; a word that only looks like a call has none. */
function hasLiteralArgument(code: string, from: number): boolean {
  const rest = code.slice(from, from + 4_000);
  const start =
    /^\s{0,20}[([{]{0,3}\s{0,20}(?:(?:\w{1,20}["'}]{0,2}\}\s?)?(?:qw|qq|q)?\s?[([{/]?)?/.exec(rest)?.[0]
      .length ?? 0;
  if (/^\s{0,20}(?:[)\];.,:="'`]|import\b|$)/.test(rest) && !/^\s{0,20}["'`]/.test(rest)) return true;
  const text = rest.slice(start);
  const quote = text[0] ?? '';
  if (!'"\'`'.includes(quote) || quote === '')
    return (
      /^\s{0,20}[([{]?\s{0,20}(?:qw|qq|q)\s?[^\w\s]/.test(rest) &&
      !/[$@]\w/.test(rest.split('\n', 1)[0] ?? '')
    );
  if (/\]\s?\.\s?\w/.test(rest)) return false;
  const end = text.indexOf(quote, 1);
  const literal = text.slice(1, end === -1 ? undefined : end);
  if (quote !== "'" && /[$@](?:\{|\w)|#\{/.test(literal)) return false;
  return /^\s{0,20}(?:[)\],;}|&]|\|\||and\b|or\b|if\b|unless\b|$)/.test(text.slice(end + 1));
}
