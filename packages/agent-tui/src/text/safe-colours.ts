const parameterList = /^[\d;:]*$/;
const colonForm = /^(?:4:[0-5]|[34]8:[25](?::\d{0,3}){1,6})$/;
const extendedForms = new Map([
  [2, 5],
  [5, 3],
]);

/**
 * The parameters of an SGR sequence that only colour or weigh text, ready to be sent; empty if none is left.
 * Concealed and blinking text and fonts are left out, since text that can't be read hides what it says.
 */
export function safeColours(parameters: string): string {
  if (!parameterList.test(parameters)) return '';
  const given = parameters.split(';');
  const kept: (string | number)[] = [];
  for (let index = 0; index < given.length; index++) {
    const parameter = given[index] ?? '';
    const code = Number(parameter);
    if (parameter.includes(':')) {
      if (colonForm.test(parameter)) kept.push(parameter);
    } else if (code === 38 || code === 48) {
      const colour = extendedColour(given.slice(index, index + 5).map(Number));
      // A colour that is not whole would take the parameters after it for its own.
      if (!colour) break;
      kept.push(...colour);
      index += colour.length - 1;
    } else if (isSafe(code)) kept.push(code);
  }
  return kept.join(';');
}

function extendedColour(codes: readonly number[]): readonly number[] | undefined {
  const length = extendedForms.get(codes[1] ?? Number.NaN);
  if (!length || codes.length < length) return undefined;
  const colour = codes.slice(0, length);
  return colour.every((code) => code <= 255) ? colour : undefined;
}

function isSafe(code: number): boolean {
  if (code <= 4 || code === 7 || code === 9) return true;
  if (code >= 21 && code <= 24) return true;
  if (code === 27 || code === 29) return true;
  return (code >= 30 && code <= 49) || (code >= 90 && code <= 97) || (code >= 100 && code <= 107);
}
